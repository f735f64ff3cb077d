import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { list } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface InitFlags {
  readonly template?: 'cpu' | 'cuda' | 'python' | 'pytorch' | 'triton';
  readonly device: 'cpu' | 'cuda' | 'auto';
  readonly force?: boolean;
  readonly json?: boolean;
  readonly github?: boolean;
  readonly runner?: string[];
  readonly action?: string;
  readonly defaultBranch?: string;
  readonly dryRun?: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .argument('[folder]', 'where', '.')
    .addOption(
      new Option('--device <device>', 'what the example kernel runs on')
        .choices(['cpu', 'cuda', 'auto'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--template <template>',
        'what the example is written in: C++ (cpu), CUDA, NumPy (python), PyTorch or Triton (default: by the device)',
      ).choices(['cpu', 'cuda', 'python', 'pytorch', 'triton']),
    )
    .option('--force', 'overwrite existing files')
    .option('--github', 'write GitHub workflows for the existing project, instead of an example')
    .option('--runner <labels>', 'with --github: the runner that measures, as in self-hosted,linux,gpu', list)
    .option(
      '--action <ref>',
      "with --github: Pawl's action, OWNER/REPOSITORY@REF (default: where Pawl is from)",
    )
    .option('--default-branch <name>', 'with --github: where the baseline lives (default: as origin says)')
    .option('--dry-run', 'with --github: print what would be written, and write nothing')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Existing files are not overwritten without --force.

Examples:
  pawl init                     here
  pawl init kernels/mine --device cuda
  pawl init try-numpy --template python
  pawl init try-pytorch --template pytorch --device cpu
  pawl init try-triton --template triton
  pawl init --github --runner self-hosted,linux,h200 --action owner/pawl@v1
${EXIT_CODE_HELP}`,
    )
    .action((folder: string, flags: InitFlags) =>
      runAction(flags, async (door) => {
        if (flags.github === true) return writeWorkflows(folder, flags, door);
        const { initProject } = await import('../workflows/init.ts');
        const result = await initProject({
          directory: folder,
          device: flags.device,
          force: flags.force === true,
          ...defined({ template: flags.template }),
        });
        if (flags.json === true) door.print(JSON.stringify(result));
        else {
          for (const path of result.written) door.print(`wrote  ${path}`);
          for (const path of result.kept) door.print(`kept   ${path}  (--force overwrites it)`);
          const there = folder === '.' ? '' : `cd ${folder} && `;
          door.print(`\nNext: ${there}pawl bench`);
          door.print(
            'Then: git init (if there is no repository), commit, and pawl check --update for a first baseline',
          );
        }
        return EXIT.good;
      }),
    );
}

async function writeWorkflows(folder: string, flags: InitFlags, door: Door): Promise<number> {
  const { initGitHub } = await import('../workflows/init-github.ts');
  const { files, ...result } = await initGitHub({
    directory: folder,
    force: flags.force === true,
    dryRun: flags.dryRun === true,
    ...defined({ runner: flags.runner, action: flags.action, defaultBranch: flags.defaultBranch }),
  });
  if (flags.json === true) {
    door.print(JSON.stringify(flags.dryRun === true ? { ...result, files } : result));
    return EXIT.good;
  }
  for (const path of result.written) {
    door.print(`${flags.dryRun === true ? 'would write' : 'wrote'}  ${path}`);
    if (flags.dryRun === true) door.print(files.find((file) => file.path === path)?.text ?? '');
  }
  for (const path of result.kept) door.print(`kept   ${path}  (--force overwrites it)`);
  door.print(
    `\nRunner: ${result.settings.runner.join(', ')}. Next: the one-time setup in docs/ci-workflows.md.`,
  );
  return EXIT.good;
}
