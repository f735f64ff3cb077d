import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { PawlError } from '../../model/pawl-error.ts';
import { GitHubError, type GitHub } from '../github/github.ts';
import { refusal, type FinishedRun } from '../github/finished-run.ts';

/** A report with its samples and profiles; no upload may fill the publisher's memory. */
const MOST_BYTES = 100 * 2 ** 20;

const artifactSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  size_in_bytes: z.int().nonnegative(),
  expired: z.boolean(),
  created_at: z.string().nullish(),
  digest: z.string().nullish(),
  workflow_run: z
    .object({ id: z.int().optional(), head_sha: z.string().optional(), repository_id: z.int().optional() })
    .nullish(),
});
type Artifact = z.infer<typeof artifactSchema>;

export interface DownloadedArtifact {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The one artifact of this name that the run made, in memory. */
export async function downloadArtifact(
  github: GitHub,
  run: FinishedRun,
  name: string,
  maxBytes = MOST_BYTES,
): Promise<DownloadedArtifact> {
  const artifact = await findArtifact(github, run, name);
  if (artifact.size_in_bytes > maxBytes) throw tooLarge(maxBytes);
  const bytes = await download(github, `/repos/${run.repo}/actions/artifacts/${artifact.id}/zip`, maxBytes);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (artifact.digest?.startsWith('sha256:') === true && artifact.digest !== digest) {
    throw refusal('the artifact is not the one that was uploaded');
  }
  return { id: artifact.id, bytes };
}

/** What the API says about the size is as much the uploader's word as the rest. */
async function download(github: GitHub, path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await github.download(path, maxBytes);
  } catch (error) {
    // The answer was fine until there was too much of it.
    if (error instanceof GitHubError && error.status === 200) throw tooLarge(maxBytes);
    throw error;
  }
}

function tooLarge(maxBytes: number): PawlError {
  return refusal(`the artifact is larger than ${maxBytes} bytes`);
}

async function findArtifact(github: GitHub, run: FinishedRun, name: string): Promise<Artifact> {
  const found: Artifact[] = [];
  const list = github.pages(`/repos/${run.repo}/actions/runs/${run.id}/artifacts`, {
    query: { name },
    items: (body) => (body as { readonly artifacts?: unknown } | undefined)?.artifacts,
  });
  for await (const item of list) {
    const artifact = artifactSchema.safeParse(item).data;
    if (artifact?.name === name && isOfAttempt(artifact, run)) found.push(artifact);
  }
  const [only, ...others] = found;
  if (only === undefined) {
    throw refusal('the run has no artifact with a report', 'It may have ended before writing one.');
  }
  if (others.length > 0) throw refusal('the run has several artifacts of the same name');
  if (only.expired) throw refusal("the run's artifact has expired");
  const { id, head_sha, repository_id } = only.workflow_run ?? {};
  const isOurs =
    id === run.id &&
    (head_sha ?? run.head_sha) === run.head_sha &&
    (repository_id ?? run.repository_id) === run.repository_id;
  if (!isOurs) throw refusal('the artifact belongs to another run');
  return only;
}

/** A run that was started again keeps what its earlier attempts uploaded. */
function isOfAttempt({ created_at }: Artifact, { attempt, started_at }: FinishedRun): boolean {
  if (attempt === 1 || started_at === undefined || created_at == null) return true;
  return Date.parse(created_at) >= Date.parse(started_at);
}
