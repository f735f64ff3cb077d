/** Real servers that alerts are sent to, which answer as a test wants. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSocket, type AddressInfo, type Server, type Socket } from 'node:net';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FarEnd {
  readonly url: string;
  readonly received: Received[];
  answer: (response: ServerResponse, request: Received) => void;
  close(): Promise<void>;
}

export async function startFarEnd(): Promise<FarEnd> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      farEnd.answer(response, one);
    });
  });
  const port = await listening(server);
  const farEnd: FarEnd = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (response) => void response.writeHead(200).end('ok'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return farEnd;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

interface Mail {
  readonly to: readonly string[];
  readonly user?: string;
  readonly text: string;
}

export interface Mailbox {
  readonly port: number;
  readonly mails: Mail[];
  /** Addresses that it refuses. */
  readonly refused: Set<string>;
  /** It takes connections and says nothing. */
  isSilent: boolean;
  close(): Promise<void>;
}

/** As much of RFC 5321 as a client needs that sends one mail, with AUTH PLAIN. */
export async function startMailbox(): Promise<Mailbox> {
  const sockets = new Set<Socket>();
  const server = createSocket((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (!mailbox.isSilent) converse(socket, mailbox);
  });
  const port = await listening(server);
  const mailbox: Mailbox = {
    port,
    mails: [],
    refused: new Set(),
    isSilent: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return mailbox;
}

function converse(socket: Socket, { mails, refused }: Mailbox): void {
  let buffered = '';
  let to: string[] = [];
  let user: string | undefined;
  let isData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  say('220 mailbox of a test');
  socket.on('data', (chunk) => {
    buffered += chunk.toString('utf8');
    if (isData) {
      const end = buffered.indexOf('\r\n.\r\n');
      if (end < 0) return;
      mails.push({ to, ...(user === undefined ? {} : { user }), text: buffered.slice(0, end) });
      buffered = buffered.slice(end + 5);
      isData = false;
      to = [];
      say('250 kept');
    }
    for (let end = buffered.indexOf('\r\n'); end >= 0 && !isData; end = buffered.indexOf('\r\n')) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      const [, address = ''] = /^RCPT TO:<(.*?)>/iu.exec(line) ?? [];
      if (/^EHLO/iu.test(line)) socket.write('250-mailbox\r\n250 AUTH PLAIN\r\n');
      else if (/^AUTH PLAIN /iu.test(line)) {
        const told = Buffer.from(line.slice(11), 'base64').toString('utf8').split('\0');
        if (told[2] === 'opensesame') {
          user = told[1];
          say('235 welcome');
        } else say(`535 no: ${told[2]}`);
      } else if (address !== '') {
        if (refused.has(address)) say('550 nobody here');
        else {
          to.push(address);
          say('250 ok');
        }
      } else if (/^DATA/iu.test(line)) {
        isData = true;
        say('354 go on');
      } else if (/^STARTTLS/iu.test(line)) say('502 not here');
      else if (/^QUIT/iu.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }
  });
}
