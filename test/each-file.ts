import { basename } from 'node:path';

import { afterAll } from 'vitest';

import { removeTemporaryFolders } from './device/temporary-folder.ts';

// Vitest runs this before each test file, while modules that tests import are loaded once for a whole worker.

// The files of one worker share locks of devices, and wait for no other worker's.
const { PAWL_CACHE_DIR = '', VITEST_POOL_ID = '' } = process.env;
process.env.PAWL_LOCK_NAMESPACE = `${basename(PAWL_CACHE_DIR)}-${VITEST_POOL_ID}`;

afterAll(removeTemporaryFolders);
