import type { Command } from 'commander';

/** What commands are for, in the order of `pawl --help`. The first is all that a newcomer needs. */
const GROUPS = [
  'Start here:',
  'Build and verify:',
  'Keep it from getting slower:',
  'Profile and explain:',
  'Look back:',
  'Other tools and machines:',
] as const;

type CommandGroup = (typeof GROUPS)[number];

export interface CommandEntry {
  readonly name: string;
  /** Absent: people have no use for the command, and no help shows it. */
  readonly group?: CommandGroup;
  readonly description: string;
  /**
   * The command with its options. Only the one that is asked for is loaded: help of all needs none of them. What
   * describes all of them is handed the program with every command loaded.
   */
  readonly load: (wholeProgram: () => Promise<Command>) => Promise<Command>;
}

/** Every command of Pawl, in the order in which help, completion and the manual page show them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'doctor',
    group: 'Start here:',
    description: 'check that this machine can build and measure, and say how to fix what is missing',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  {
    name: 'init',
    group: 'Start here:',
    description: 'write a pawl.yaml and a small tunable kernel to start from',
    load: async () => (await import('./init.ts')).initCommand(),
  },
  {
    name: 'adopt',
    group: 'Start here:',
    description: 'create a project from a kernel that was not written for Pawl; --run measures it at once',
    load: async () => (await import('./adopt.ts')).adoptCommand(),
  },
  {
    name: 'bench',
    group: 'Start here:',
    description: 'build, check and measure kernels; write their samples and a report',
    load: async () => (await import('./bench.ts')).benchCommand(),
  },
  {
    name: 'compare',
    group: 'Start here:',
    description: 'compare two files, commits, variants or kernels: one verdict per case',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  {
    name: 'race',
    group: 'Build and verify:',
    description: 'measure all kernels of a problem side by side: speed-ups against a reference, and ranks',
    load: async () => (await import('./race.ts')).raceCommand(),
  },
  {
    name: 'judge',
    group: 'Build and verify:',
    description: 'judge candidates: right or wrong, how much faster, and a reward that is safe to optimise',
    load: async () => (await import('./judge.ts')).judgeCommand(),
  },
  {
    name: 'queue',
    group: 'Build and verify:',
    description: 'queue the candidates of many tenants for workers on many devices',
    load: async () => (await import('./queue.ts')).queueCommand(),
  },
  {
    name: 'check',
    group: 'Start here:',
    description: 'the gate: build, check results, measure against the baseline, report a verdict',
    load: async () => (await import('./check.ts')).checkCommand(),
  },
  {
    name: 'profile',
    group: 'Start here:',
    description: 'profile a case: what limits it, and what changed since another revision',
    load: async () => (await import('./profile.ts')).profileCommand(),
  },
  {
    name: 'tune',
    group: 'Start here:',
    description: 'search the variants of a kernel for a faster one, and confirm it against the default',
    load: async () => (await import('./tune.ts')).tuneCommand(),
  },
  {
    name: 'preflight',
    group: 'Build and verify:',
    description: 'check that work on a kernel can begin: device, toolchain, build, smallest case, reference',
    load: async () => (await import('./preflight.ts')).preflightCommand(),
  },
  {
    name: 'build',
    group: 'Build and verify:',
    description: 'compile kernels and their oracles, with a content-addressed cache',
    load: async () => (await import('./build.ts')).buildCommand(),
  },
  {
    name: 'fuzz',
    group: 'Build and verify:',
    description: 'test kernels against their oracles on many cases; shrink and keep the failing ones',
    load: async () => (await import('./fuzz.ts')).fuzzCommand(),
  },
  {
    name: 'device',
    group: 'Build and verify:',
    description: 'show the devices of this machine and their measured peak rates',
    load: async () => (await import('./device.ts')).deviceCommand(),
  },
  {
    name: 'ci',
    group: 'Keep it from getting slower:',
    description: 'run the gate in continuous integration, on pull requests and pushes',
    load: async () => (await import('./ci.ts')).ciCommand(),
  },
  {
    name: 'ratchet',
    group: 'Keep it from getting slower:',
    description: 'show or change the baseline file: entries, log, waivers',
    load: async () => (await import('./ratchet.ts')).ratchetCommand(),
  },
  {
    name: 'thresholds',
    group: 'Keep it from getting slower:',
    description: 'compute the smallest slowdown that the gate can detect per case',
    load: async () => (await import('./thresholds.ts')).thresholdsCommand(),
  },
  {
    name: 'claim',
    group: 'Keep it from getting slower:',
    description: 'check what a pull request claims against what was measured',
    load: async () => (await import('./claim.ts')).claimCommand(),
  },
  {
    name: 'bisect',
    group: 'Keep it from getting slower:',
    description: 'find the commit that made a case slower, between a fast commit and a slow one',
    load: async () => (await import('./bisect.ts')).bisectCommand(),
  },
  {
    name: 'diagnose',
    group: 'Profile and explain:',
    description: 'explain what limits a kernel and what to do about it, from an Nsight Compute profile',
    load: async () => (await import('./diagnose.ts')).diagnoseCommand(),
  },
  {
    name: 'advise',
    group: 'Profile and explain:',
    description: 'suggest what to try next, ranked by what such fixes gained in recorded sessions',
    load: async () => (await import('./advise.ts')).adviseCommand(),
  },
  {
    name: 'session',
    group: 'Profile and explain:',
    description: 'work on a kernel systematically: goal, gates, one change at a time, lessons',
    load: async () => (await import('./session.ts')).sessionCommand(),
  },
  {
    name: 'lessons',
    group: 'Profile and explain:',
    description: 'known problems and their fixes: list, match against a change, add, withdraw',
    load: async () => (await import('./lessons.ts')).lessonsCommand(),
  },
  {
    name: 'history',
    group: 'Look back:',
    description: 'every run, sample and verdict: list, compare, import, push, prune, verify',
    load: async () => (await import('./history.ts')).historyCommand(),
  },
  {
    name: 'trend',
    group: 'Look back:',
    description: 'show how the times of cases changed over commits, and which commits changed them',
    load: async () => (await import('./trend.ts')).trendCommand(),
  },
  {
    name: 'alerts',
    group: 'Look back:',
    description: 'send confirmed changes to a webhook, a chat or a mail address; show what was sent',
    load: async () => (await import('./alerts.ts')).alertsCommand(),
  },
  {
    name: 'serve',
    group: 'Look back:',
    description: 'show the history in a browser, and serve it over HTTP',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  {
    name: 'report',
    group: 'Look back:',
    description: 'write the dashboard for part of the history into one file, for a CI artifact or a mail',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  {
    name: 'cost',
    group: 'Look back:',
    description: 'show what runs cost: device time, and money where prices are set',
    load: async () => (await import('./cost.ts')).costCommand(),
  },
  {
    name: 'import',
    group: 'Other tools and machines:',
    description:
      "read other tools' results: nvbench, Google Benchmark, pytest-benchmark, hyperfine, Criterion …",
    load: async () => (await import('./import.ts')).importCommand(),
  },
  {
    name: 'export',
    group: 'Other tools and machines:',
    description:
      'write samples, a comparison or a check in another format; or a kernel as a PyTorch operator',
    load: async () => (await import('./export.ts')).exportCommand(),
  },
  {
    name: 'mcp',
    group: 'Other tools and machines:',
    description: 'let an AI assistant use Pawl through the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcpCommand(),
  },
  {
    name: 'wake-server',
    group: 'Other tools and machines:',
    description: 'wake a GPU host when a GitHub job is queued for it, and put it to sleep when it is idle',
    load: async () => (await import('./wake-server.ts')).wakeServerCommand(),
  },
  {
    name: 'bundle',
    group: 'Other tools and machines:',
    description: 'pack Pawl and Node into one archive, for a host without Node',
    load: async () => (await import('./bundle.ts')).bundleCommand(),
  },
  {
    name: 'completion',
    group: 'Other tools and machines:',
    description: 'print a completion script for bash, zsh or fish',
    load: async (wholeProgram) => (await import('./completion.ts')).completionCommand(wholeProgram),
  },
  {
    name: 'man',
    group: 'Other tools and machines:',
    description: 'print the manual page',
    load: async (wholeProgram) => (await import('./man.ts')).manCommand(wholeProgram),
  },
  {
    name: 'engine',
    description: 'run by the jobs of a cluster',
    load: async () => (await import('./engine.ts')).engineCommand(),
  },
];
