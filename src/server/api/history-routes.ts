import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { methodSchema } from '../../model/learn/gate.ts';
import {
  commitsPageSchema,
  costsPageSchema,
  devicesPageSchema,
  keysPageSchema,
  pointComparisonSchema,
  profilesPageSchema,
  runDetailSchema,
  runsPageSchema,
  sessionsPageSchema,
  storedMeasurementSchema,
  storedProfileSchema,
  storedStudySchema,
  studiesPageSchema,
} from '../../model/history/history-api.ts';
import { overviewSchema, trendSchema } from '../../model/history/history.ts';
import { lessonsSchema } from '../../model/learn/lesson.ts';
import { DEFAULT_WINDOW_DAYS, defaultSince } from '../../model/text/moment.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { sidesComparisonSchema } from '../../model/history/sides-comparison.ts';
import { sessionSchema } from '../../model/learn/session.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { parseWindow, soon } from './parse-window.ts';
import {
  commitsQuerySchema,
  compareQuerySchema,
  idSchema,
  keyFilterSchema,
  pageSchema,
  runFilterSchema,
  sidesQuerySchema,
  trendQuerySchema,
  windowSchema,
} from './query-schemas.ts';
import { jsonRoute, type Route } from './route.ts';

const READ = { method: 'GET', access: 'read' } as const;
const withId = z.strictObject({ id: idSchema });

