import { historyRoutes } from './history-routes.ts';
import { liveRoute } from './live-route.ts';
import { openApiRoute } from './open-api-route.ts';
import { operationsRoutes } from './operations-routes.ts';
import type { Route } from './route.ts';
import { uploadRoute } from './upload-route.ts';

/** All that the API answers to: requests are checked against this table, and the description is made of it. */
export const API_ROUTES: readonly Route[] = [...historyRoutes, uploadRoute, liveRoute, ...operationsRoutes];
