import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { toolCallSchema } from '../tool-call.ts';

export const initTool = tool({
  name: 'pawl_init',
  title: 'Begin a project',
  description:
    'Writes pawl.yaml and an example kernel with its oracle into the folder of the server, and makes a git repository, which sessions need. Overwrites nothing. Replace the example with your kernel: pawl://config/reference explains pawl.yaml. Returns the files written, the files kept, and next.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({
    template: z
      .enum(['cpu', 'cuda', 'python', 'pytorch', 'triton'])
      .optional()
      .describe('cpu: C++; python: NumPy (default: by the device).'),
    device: z.enum(['cpu', 'cuda', 'auto']).default('auto'),
    git: z.boolean().default(true).describe('Also `git init` if there is no repository.'),
  }),
  output: z.object({
    device: z.enum(['cpu', 'cuda']),
    template: z.string(),
    written: z.array(z.string()),
    kept: z.array(z.string()),
    repository: z.enum(['made', 'there', 'none']),
    next: toolCallSchema,
  }),
  async run({ template, device, git }, { project }) {
    const { beginProject } = await import('../../workflows/init.ts');
    const value = await beginProject({
      directory: project.root,
      device,
      force: false,
      git,
      ...defined({ template }),
    });
    const named = (paths: readonly string[]) => paths.map((path) => fromRoot(project.root, path));
    return {
      summary: `${value.written.length} files were written, ${value.kept.length} already existed.`,
      value: {
        ...value,
        written: named(value.written),
        kept: named(value.kept),
        next: { tool: 'pawl_doctor', arguments: {} },
      },
    };
  },
});
