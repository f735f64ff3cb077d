import { Worker } from 'node:worker_threads';

import type { SearchJob, SearchResult } from './search-job.ts';

/** Runs the jobs in threads, each its next when it has finished one. */
export async function runSearches(
  jobs: readonly SearchJob[],
  threads: number,
  onResult: (result: SearchResult, done: number) => void,
): Promise<void> {
  let next = 0;
  let done = 0;
  const work = async () => {
    const worker = new Worker(new URL('../samplers-worker.js', import.meta.url));
    try {
      while (next < jobs.length) onResult(await answer(worker, jobs[next++]!), ++done);
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, work));
}

async function answer(worker: Worker, job: SearchJob): Promise<SearchResult> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (result: SearchResult) => {
      worker.off('error', reject);
      resolve(result);
    });
    worker.postMessage(job, []);
  });
}
