import { afterAll } from 'vitest';

import { removeTemporaryFolders } from './device/temporary-folder.ts';

// Vitest runs this before each test file, while modules that tests import are loaded once for a whole worker.
afterAll(removeTemporaryFolders);
