import { InvalidArgumentError, Option, type Command } from 'commander';

import { defined } from '../model/defined.ts';
import { list, variant } from './options.ts';

/** What a person says of a file that was not written for Pawl. */
export interface ToldFlags {
  readonly function?: string;
  readonly class?: string;
  readonly init?: string;
  readonly shape?: Record<string, string>;
  readonly inout?: string[];
  readonly size?: Record<string, number>;
  readonly scalar?: Record<string, number>;
  readonly input?: string[];
  readonly workspace?: Record<string, string>;
  readonly setup?: string;
  readonly tunable?: Record<string, [number, ...number[]]>;
  readonly flags?: string;
  readonly oracle?: string;
  readonly grid?: string;
  readonly block?: string;
  readonly shared?: string;
  readonly workload?: string;
  readonly device: 'cpu' | 'cuda' | 'auto';
}

export function withTold(command: Command): Command {
  return command
    .option('--function <name>', 'the function or class to adopt; needed if there are several')
    .option(
      '--class <name>',
      'the nn.Module to adopt; needed if the file has more than one class or function',
    )
    .option('--init <json>', 'constructor arguments of an nn.Module: a mapping or a list in JSON')
    .option('--shape <tensor=extents>', 'the shape of a tensor, as in x=rows,cols; repeatable', shape)
    .option('--inout <tensor>', 'a tensor that is read and written; repeatable', list)
    .option(
      '--input <tensor>',
      'a tensor that is only read, although its pointer is not const; repeatable',
      list,
    )
    .option(
      '--workspace <pointer=elements>',
      'CUDA: scratch memory of the function, as in scratch=64*C; not compared; repeatable',
      shape,
    )
    .option('--setup <function>', 'CUDA: a function of the file to call once, before the first call')
    .option('--size <dim=n>', 'sizes of the first case, as in rows=64,cols=1024; repeatable', sizes)
    .option('--scalar <name=value>', 'floating parameters, as in eps=1e-5; repeatable', numbers)
    .option(
      '--tunable <name=values>',
      'an integer parameter that pawl tune may set, as in block_size=256,128,512: the first is the default; repeatable',
      tunables,
    )
    .option('--flags <flags>', 'compiler flags, as in --flags="-O3 -march=native"')
    .option('--oracle <file.py:function>', 'a Python function that computes the right result')
    .option(
      '--grid <formula>',
      'grid of a __global__ function, as in "ceildiv(n, 256)"; up to three, separated by commas',
    )
    .option('--block <formula>', 'block of a __global__ function, in threads, as in 256 or "32, 8"')
    .option('--shared <formula>', 'dynamic shared memory of a __global__ function, in bytes (default 0)')
    .option('--workload <file.jsonl>', 'FlashInfer-Bench workloads of a definition, which become its cases')
    .addOption(
      new Option('--device <device>', 'the device of a Python kernel')
        .choices(['cpu', 'cuda', 'auto'])
        .default('auto'),
    );
}

export function toldOptions(told: ToldFlags) {
  const { function: name, shape: shapes, size, inout, oracle, workload, device } = told;
  const { grid, block, shared, scalar: scalars, tunable, input, workspace, setup } = told;
  return defined({
    function: name,
    class: told.class,
    init: told.init,
    shapes,
    sizes: size,
    inout,
    oracle,
    workload,
    device,
    grid,
    block,
    shared,
    scalars,
    tunables: tunable,
    inputs: input,
    workspaces: workspace,
    setup,
    flags: words(told.flags),
  });
}

function words(text: string | undefined): string[] | undefined {
  return text?.split(/\s+/u).filter((word) => word !== '');
}

function shape(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const equals = text.indexOf('=');
  const [name, extents] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
  if (equals < 1 || extents === '')
    throw new InvalidArgumentError('Expected TENSOR=EXTENTS, as in x=rows,cols.');
  return { ...before, [name]: extents };
}

function tunables(
  text: string,
  before: Record<string, [number, ...number[]]> | undefined,
): Record<string, [number, ...number[]]> {
  const [name = '', listed = '', ...rest] = text.split('=').map((part) => part.trim());
  const [first, ...others] = listed
    .split(',')
    .map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  const values: [number, ...number[]] = [first!, ...others];
  if (name === '' || rest.length > 0 || !values.every(Number.isSafeInteger)) {
    throw new InvalidArgumentError('Expected NAME=VALUE,VALUE…, as in block_size=256,128,512.');
  }
  return { ...before, [name]: values };
}

function numbers(text: string, before: Record<string, number> | undefined): Record<string, number> {
  const read = variant(text, before);
  for (const [name, value] of Object.entries(read)) {
    if (typeof value !== 'number') throw new InvalidArgumentError(`${name} is not a number.`);
  }
  return read as Record<string, number>;
}

function sizes(text: string, before: Record<string, number> | undefined): Record<string, number> {
  const read = variant(text, before);
  for (const [name, value] of Object.entries(read)) {
    if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`${name} is not a whole number.`);
  }
  return read as Record<string, number>;
}
