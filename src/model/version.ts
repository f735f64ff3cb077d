import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** The version of Pawl itself, from its one source: package.json. */
export const PAWL_VERSION = manifest.version;
