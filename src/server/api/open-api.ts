import { z } from 'zod';

import { PAWL_VERSION } from '../../model/version.ts';
import { namedSchemas } from './named-schemas.ts';
import { isOfQueue, type Route } from './route.ts';

type Json = Record<string, unknown>;

const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'The request does not match its description',
  401: 'No token, or a wrong one',
  403: 'Not allowed',
  404: 'Not there',
  406: 'Not available in the requested form',
  409: 'It conflicts with existing data',
  413: 'Too large',
  415: 'The body has another type',
  422: 'Understood, but it cannot be done',
  429: 'Too many requests; `Retry-After` says how long to wait',
  500: 'A bug',
  503: 'The store does not answer; `Retry-After` says when to try again',
};

/** The description of a table of routes, OpenAPI 3.1. */
export function openApi(routes: readonly Route[]): Json & { openapi: string } {
  const named = namedSchemas();
  const schemas = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    // Readers of an answer ignore keys that they do not know.
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => withoutPositions(jsonSchema),
  }).schemas as Record<string, Json>;
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, named) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pawl',
      version: PAWL_VERSION,
      summary: 'The history of a project: runs, trends, profiles, studies and devices.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)])),
      responses: Object.fromEntries(
        Object.entries(PROBLEMS).map(([status, description]) => [
          `Problem${status}`,
          { description, content: PROBLEM },
        ]),
      ),
      securitySchemes: {
        read: { type: 'http', scheme: 'bearer', description: 'The read token, if the server has one.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'pawl_session',
          description: 'The cookie of a browser that signed in at `/login`.',
        },
        write: { type: 'http', scheme: 'bearer', description: 'The write token.' },
        tenant: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of `pawl queue token`, with the role that the operation needs.',
        },
      },
    },
  };
}

type Named = ReturnType<typeof namedSchemas>;

function operation(route: Route, named: Named): Json {
  const { name, summary, params, query, body } = route;
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  return {
    operationId: name,
    summary,
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(body.schema, named) } },
          },
        }),
    responses: { ...successes(route, named), ...problems(route) },
  };
}

function securityOf({ access }: Route): Json[] {
  if (access === 'open') return [];
  // `{}`: a server on loopback may have no read token.
  const reading = [{ read: [] }, { session: [] }, {}];
  if (access === 'queue-board') return [{ tenant: [] }, ...reading];
  if (isOfQueue(access)) return [{ tenant: [] }];
  return access === 'write' || access === 'note' ? [{ write: [] }] : reading;
}

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]): Json => {
    const isRequired = place === 'path' || required.includes(name);
    // Undefined is left out when it is written.
    return { name, in: place, description, required: isRequired, schema: property };
  });
}

function successes({ answer }: Route, named: Named): Record<string, Json> {
  if (answer.type === 'application/json') {
    const content = { 'application/json': { schema: reference(answer.schema, named) } };
    return Object.fromEntries(
      Object.entries(answer.statuses).map(([status, description]) => [status, { description, content }]),
    );
  }
  const schema = { type: 'string' };
  const description =
    answer.type === 'text/plain'
      ? 'OK'
      : 'Events; the data of each is a `LiveEvent` in JSON, `event` its type';
  return { 200: { description, content: { [answer.type]: { schema } } } };
}

/** Which problems a route can answer with. */
function problems(route: Route): Record<string, Json> {
  const { access, params, query, body, answer } = route;
  const own = answer.type === 'application/json' ? answer.statuses : {};
  const statuses = [
    ...(params !== undefined || query !== undefined || body !== undefined ? [400] : []),
    ...(access === 'open' ? [] : [401]),
    403,
    ...(params !== undefined ||
    query?.shape['key'] !== undefined ||
    query?.shape['a'] !== undefined ||
    isOfQueue(access)
      ? [404]
      : []),
    406,
    ...(route.conflicts === true ? [409] : []),
    ...(body === undefined ? [] : [413, 415]),
    ...(query?.shape['a'] !== undefined || body !== undefined ? [422] : []),
    429,
    500,
    ...(503 in own ? [] : [503]),
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

function reference(schema: z.ZodType, named: Named): Json {
  const id = named.get(schema)?.id;
  return id === undefined
    ? plain(z.toJSONSchema(schema, { io: 'input' }))
    : { $ref: `#/components/schemas/${id}` };
}

/** In a description, schemas have neither a dialect nor an address of their own. */
function plain(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !['$schema', '$id', 'id'].includes(name)),
  );
}

/** Our tuples are of one kind each: as lists of a length, also tools that know no `prefixItems` read them. */
function withoutPositions(schema: Json): void {
  const { prefixItems } = schema as { prefixItems?: unknown[] };
  if (prefixItems === undefined) return;
  const [first, ...others] = prefixItems.map((item) => JSON.stringify(item));
  if (first === undefined || others.some((other) => other !== first)) return;
  delete schema['prefixItems'];
  Object.assign(schema, {
    items: prefixItems[0],
    minItems: prefixItems.length,
    maxItems: prefixItems.length,
  });
}
