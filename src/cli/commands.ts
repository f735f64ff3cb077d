import type { Command } from 'commander';

/** What commands are for, in the order of `pawl --help`. The first is all that a newcomer needs. */
const GROUPS = [
  'Start here:',
  'Build and prove:',
  'Keep it from getting slower:',
  'Find out why, and what to do:',
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
    description: 'check that this machine can build and measure, and say how to mend what is missing',
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
    description: 'make a project of a kernel that was not written for Pawl, or measure it at once with --run',
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
    description:
      'is it faster or slower? Two files, commits, variants or kernels in, one verdict per case out',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  {
    name: 'race',
    group: 'Build and prove:',
    description:
      'all kernels of a problem side by side: speed-ups against a reference, and ranks where they are shown',
    load: async () => (await import('./race.ts')).raceCommand(),
  },
  {
    name: 'judge',
    group: 'Build and prove:',
    description:
      'candidates in, one judgement each out: right or wrong, how much faster, a reward that is safe to optimise',
    load: async () => (await import('./judge.ts')).judgeCommand(),
  },
  {
    name: 'queue',
    group: 'Build and prove:',
    description: 'candidates of many tenants, judged by workers on many devices: tenants, tokens, work',
    load: async () => (await import('./queue.ts')).queueCommand(),
  },
  {
    name: 'check',
    group: 'Start here:',
    description: 'the gate: build, prove right, measure against the best known, say what came of it',
    load: async () => (await import('./check.ts')).checkCommand(),
  },
  {
    name: 'profile',
    group: 'Start here:',
    description: 'run a case under a profiler, say what limits it, and what changed since another revision',
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
    group: 'Build and prove:',
    description: 'can work on a kernel begin? device, toolchain, build, smallest case, reference',
    load: async () => (await import('./preflight.ts')).preflightCommand(),
  },
  {
    name: 'build',
    group: 'Build and prove:',
    description: 'compile kernels and their oracles, from a cache that knows their contents',
    load: async () => (await import('./build.ts')).buildCommand(),
  },
  {
    name: 'fuzz',
    group: 'Build and prove:',
    description: 'run kernels against their oracles in many cases; make those that fail small and keep them',
    load: async () => (await import('./fuzz.ts')).fuzzCommand(),
  },
  {
    name: 'device',
    group: 'Build and prove:',
    description: 'what this machine computes with, and what it does at best as measured on it',
    load: async () => (await import('./device.ts')).deviceCommand(),
  },
  {
    name: 'ci',
    group: 'Keep it from getting slower:',
    description: 'the gate in continuous integration: pull requests, pushes',
    load: async () => (await import('./ci.ts')).ciCommand(),
  },
  {
    name: 'ratchet',
    group: 'Keep it from getting slower:',
    description: 'the baseline file: what is best known, how it came about, what is waived',
    load: async () => (await import('./ratchet.ts')).ratchetCommand(),
  },
  {
    name: 'thresholds',
    group: 'Keep it from getting slower:',
    description: 'how small a slowdown the gate can hold per case, from how much its processes differed',
    load: async () => (await import('./thresholds.ts')).thresholdsCommand(),
  },
  {
    name: 'claim',
    group: 'Keep it from getting slower:',
    description: 'hold what a pull request claims against what was measured',
    load: async () => (await import('./claim.ts')).claimCommand(),
  },
  {
    name: 'bisect',
    group: 'Keep it from getting slower:',
    description: 'which commit made a case slower? Measures its way from a fast commit and a slow one to it',
    load: async () => (await import('./bisect.ts')).bisectCommand(),
  },
  {
    name: 'diagnose',
    group: 'Find out why, and what to do:',
    description: 'what limits a kernel, and what to do about it: from a profile of Nsight Compute',
    load: async () => (await import('./diagnose.ts')).diagnoseCommand(),
  },
  {
    name: 'advise',
    group: 'Find out why, and what to do:',
    description: 'what to try next, ranked by what such fixes brought in recorded sessions',
    load: async () => (await import('./advise.ts')).adviseCommand(),
  },
  {
    name: 'session',
    group: 'Find out why, and what to do:',
    description: 'work on a kernel systematically: goal, gates, one change at a time, what it taught',
    load: async () => (await import('./session.ts')).sessionCommand(),
  },
  {
    name: 'lessons',
    group: 'Find out why, and what to do:',
    description: 'what is known to go wrong, and what mends it: list, match against a change, add, withdraw',
    load: async () => (await import('./lessons.ts')).lessonsCommand(),
  },
  {
    name: 'history',
    group: 'Look back:',
    description: 'every run, sample and verdict: find them, bring them together, keep them sound',
    load: async () => (await import('./history.ts')).historyCommand(),
  },
  {
    name: 'trend',
    group: 'Look back:',
    description: 'how the times of cases went over commits, and which commits changed them',
    load: async () => (await import('./trend.ts')).trendCommand(),
  },
  {
    name: 'alerts',
    group: 'Look back:',
    description:
      'tell a webhook, a chat room or a mail address of confirmed changes; what was sent, what waits',
    load: async () => (await import('./alerts.ts')).alertsCommand(),
  },
  {
    name: 'serve',
    group: 'Look back:',
    description: 'show the history in a browser, and answer for it over HTTP',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  {
    name: 'report',
    group: 'Look back:',
    description: 'the dashboard over a part of the history as one file, for a CI artifact or a mail',
    load: async () => (await import('./report.ts')).reportCommand(),
  },
  {
    name: 'cost',
    group: 'Look back:',
    description: 'what runs cost: time on the device, and money where prices are set',
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
      'samples, a comparison or a check in the format of another tool; a kernel as an operator of PyTorch',
    load: async () => (await import('./export.ts')).exportCommand(),
  },
  {
    name: 'mcp',
    group: 'Other tools and machines:',
    description: 'let an AI assistant use Pawl: a server of the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcpCommand(),
  },
  {
    name: 'wake-server',
    group: 'Other tools and machines:',
    description: 'wake a GPU host when a GitHub job is queued for it, and put it to sleep when it idles',
    load: async () => (await import('./wake-server.ts')).wakeServerCommand(),
  },
  {
    name: 'bundle',
    group: 'Other tools and machines:',
    description: 'pack Pawl with its own Node into one archive, for a host that has no Node',
    load: async () => (await import('./bundle.ts')).bundleCommand(),
  },
  {
    name: 'completion',
    group: 'Other tools and machines:',
    description: 'a script that completes commands and options in bash, zsh or fish',
    load: async (wholeProgram) => (await import('./completion.ts')).completionCommand(wholeProgram),
  },
  {
    name: 'man',
    group: 'Other tools and machines:',
    description: 'the manual page, for man to show',
    load: async (wholeProgram) => (await import('./man.ts')).manCommand(wholeProgram),
  },
  {
    name: 'engine',
    description: 'what jobs of a cluster run',
    load: async () => (await import('./engine.ts')).engineCommand(),
  },
];
