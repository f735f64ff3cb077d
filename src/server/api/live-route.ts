import { liveEventSchema } from '../../model/server/live-event.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { Route } from './route.ts';

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
    open: ({ client, lastId, drop }, { service, clients, isStopping }) => {
      if (isStopping() || !clients.hasRoomFor(client)) {
        throw new HttpProblem(503, 'Too many streams are open.', { headers: { 'retry-after': '30' } });
      }
      return clients.open({
        client,
        drop,
        listen: (send) =>
          service.live.listen(
            ({ id, event }) => send(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
            lastId,
          ),
      });
    },
  },
};
