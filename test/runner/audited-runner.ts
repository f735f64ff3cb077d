import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { builtRunner, compilePlain } from './native-build.ts';
import { RawRunner } from './raw-runner.ts';

const ELEMENTS = 1001;

const tensor = (name: string, role: string): object => ({
  name,
  role,
  dtype: 'f32',
  shape: [ELEMENTS],
  fill: { kind: 'normal' },
});

/** y = 2·x: the problem of test/fixtures/kernels and test/fixtures/audit. */
export const PREPARE = {
  case: 'small',
  dims: [{ name: 'N', value: ELEMENTS }],
  tensors: [tensor('x', 'input'), tensor('y', 'output')],
  variant: {},
  seed: '18446744073709551615',
};

/** The runner as Pawl builds it, with fixture kernels to load into it. */
export class AuditedRunner {
  readonly folder: string;
  readonly #built = new Map<string, Promise<string>>();
  readonly #started: RawRunner[] = [];

  readonly #executable: string;

  private constructor(folder: string, executable: string) {
    this.folder = folder;
    this.#executable = executable;
  }

  static async build(): Promise<AuditedRunner> {
    const folder = await mkdtemp(join(tmpdir(), 'pawl-audit-'));
    return new AuditedRunner(folder, await builtRunner());
  }

  /** Builds a source file into a shared library, once. */
  library(source: string, flags: readonly string[] = []): Promise<string> {
    const name = [source, ...flags].join(' ').replaceAll(/[^\w.]+/gu, '-');
    const path = join(this.folder, `${name}.so`);
    const common = ['-O1', '-shared', '-fPIC', '-fvisibility=hidden', '-pthread'];
    const building = this.#built.get(name) ?? compilePlain([...common, source, ...flags, '-ldl'], path);
    this.#built.set(name, building);
    return building;
  }

  /** A fixture by its name, of the audit's or the older ones. */
  kernel(name: string, flags: readonly string[] = []): Promise<string> {
    return this.library(`test/fixtures/${name.includes('/') ? name : `audit/${name}`}.cpp`, flags);
  }

  start(): RawRunner {
    const runner = new RawRunner(this.#executable);
    this.#started.push(runner);
    return runner;
  }

  async prepared(library: string, prepare: object = PREPARE, threads = 1): Promise<RawRunner> {
    const runner = this.start();
    const opened = await runner.open(library, { threads });
    if (!opened.ok) throw new Error(opened.error.message);
    await runner.result('prepare', { ...prepare });
    return runner;
  }

  /** What decides whether y = 2·x is right. */
  async rules() {
    return { oracle: { library: await this.kernel('kernels/oracle') }, atol: 1e-5, rtol: 0 };
  }

  async audited(library: string) {
    const runner = await this.prepared(library);
    return runner.result('check', { ...(await this.rules()), seed: '7', audit: true });
  }

  stop(): void {
    for (const runner of this.#started.splice(0)) runner.kill();
  }

  async remove(): Promise<void> {
    this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
