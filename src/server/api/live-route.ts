import { liveEventSchema } from '../../model/live-event.ts';
import type { NumberedEvent } from '../../workflows/serve/live-feed.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { Route } from './route.ts';

/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** A client that does not read what it is sent is dropped; it connects again and is told what it missed. */
const MOST_WAITING_BYTES = 2 ** 20;

export const liveRoute: Route = {
  name: 'live',
  method: 'GET',
  path: '/api/v1/live',
  summary: 'What is under way on this machine, as server-sent events; Last-Event-ID resumes',
  access: 'read',
  params: undefined,
  query: undefined,
  body: undefined,
  answer: {
    type: 'text/event-stream',
    schema: liveEventSchema,
    open: async ({ request, response, client }, { service, clients, isStopping }) => {
      if (isStopping() || !clients.hasRoomFor(client)) {
        throw new HttpProblem(503, 'Too many streams are open.', { headers: { 'retry-after': '30' } });
      }
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      clients.add(response, client);
      response.write('retry: 2000\n\n');
      const beat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
      const write = ({ id, event }: NumberedEvent): void => {
        response.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
      };
      let stop = (): void => undefined;
      response.once('close', () => {
        clearInterval(beat);
        stop();
      });
      const header = request.headers['last-event-id'];
      stop = await service.live.listen(write, typeof header === 'string' ? header : undefined);
      // It may have closed meanwhile.
      if (response.destroyed || response.writableEnded) stop();
    },
  },
};
