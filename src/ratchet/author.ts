import { userInfo } from 'node:os';

import { askGit } from '../os/git/run-git.ts';

/** Who is at work here: as git knows them, or as the CI or the system does. */
export async function findAuthor(root: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const [name, email] = await Promise.all([
    gitSetting('user.name', root, env),
    gitSetting('user.email', root, env),
  ]);
  const author =
    name !== undefined && email !== undefined
      ? `${name} <${email}>`
      : (name ?? email ?? env['GITHUB_ACTOR'] ?? env['USER'] ?? systemUser());
  return author.replaceAll(/\p{C}/gu, '').trim().slice(0, 200) || 'unknown';
}

async function gitSetting(name: string, root: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await askGit(root, ['config', '--get', name], { env, timeout_ms: 10_000 })) || undefined;
}

/** A user id without a name (a container) has none. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}
