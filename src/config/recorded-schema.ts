import { z } from 'zod';

import { nameSchema, pathSchema } from './formula-schema.ts';
import type { Path } from './mistake.ts';
import type { Recording } from './recording/read-recording.ts';

/** Contents of an input that lie in files. */
export interface RecordedSetting {
  readonly kind: 'recorded';
  /** By case; under `ALL_CASES` where one list serves all. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Its name in .safetensors files. */
  readonly tensor: string | undefined;
  /** Whether a few elements change places from call to call. Default: where the type is a floating one. */
  readonly vary: boolean | undefined;
  /** By path as it is written, once the files are read. */
  readonly found?: Readonly<Record<string, Recording>>;
}

const ALL_CASES = '';

const fileSchema = pathSchema.regex(/\.(npy|safetensors)$/, 'a path that ends in .npy or .safetensors');
const filesSchema = z.union([fileSchema, z.array(fileSchema).min(1)]);

export const recordedSchema = z
  .strictObject({
    file: z
      .union([filesSchema, z.record(nameSchema, filesSchema)])
      .describe('A .npy or .safetensors file, a list of them, or a mapping from case to either.'),
    tensor: z.string().min(1).optional().describe('Its name in a .safetensors file.'),
    vary: z
      .boolean()
      .optional()
      .describe('Whether a few elements change places from call to call; default: of floating types.'),
  })
  .transform(({ file, tensor, vary }, context): RecordedSetting => {
    const byCase = typeof file === 'string' || Array.isArray(file) ? { [ALL_CASES]: file } : file;
    const files = Object.fromEntries(Object.entries(byCase).map(([name, one]) => [name, [one].flat()]));
    const misfit = Object.values(files)
      .flat()
      .find((path) => path.endsWith('.safetensors') !== (tensor !== undefined));
    if (misfit !== undefined) {
      const message = misfit.endsWith('.npy')
        ? 'a .npy file holds one tensor, which has no name'
        : 'a .safetensors file holds several tensors: `tensor` says which';
      context.addIssue({ code: 'custom', path: [tensor === undefined ? 'file' : 'tensor'], message });
      return z.NEVER;
    }
    return { kind: 'recorded', files, tensor, vary };
  });

interface WrittenFile {
  readonly path: string;
  /** Below the fill. */
  readonly at: Path;
}

/** Every file that it names, and where. */
export function writtenFiles({ files }: RecordedSetting): WrittenFile[] {
  return Object.entries(files).flatMap(([name, paths]) =>
    paths.map((path, index) => ({
      path,
      at: ['file', ...(name === ALL_CASES ? [] : [name]), ...(paths.length === 1 ? [] : [index])],
    })),
  );
}

/** The files of a case; undefined where it has none. */
export function filesOf({ files }: RecordedSetting, name: string): readonly string[] | undefined {
  return files[ALL_CASES] ?? (Object.hasOwn(files, name) ? files[name] : undefined);
}

/** The same under other paths. */
export function placedRecording(setting: RecordedSetting, place: (path: string) => string): RecordedSetting {
  const files = Object.entries(setting.files).map(([name, paths]) => [name, paths.map(place)] as const);
  const found = Object.entries(setting.found ?? {}).map(([path, one]) => [place(path), one] as const);
  return { ...setting, files: Object.fromEntries(files), found: Object.fromEntries(found) };
}