export const historyRoutes: readonly Route[] = [
  jsonRoute({
    ...READ,
    name: 'overview',
    path: '/api/v1/overview',
    summary: `Every key with what happened to it in a window (${DEFAULT_WINDOW_DAYS} days), worst first, and the latest runs`,
    query: windowSchema,
    result: overviewSchema,
    handle: ({ query, now }, { service }) => {
      const { until = soon(now), since = defaultSince(until) } = parseWindow(query, now);
      return service.overview({ since, until });
    },
  }),
  jsonRoute({
    ...READ,
    name: 'keys',
    path: '/api/v1/keys',
    summary: 'The keys of measurements',
    query: keyFilterSchema,
    result: keysPageSchema,
    handle: async ({ query }, { service }) => ({ items: await service.keys(defined(query)) }),
  }),
  jsonRoute({
    ...READ,
    name: 'trend',
    path: '/api/v1/trend',
    summary: 'The level of a key over commits, with its changes',
    query: trendQuerySchema,
    result: trendSchema,
    handle: async ({ query: { key, max_points, ...window }, now }, { service }) =>
      found(await service.trend(key, { ...parseWindow(window, now), maxPoints: max_points }), 'key'),
  }),
  jsonRoute({
    ...READ,
    name: 'compare',
    path: '/api/v1/compare',
    summary: 'Two measurements of any two runs, judged on their stored samples',
    query: compareQuerySchema,
    result: pointComparisonSchema,
    handle: async ({ query }, { service }) => found(await comparable(service.compare(query)), 'measurement'),
  }),
  jsonRoute({
    ...READ,
    name: 'sides',
    path: '/api/v1/sides',
    summary: 'Two commits, branches, devices or drivers: every case of both, judged on stored samples',
    query: sidesQuerySchema,
    result: sidesComparisonSchema,
    handle: ({ query: { a, a_device, a_driver, b, b_device, b_driver } }, { service }) =>
      comparable(
        service.sides({
          a: defined({ revision: a, device: a_device, driver: a_driver }),
          b: defined({ revision: b, device: b_device, driver: b_driver }),
        }),
      ),
  }),
  jsonRoute({
    ...READ,
    name: 'commits',
    path: '/api/v1/commits',
    summary: 'Facts about commits; unknown ones are left out',
    query: commitsQuerySchema,
    result: commitsPageSchema,
    handle: async ({ query }, { service }) => ({ items: await service.commits(query.shas) }),
  }),
  jsonRoute({
    ...READ,
    name: 'runs',
    path: '/api/v1/runs',
    summary: 'Runs, newest first, by page',
    query: runFilterSchema,
    result: runsPageSchema,
    handle: ({ query: { limit, cursor, since, until, ...filter }, now }, { service }) =>
      service.runs({ ...defined(filter), ...parseWindow({ since, until }, now) }, defined({ limit, cursor })),
  }),
  jsonRoute({
    ...READ,
    name: 'run',
    path: '/api/v1/runs/{id}',
    summary: 'A run: its document, measurements and verdicts, without samples',
    params: withId,
    result: runDetailSchema,
    handle: async ({ params }, { service }) => found(await service.run(params.id), 'run'),
  }),
  jsonRoute({
    ...READ,
    name: 'samples',
    path: '/api/v1/measurements/{id}/samples',
    summary: 'A measurement with its samples, as far as retention kept them',
    params: withId,
    result: storedMeasurementSchema,
    handle: async ({ params }, { service }) => found(await service.measurement(params.id), 'measurement'),
  }),
  jsonRoute({
    ...READ,
    name: 'profiles',
    path: '/api/v1/profiles',
    summary: 'Profiles, newest first, by page',
    query: z.strictObject({ ...keyFilterSchema.shape, ...pageSchema.shape }),
    result: profilesPageSchema,
    handle: ({ query: { limit, cursor, ...filter } }, { service }) =>
      service.profiles(defined(filter), defined({ limit, cursor })),
  }),
  jsonRoute({
    ...READ,
    name: 'profile',
    path: '/api/v1/profiles/{id}',
    summary: 'A profile: its report and files',
    params: withId,
    result: storedProfileSchema,
    handle: async ({ params }, { service }) => found(await service.profile(params.id), 'profile'),
  }),
  jsonRoute({
    ...READ,
    name: 'studies',
    path: '/api/v1/studies',
    summary: 'Studies, newest first, by page',
    query: pageSchema,
    result: studiesPageSchema,
    handle: ({ query }, { service }) => service.studies(defined(query)),
  }),
  jsonRoute({
    ...READ,
    name: 'study',
    path: '/api/v1/studies/{id}',
    summary: 'A study with its trials',
    params: withId,
    result: storedStudySchema,
    handle: async ({ params }, { service }) => found(await service.study(params.id), 'study'),
  }),
  jsonRoute({
    ...READ,
    name: 'devices',
    path: '/api/v1/devices',
    summary: 'How devices behaved: noise over time, and controls that alarmed',
    query: windowSchema,
    result: devicesPageSchema,
    handle: async ({ query, now }, { service }) => ({
      items: await service.devices(parseWindow(query, now)),
    }),
  }),
  jsonRoute({
    ...READ,
    name: 'sessions',
    path: '/api/v1/sessions',
    summary: 'Optimisation sessions, newest first, by page: goals, predictions and outcomes',
    query: pageSchema,
    result: sessionsPageSchema,
    handle: ({ query }, { service }) => service.sessions(defined(query)),
  }),
  jsonRoute({
    ...READ,
    name: 'session',
    path: '/api/v1/sessions/{id}',
    summary: 'A session: its gates with their evidence, its tries, notes and lessons',
    params: withId,
    result: sessionSchema,
    handle: async ({ params }, { service }) => found(await service.session(params.id), 'session'),
  }),
  jsonRoute({
    ...READ,
    name: 'method',
    path: '/api/v1/method',
    summary: 'The phases and gates that sessions of this project go through',
    result: methodSchema,
    handle: (_, { service }) => readable(service.method()),
  }),
  jsonRoute({
    ...READ,
    name: 'lessons',
    path: '/api/v1/lessons',
    summary: 'Known problems and their fixes: shipped, learnt in sessions, added by experts',
    result: lessonsSchema,
    handle: (_, { service }) => readable(service.lessons()),
  }),
  jsonRoute({
    ...READ,
    name: 'costs',
    path: '/api/v1/costs',
    summary: 'Device time and money by day and kind of run',
    query: windowSchema,
    result: costsPageSchema,
    handle: async ({ query, now }, { service }) => ({ items: await service.costs(parseWindow(query, now)) }),
  }),
];

function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new HttpProblem(404, `There is no such ${what} in the store.`);
  return value;
}

/** What cannot be compared is for the asker to know; where the store is does not occur in it. */
async function comparable<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    if (!(error instanceof PawlError) || error.kind !== 'usage') throw error;
    throw new HttpProblem(422, error.message, { hint: error.hint });
  }
}

/** A project's own files may be wrong while a server runs; where they lie is not for its clients. */
async function readable<Value>(value: Promise<Value>): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    if (!(error instanceof PawlError) || error.kind !== 'configuration') throw error;
    throw new HttpProblem(500, "The project's gates or lessons cannot be read.", {
      hint: 'pawl lessons and pawl preflight, run in the project, name the file and the line.',
    });
  }
}
