import { z } from 'zod';

import { historyRoutes } from './history-routes.ts';
import { judgeRoutes } from './judge-routes.ts';
import { liveRoute } from './live-route.ts';
import { noteRoutes } from './note-routes.ts';
import { openApi } from './open-api.ts';
import { operationsRoutes } from './operations-routes.ts';
import { jsonRoute, type Route } from './route.ts';
import { uploadRoute } from './upload-route.ts';

/** All that the API answers to: requests are checked against this table, and its description is made of it. */
export const API_ROUTES: readonly Route[] = [
  ...historyRoutes,
  ...noteRoutes,
  uploadRoute,
  liveRoute,
  ...judgeRoutes,
  jsonRoute({
    name: 'openapi',
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'This description',
    access: 'read',
    result: z.looseObject({ openapi: z.string() }),
    handle: () => Promise.resolve(openApi(API_ROUTES)),
  }),
  ...operationsRoutes,
];
