import { dirname, extname, resolve } from 'node:path';

import { defined } from '../../../model/defined.ts';
import { makeFolder } from '../../../os/make-folder.ts';
import { writeDurably } from '../../../os/write-durably.ts';
import { PawlError } from '../../../model/pawl-error.ts';
import type { HotLines } from '../../../model/profile/hot-lines.ts';
import type { LaunchProfile } from '../../../model/profile/profile.ts';
import { profilePage, type ProfilePageOptions } from '../../../profile/page/profile-page.ts';
import type { Problem } from '../../../profile/facts/problem.ts';
import { renderProfileMarkdown } from '../../../report/markdown/profile-markdown.ts';
import { renderProfilePage } from '../../../report/html/profile-page.tsx';
import { renderProfilePicture } from '../../../report/svg/profile-picture.tsx';
import { pictureToPng } from './picture-to-png.ts';

const FORMATS = ['.html', '.md', '.svg', '.png'] as const;
type PageFormat = (typeof FORMATS)[number];

function pageFormat(out: string): PageFormat {
  const ending = extname(out).toLowerCase();
  const format = FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new PawlError(
    'usage',
    `${out} has no supported extension.`,
    'Use .html for the page, .md for a comment, .svg or .png for an image.',
  );
}

export interface PageSource {
  readonly launches: readonly {
    readonly launch: LaunchProfile;
    readonly before?: LaunchProfile;
    readonly lines?: HotLines;
  }[];
  readonly problems: readonly string[];
  /** What the profile does not say of itself: files, commits, the profiler. */
  readonly provenance: ProfilePageOptions['provenance'];
  readonly problem?: Problem;
}

interface WriteOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** Draws the launches into a file; a picture or a comment has room for one, which is the one that takes longest. */
export async function writeProfilePage(
  out: string,
  { launches, problems, provenance = [], problem = {} }: PageSource,
  options: WriteOptions,
): Promise<void> {
  const format = pageFormat(out);
  const pages = launches.map(({ launch, before, lines }, index) =>
    profilePage({
      launch,
      ...defined({ before, lines }),
      provenance,
      problem,
      problems: index === 0 ? problems : [],
    }),
  );
  const duration = (page: (typeof pages)[number]): number => page.after.diagnosis.duration_us ?? 0;
  const [longest] = pages.toSorted((one, other) => duration(other) - duration(one));
  if (longest === undefined) throw new Error('a profile without launches cannot be drawn');
  const path = resolve(out);
  await makeFolder(dirname(path));
  if (format === '.png') await pictureToPng(renderProfilePicture(longest), path, options);
  else if (format === '.svg') await writeDurably(path, renderProfilePicture(longest));
  else await writeDurably(path, format === '.md' ? renderProfileMarkdown(longest) : renderProfilePage(pages));
}
