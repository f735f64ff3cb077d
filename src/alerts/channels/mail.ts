import { isIPv4 } from 'node:net';

import type { Alert } from '../../model/server/alert.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Channel, SendContext, SendOutcome } from './channel.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** @throws {PawlError} where the text is not a mail server; its sentence does not hold the text */
export function mailServer(text: string, variable: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const port = PORTS[url?.protocol ?? ''];
  if (url === undefined || port === undefined || url.hostname === '') {
    throw new PawlError(
      'configuration',
      `${variable} does not hold the address of a mail server.`,
      'It looks like smtps://user:password@mail.example.org, with %40 for an @ in the user.',
    );
  }
  const { hostname, username, password, protocol } = url;
  return {
    host: hostname.replaceAll(/^\[|\]$/gu, ''),
    port: url.port === '' ? port : Number(url.port),
    secure: protocol === 'smtps:',
    ...(username === ''
      ? {}
      : { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
}

export interface MailOptions {
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
}

export class MailChannel implements Channel {
  readonly #options: MailOptions;

  constructor(options: MailOptions) {
    this.#options = options;
  }

  async send(alert: Alert, { signal, timeout_ms, now }: SendContext): Promise<SendOutcome> {
    const { server, from, to } = this.#options;
    const { host, port, secure, user, password = '' } = server;
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host,
      port,
      secure,
      ...(user === undefined ? {} : { auth: { user, pass: password } }),
      // A password is not sent in the clear over a network.
      requireTLS: !secure && user !== undefined && !isThisMachine(host),
      connectionTimeout: timeout_ms,
      greetingTimeout: timeout_ms,
      socketTimeout: timeout_ms,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // A server that answers one byte at a time never times out by itself.
    const ends = AbortSignal.any([signal, AbortSignal.timeout(2 * timeout_ms)]);
    const ended = new Promise<never>((_, reject) => {
      ends.addEventListener('abort', () => {
        reject(new Error(`the mail server took more than ${(2 * timeout_ms) / 1000} s`));
        transport.close();
      });
    });
    ended.catch(() => undefined);
    try {
      const sent = await Promise.race([
        transport.sendMail({
          from,
          to: [...to],
          ...mailBody(alert),
          // The same at every try: a mailbox shows it once.
          messageId: `<${alert.id}@pawl.alerts>`,
          date: now(),
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
        ended,
      ]);
      const refused = sent.rejected.length;
      // Those who have it would get it twice.
      if (refused === 0) return { isSent: true };
      return { isSent: true, note: `the mail server refused ${refused} of ${to.length} addresses` };
    } catch (error) {
      if (signal.aborted) throw error;
      return { isSent: false, error: withoutSecrets(messageOf(error), [user ?? '', password]) };
    } finally {
      transport.close();
    }
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

export function mailBody({ title, details, url, subscription }: Alert): {
  readonly subject: string;
  readonly text: string;
} {
  const lines = [
    title,
    '',
    ...details,
    ...(url === undefined ? [] : ['', url]),
    '',
    '-- ',
    `Pawl, subscription ${subscription} in pawl.yaml`,
    '',
  ];
  return { subject: title, text: lines.join('\n') };
}

const SHOWN_MESSAGE = 200;

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_MESSAGE);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .reduce((shown, one) => shown.replaceAll(one, '…'), text);
}
