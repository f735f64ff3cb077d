import type { z } from 'zod';

import type { HistoryService } from '../../workflows/serve/history-service.ts';
import type { Caller, QueueService } from '../../workflows/serve/queue-service.ts';
import type { BodyLimits } from '../http/json-body.ts';
import type { Metrics } from '../http/metrics.ts';
import type { SseClients } from './sse-clients.ts';

/**
 * Who may ask: anyone, a caller with the read token (anyone where the server has none), or with the write token. `note`:
 * the write token, or anybody where the server has no token at all, as on one's own machine.
 */
export type Access = 'open' | 'read' | 'write' | 'note' | QueueAccess;

/** A caller with a token of a tenant with that role. `queue-board`: also one who may read the history. */
export type QueueAccess = 'queue-submit' | 'queue-read' | 'queue-work' | 'queue-board';

export function isOfQueue(access: Access): access is QueueAccess {
  return access.startsWith('queue-');
}

/** What routes answer from. */
export interface Context {
  readonly service: HistoryService;
  /** Where the server judges. */
  readonly queue: QueueService | undefined;
  readonly metrics: Metrics;
  readonly clients: SseClients;
  readonly isStopping: () => boolean;
}

export interface Ask<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly now: Date;
  /** Of routes of the queue. */
  readonly caller: Caller | undefined;
}

interface About {
  /** Its name in the description. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** With `{name}` for a part of it that is a parameter. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly access: Access;
}

interface RouteBody<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly limits: BodyLimits;
  /** The answer may take its time, while the body is no longer held; its tenant's limits count, not its address's. */
  readonly mayWait?: boolean;
}

/** A row of the table: all that is checked before it is asked, and all that the description says of it. */
export interface Route extends About {
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: RouteBody<z.ZodType> | undefined;
  /** It may answer 409. */
  readonly conflicts?: boolean | undefined;
  readonly answer: Answer;
}

type Answer =
  | {
      readonly type: 'application/json';
      readonly schema: z.ZodType;
      /** The statuses of success, with what they mean. */
      readonly statuses: Readonly<Record<number, string>>;
      give(
        ask: Ask<unknown, unknown, unknown>,
        context: Context,
      ): Promise<{ status: number; value: unknown }>;
    }
  | { readonly type: 'text/plain'; give(context: Context): string }
  | {
      readonly type: 'text/event-stream';
      /** Of the data of each event. */
      readonly schema: z.ZodType;
      open(
        ask: {
          readonly client: string;
          /** Of the last event that the client has. */
          readonly lastId: string | undefined;
          /** Cuts the connection. */
          readonly drop: () => void;
        },
        context: Context,
      ): ReadableStream<Uint8Array>;
    };

/** What is read from a store is not to be changed. */
type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

interface JsonSpec<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
> extends About {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: RouteBody<Body>;
  readonly conflicts?: boolean;
  readonly result: Result;
  readonly statuses?: Readonly<Record<number, string>>;
  /** Where it is not 200. */
  readonly status?: (value: Frozen<z.input<Result>>) => number;
  handle(
    ask: Ask<z.output<Params>, z.output<Query>, z.output<Body>>,
    context: Context,
  ): Promise<Frozen<z.input<Result>>>;
}

/** A route that answers JSON: its parts are typed by their schemas. */
export function jsonRoute<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Result extends z.ZodType,
>(spec: JsonSpec<Params, Query, Body, Result>): Route {
  const { name, method, path, summary, access, params, query, body, result } = spec;
  return {
    name,
    method,
    path,
    summary,
    access,
    params,
    query,
    body,
    conflicts: spec.conflicts,
    answer: {
      type: 'application/json',
      schema: result,
      statuses: spec.statuses ?? { 200: 'OK' },
      give: async (ask, context) => {
        const value = await spec.handle(ask as never, context);
        return { status: spec.status?.(value) ?? 200, value };
      },
    },
  };
}
