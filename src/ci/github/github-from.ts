import { FetchGitHub, type FetchGitHubOptions } from './fetch-github.ts';

/** The code host's API and the token for it, where the environment of a job has one. */
export function githubFrom(
  env: NodeJS.ProcessEnv,
  options: Pick<FetchGitHubOptions, 'now' | 'random' | 'signal'> & {
    readonly sleep: (duration_ms: number) => Promise<unknown>;
  },
): { readonly github?: FetchGitHub; readonly token?: string } {
  const token = env['PAWL_GITHUB_TOKEN'] || env['GITHUB_TOKEN'];
  if (!token) return {};
  const github = new FetchGitHub({
    ...options,
    token,
    apiUrl: env['GITHUB_API_URL'] ?? 'https://api.github.com',
    sleep: async (duration_ms) => {
      await options.sleep(duration_ms);
    },
  });
  return { github, token };
}
