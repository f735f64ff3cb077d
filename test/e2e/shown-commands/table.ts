import type { ProjectName } from './projects.ts';

/** A shown command that is run, and how it may end. */
export interface Step {
  readonly shown: string;
  readonly ends: readonly number[];
  /** What a person does before it, in the words of a shell. */
  readonly before?: string;
}

/** Commands that follow one another in one folder. */
export interface Scenario {
  readonly name: string;
  readonly project: ProjectName;
  readonly steps: readonly (string | Step)[];
}

/** A command alone ends with 0. */
export function stepOf(step: string | Step): Step {
  return typeof step === 'string' ? { shown: step, ends: [0] } : step;
}

/** A verdict, which a busy machine may leave undecided. */
const measured = (shown: string): Step => ({ shown, ends: [0, 2] });
/** Something that may be bad, and is where it says so: slower, not proven, a gate that stops. */
const judged = (shown: string): Step => ({ shown, ends: [0, 1, 2] });
const after = (before: string, step: string | Step): Step => ({ ...stepOf(step), before });

/** Commands that are run, with 0 as their end unless their help or page promises something else. */
export const FIRST_HOUR: readonly Scenario[] = [
  {
    name: 'before there is a project',
    project: 'home',
    steps: [
      'mkdir ~/try && cd ~/try && pawl init',
      'eval "$(pawl completion bash)"',
      'mkdir -p ~/.local/share/man/man1 && pawl man > ~/.local/share/man/man1/pawl.1',
    ],
  },
  {
    name: 'a first project',
    project: 'try',
    steps: [
      after(
        // One case, and little of it.
        "sed -i '/wide:/d; /ragged:/d; s/^measure:.*/measure: { mode: hot, processes: 2, samples: 5, warmup: 1, stopping: fixed }/' pawl.yaml",
        'pawl bench',
      ),
      'pawl init',
      'git init && git add -A && git commit -m first',
      'pawl check --update',
      measured('pawl check'),
      'pawl init --github --runner self-hosted,gpu --action owner/pawl@v1',
      'git add .github && git commit -m "Measure every pull request"',
      'git add pawl-baseline.json && git commit -m "A first baseline"',
      after('rm -r .github', 'pawl init --github --runner self-hosted,linux,h200 --action owner/pawl@v1'),
      'pawl init kernels/mine --device cuda',
      'pawl init try-numpy --template python',
      'pawl init try-pytorch --template pytorch --device cpu',
      'pawl init try-triton --template triton',
      'pawl doctor',
      'pawl doctor --fix',
    ],
  },
  {
    name: 'a kernel and its history',
    project: 'cpu',
    steps: [
      'pawl build',
      'pawl build --only attention-cpu --variant BLOCK_M=64 --json',
      'pawl bench attention-cpu --case small_128',
      'pawl bench --mode cold,hot --processes 10',
      'pawl bench --variant BLOCK_M=64,THREADS=2',
      'pawl bench --verified',
      'pawl bench --check-only',
      'pawl bench --json --out results/now.json',
      'pawl bench --json --out samples.json',
      after(
        'ln -s . my-kernels',
        'cd my-kernels && PAWL_COMMIT=<commit> ~/pawl/bin/pawl bench --out result.json',
      ),
      after(
        'cp samples.json before.json; cp samples.json after.json',
        judged('pawl compare before.json after.json'),
      ),
      measured('pawl compare --base main'),
      judged('pawl compare --base v1.2 --head v1.3 --only attention-cpu'),
      judged('pawl compare --kernel attention-cpu --a VECTOR=8 --b VECTOR=16'),
      judged(
        'pawl compare before.json after.json --json > c.json; pawl claim pr.md --comparison c.json --candidate after.json',
      ),
      'pawl export samples.json --to csv',
      after(
        // A first baseline without measuring again.
        'pawl ratchet advance samples.json && git add -A && git commit -qm baseline',
        'pawl check --out report --json',
      ),
      'pawl check --json > check.json; pawl export check.json --to junit -o junit.xml',
      'pawl export --torch attention-cpu',
      measured('pawl ci --event none --base origin/main'),
      measured('pawl ci --event none --base "$CI_MERGE_REQUEST_DIFF_BASE_SHA"'),
      measured('PAWL_STORE=postgres://pawl@db.example/perf pawl check'),
      'pawl cost',
      'pawl cost --by pr --since 30d',
      'pawl cost --by month --json',
      'pawl trend',
      'pawl alerts',
      'pawl alerts list --json',
      'pawl alerts test team-room --dry-run',
      // Nobody has set the address.
      { shown: 'pawl alerts test team-room', ends: [78] },
      'pawl alerts send --dry-run',
      'pawl alerts send',
      'pawl alerts send --json',
      'pawl alerts send --retry-failed',
      'pawl trend attention-cpu/small_128',
      'pawl thresholds',
      'pawl thresholds attention-cpu --since 30d',
      'pawl thresholds --from samples.json',
      'pawl history import .pawl/runs',
      'pawl history export --out history.jsonl',
      'PAWL_STORE=postgres://… pawl history push',
      'PAWL_STORE=postgres://db/pawl pawl history push',
      'pawl history show 582d958f',
      judged('pawl history compare v1.2 v1.3'),
      judged('pawl history compare v1.2 v1.3 --csv changes.csv'),
      'pawl history note HEAD "Wider tiles: slower on small shapes, accepted" --link https://github.com/owner/name/issues/12',
      'pawl history note HEAD "A first look" --kernel attention-cpu --case small_128',
      'pawl history notes',
      'pawl history notes --kernel attention-cpu --json',
      'pawl history verify',
      'pawl history prune --dry-run',
      'pawl report --html report.html',
      'pawl report --html run.html --run 3f9c2a71',
      'pawl report --html week.html --since 7d',
      'pawl report --html year.html --since 365d',
      'pawl report --html year.html --since 365d --store postgres://…',
      'pawl device',
      measured('pawl bisect small_128 v1.2 main'),
    ],
  },
  {
    name: "a kernel of one's own",
    project: 'adopt',
    steps: [
      measured('pawl adopt softmax.cpp --shape x=rows,cols --shape y=rows,cols --run'),
      'pawl adopt softmax.cpp --shape x=rows,cols --shape y=rows,cols',
      'pawl adopt scale.cu --shape x=rows,cols --shape y=rows,cols --out adopted',
      'pawl adopt scale.cu --function scale --grid "ceildiv(cols, 256), rows" --block 256 --shape x=rows,cols --shape y=rows,cols --dry-run',
      'pawl adopt sums.cu --function sums --tunable variant=2,1 --tunable block_size=256,128,512 --workspace parts=132*cols --input x --setup setup --shape out=cols --shape x=rows,cols --dry-run',
      measured('pawl adopt rows.py --shape x=rows,cols --run'),
      'pawl adopt definition.json --out adopted-definition',
      'pawl adopt scaled.py --shape x=n --shape out=n --out scaled',
    ],
  },
  {
    name: 'files of other programs',
    project: 'many',
    steps: [
      'pawl diagnose rep.csv',
      'pawl diagnose export.csv',
      'pawl diagnose rep.csv --source rep.source.csv',
      'pawl diagnose --compare before.csv after.csv',
      'pawl diagnose --compare before.csv after.csv --out change.html',
      'pawl advise attention --profile rep.csv -v',
      'pawl advise attention-cuda --profile rep.csv --verbose',
      'pawl import result.json -o samples.json',
      'pawl import run1.json run2.json run3.json run4.json --commit v1.2 -o before.json',
      'pawl import target/criterion -o samples.json',
      "pawl import bench.json --case-from '(?<kernel>[^/]+)/(?<case>.*)' -o samples.json",
      'pawl wake-server --check wake.yaml',
      'pawl tune --simulate SPACE.json --sampler tpe --trials 220',
    ],
  },
  {
    name: 'what was learnt',
    project: 'many',
    steps: [
      'pawl lessons --kind attention --device "NVIDIA H200"',
      'pawl lessons list --kind attention',
      'pawl lessons show tile-by-guess',
      'pawl lessons show hopper-fewer-stages',
      'pawl lessons search bank conflicts',
      after(
        'echo >> src/attention-cuda.cpp',
        'git diff | pawl lessons match --diff - --kernel attention-cuda',
      ),
      'pawl lessons match --error build.log',
      'pawl lessons match --finding special-function-bound',
      'pawl lessons add --file theirs.yaml',
      'pawl lessons add --file learnt.yaml',
      'pawl lessons withdraw hopper-fewer-stages --reason "holds with two warpgroups only"',
    ],
  },
];

export const LATER: readonly Scenario[] = [
  {
    name: 'a search for a faster variant',
    project: 'cpu',
    steps: [
      'pawl tune attention-cpu --case small_128 --budget 10m',
      'pawl tune attention-cpu --case small_128 --resume',
      'pawl tune show',
      'pawl tune apply',
    ],
  },
  {
    name: 'a search in several shapes',
    project: 'shapes',
    steps: [
      'pawl tune attention-cuda --case training_512 --budget 10m',
      'pawl tune attention-cuda --case training_512 --trials 120 --jobs 15',
      'pawl tune attention-cuda --case short_128 --case long_2048',
    ],
  },
  {
    name: 'looking for wrong results',
    project: 'cpu',
    steps: [
      'pawl fuzz',
      'pawl fuzz --only attention-cpu --time 60',
      'pawl fuzz --matrix',
      'pawl fuzz --seed 7 --cases 2000 --json',
      'pawl fuzz --oracle-only',
    ],
  },
  {
    name: 'looking for wrong results of one kernel',
    project: 'many',
    steps: [
      'pawl fuzz --only k --time 60 --sanitize',
      "pawl fuzz --only k --replay 'N=17 values=x:huge seed=1'",
      'pawl build --only attention-cuda --dry-run',
    ],
  },
  {
    name: 'before the work begins',
    project: 'many',
    steps: [
      judged('pawl preflight attention-hopper --case training_512 --reference sdpa-cudnn'),
      judged('pawl preflight my-kernel --reference HEAD~3 --json'),
    ],
  },
  {
    name: 'before the work begins, on a CPU',
    project: 'reference',
    steps: [
      judged('pawl preflight attention-cpu'),
      judged('pawl preflight attention-cpu --reference attention-numpy'),
      judged('pawl compare --kernels attention-cpu,attention-numpy'),
      measured('pawl race'),
      measured('pawl race attention-cpu attention-numpy --case tiny_64'),
      measured('pawl race --problem attention --reference attention-numpy --out race'),
      after(
        'cp src/attention-cpu.cpp mine.cpp',
        judged('pawl judge --problem attention --candidate mine.cpp'),
      ),
      judged('pawl judge --problem attention --candidate mine.cpp --json'),
      after(
        `echo '{"id": "a", "candidate": "mine.cpp"}' > candidates.jsonl`,
        'pawl judge --problem attention --batch candidates.jsonl --out judgements.jsonl --json',
      ),
      'pawl queue tenant blue',
      'pawl queue token blue --role submit,read > blue.token',
      'pawl queue tenant blue --weight 2 --per-day 5000',
      'pawl queue token blue --role submit,read',
      'pawl queue work --problem attention --idle 10m',
      'pawl queue submit --tenant blue --problem attention --candidate mine.cpp --author Ada',
      'pawl queue status',
      // Nobody has those.
      { shown: 'pawl queue show 5b1e7c1e --json', ends: [64] },
      { shown: 'pawl queue cancel 5b1e7c1e', ends: [64] },
      'pawl queue leaderboard attention',
      'pawl queue prune --older-than 90d --keep-verdicts --dry-run',
      'pawl queue prune --older-than 90d --keep-verdicts',
      'pawl queue prune --keep 10000 --older-than 365d',
      { shown: 'pawl queue revoke 0123456789ab', ends: [64] },
      'pawl bench attention-numpy --case tiny_64 --out reference.json',
      'pawl bench attention-cpu --case tiny_64 --out mine.json',
      judged('pawl compare reference.json mine.json'),
    ],
  },
  {
    name: 'a session',
    project: 'session',
    steps: [
      'pawl session start --goal "1.2x on training_512" --kernel attention-cuda',
      'pawl session status',
      'pawl session end',
      'pawl session start --goal "1.2x on training_512" --kernel attention-cuda --reference sdpa-cudnn',
      judged('pawl session check'),
      'pawl session override GATE --reason "the library is not allowed on our devices"',
      after('pawl session check; true', 'pawl session override profiled --reason "no counters on this host"'),
      'pawl session note two stages are enough on this device',
      after(
        "sed -i 's/20000/5000/' src/attention-cuda.cpp",
        judged(
          'pawl session try --hypothesis "shared memory conflicts" --finding bank-conflicts --predict 20%',
        ),
      ),
      after(
        "sed -i 's/5000/50000/' src/attention-cuda.cpp",
        judged('pawl session try --hypothesis "padding removes the bank conflicts" --finding bank-conflicts'),
      ),
      'pawl session revert',
      judged('pawl session end --summary "padding removed the conflicts"'),
      'pawl session list',
      'pawl session show 20260701-1',
      'pawl session export ID session.json',
      after('rm session.json', 'pawl session export 20260701-1 session.json'),
      'pawl session annotate session.json --by "Dr. Ada"',
    ],
  },
  {
    name: 'a baseline',
    project: 'many',
    steps: [
      after(
        'pawl bench --only attention-cuda --case training_512 --out samples.json',
        'pawl ratchet advance samples.json',
      ),
      'pawl ratchet show',
      'pawl ratchet verify',
      'pawl ratchet waive attention-cuda/training_512 --slower 4 --reason "wider tensors, #30" --expires 2027-01-31',
      'pawl ratchet log attention-cuda/training_512',
      'pawl ratchet unwaive 12 --reason "fixed in #31"',
      'pawl ratchet sign',
      'pawl ratchet reset "attention-cuda/*" --reason "the problem computes more now"',
      'pawl history --case training_512 --verdict regressed',
      'pawl history list --kernel attention-cuda --since 30d',
    ],
  },
  {
    name: 'the commit that did it',
    project: 'hopper',
    steps: [
      measured('pawl bisect training_512 v1.2 main'),
      measured('pawl bisect attention-hopper/training_512 v1.2 main'),
      measured('pawl bisect attention-hopper/training_512 HEAD~40 HEAD --budget 30m'),
      'pawl trend attention-hopper/training_512 --since 90d',
      'pawl trend attention-hopper --out trend.html',
    ],
  },
];

export const SCENARIOS = [...FIRST_HOUR, ...LATER];

/** Servers that are started, asked for a page, and stopped. */
export interface Server {
  readonly shown: string;
  readonly page: string;
  readonly status: number;
}
const healthy = (shown: string): Server => ({ shown, page: '/healthz', status: 200 });

export const SERVERS: readonly Server[] = [
  healthy('pawl serve --open'),
  healthy('pawl serve --port 0 --json'),
  healthy('pawl serve --judge'),
  healthy('pawl serve --alerts'),
  healthy(
    'PAWL_STORE=postgres://db/pawl pawl serve --host 0.0.0.0 --read-token-file read.token --write-token-file write.token',
  ),
  healthy('pawl serve --read-token-file read.token --origin https://pawl.example.org'),
  healthy('pawl serve --json --config /srv/kernels/pawl.yaml --read-token-file /etc/pawl/read.token'),
  // Without the token.
  { shown: 'pawl mcp --http --token-file token', page: '/mcp', status: 401 },
  healthy('pawl wake-server --config wake.yaml --dry-run'),
  healthy('pawl wake-server --config wake.yaml --json'),
  healthy('pawl wake-server --config /etc/pawl/wake.yaml --json'),
  healthy('/usr/local/bin/pawl wake-server --config /etc/pawl/wake.yaml --json'),
];

/** Servers on standard input and output, which an assistant starts. */
export const ASSISTANTS: readonly string[] = [
  'pawl mcp',
  'claude mcp add pawl -- pawl mcp',
  'pawl mcp -C /path/to/project',
  'pawl mcp -C ${workspaceFolder}',
  'pawl mcp --allow-destructive',
];

/** Commands that are not run here, by what they need. docs/testing.md lists those of the first. */
export const NOT_RUN = {
  'an NVIDIA GPU': [
    'pawl advise attention --measure',
    'pawl advise attention',
    'pawl advise attention --json',
    'pawl advise attention-cuda --measure',
    'pawl bench --only attention-cuda,sdpa-cudnn --case training_512 --mode cold,hot,graph',
    'pawl doctor --require gpu',
    'pawl doctor --require gpu --json',
    'pawl export --torch attention-hopper,attention-hopper-128 --name attention',
    'pawl profile attention-cuda --case training_512',
    'pawl profile attention-cuda --case training_512 --base main',
    'pawl profile attention-cuda --base main',
    'pawl profile attention-cuda --set fast --json',
  ],
  'PyTorch (test/workflows/adopt.test.ts)': [
    'pawl adopt scaled_linear.py --candidate scaled_linear_new.py',
    'pawl adopt scaled_linear.py --candidate scaled_linear_new.py --run',
    `pawl adopt block.py --init '{"width": 256}' --shape x=rows,256 --run`,
    `pawl adopt block.py --class Block --init '[256, 1024]' --shape x=rows,256 --size rows=4096`,
    'pawl judge --problem scaled_linear.py --candidate scaled_linear_new.py --json',
    'pawl adopt rowscale --candidate faster.py',
    'pawl adopt rowscale/task.yml --candidate faster.py --run',
    'pawl adopt definition.json --workload workload.jsonl --candidate solution.json --run',
  ],
  'a Slurm cluster (test/e2e/slurm.test.ts has a small one)': [
    'pawl bench --engine slurm --base main',
    'pawl bench --engine slurm --partition gpu',
    'pawl compare --base main --engine slurm',
    'pawl compare --engine slurm --partition gpu --base main',
    'pawl engine task .pawl/engine/2026-07-01 0',
    "sbatch --array=1-8 --gres=gpu:1 --signal=TERM@60 --requeue --wrap 'pawl queue work --problem attention --idle 10m'",
    'pawl tune attention-cuda --case short_128 --engine slurm --pilots 8',
    'pawl tune attention-cuda --case short_128 --engine slurm --pilots 8 --partition gpu --gres gpu:h200:1',
    'pawl tune attention-cuda --case short_128 --engine slurm --store postgresql://db/pawl',
  ],
  'another machine': [
    'PAWL_QUEUE=postgres://db/pawl pawl queue work --problem attention --gpu 1',
    'pawl queue work --problem attention --server https://pawl.example.org --token-file work.token',
    'ssh $node "cd /shared/project && PAWL_STORE=$PAWL_STORE pawl tune worker --study $ID" &',
    "ssh node7 'cd /shared/project && pawl tune worker --study ID --store postgresql://db/pawl'",
  ],
  'GitHub (test/ci plays its part)': [
    'pawl ci',
    'pawl ci --propose --no-comment',
    'pawl ci --update',
    'pawl ci baseline --from proposal',
    'pawl ci draft-pr pawl.yaml --base main --branch pawl/tuned --title "Tuned: softmax-cpu"',
    'pawl ci post',
    'pawl ci publish',
    'pawl ci publish --workflow .github/workflows/gpu.yml --threshold 3 --undecided fail',
    'pawl ci restore',
  ],
  'another shell or pager (test/cli/completion.test.ts)': [
    'eval "$(pawl completion zsh)"',
    'pawl completion fish | source',
    'pawl man | man -l -',
  ],
  'names that only the reader has': [
    'git clone <this repository> pawl && cd pawl',
    'npm install --global git+ssh://git@HOST/OWNER/pawl.git',
    'npm install --global pawl',
    'pawl bench --only {kernel}',
  ],
  'minutes (make demo and make test are what CI runs; test/e2e/package.test.ts, test/e2e/bundle.test.ts)': [
    'make build && export PATH="$PWD/bin:$PATH"',
    'make build',
    'make demo',
    'make test',
    'npm pack && npm install --global ./pawl-0.1.0.tgz',
    'npm run mutate',
    'npm run mutate -- --rooms judge --sample 0.1',
    'npm run mutate -- --slow-ms 600',
    'npm run mutate -- test/judge/decide.test.ts',
    'pawl bundle --out pawl.tar.xz',
    'pawl bundle --platform linux-x64',
    'pawl bundle --platform linux-x64 --node node-v24/bin/node',
    'pawl device --calibrate --wait 10m',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What stands in a shown command for something that only its reader has, and what is put there, in the words of a
 * shell. Everything else is run as it is shown.
 */
export const INSTEAD: readonly (readonly [shown: string, own: string])[] = [
  ['3f9c2a71', '$(pawl history --json | node -pe "JSON.parse(fs.readFileSync(0)).items[0].id")'],
  ['582d958f', '$(pawl history --json | node -pe "JSON.parse(fs.readFileSync(0)).items[0].id")'],
  ['20260701-1', '$(ls .pawl/sessions | tail -1)'],
  ['export ID', 'export $(ls .pawl/sessions | tail -1)'],
  ['<commit>', '$(git rev-parse HEAD)'],
  ['GATE', 'room'],
  ['unwaive 12', 'unwaive 2'],
  ['2027-01-31', '$(date --date "30 days" +%F)'],
  ['YYYY-MM-DD', '$(date --date "30 days" +%F)'],
  ['PR.md', 'pr.md'],
  ['PCT', '20'],
  ['postgres://pawl@db.example/perf', '$TEAM_STORE'],
  ['postgres://db/pawl', '$TEAM_STORE'],
  ['postgres://…', '$TEAM_STORE'],
  ['--time 60', '--time 1'],
  ['--cases 2000', '--cases 50'],
  ['--processes 10', '--processes 2'],
  ['cols --run', 'cols --run --processes 1 --samples 3'],
  ['--idle 10m', '--idle 1s'],
  ['/srv/kernels/', './'],
  ['/etc/pawl/', './'],
  ['/usr/local/bin/pawl', 'pawl'],
  ['/path/to/project', '.'],
  ['${workspaceFolder}', '.'],
  ['claude mcp add pawl -- ', ''],
];

/** What is told to be run next and takes minutes. */
export const HINTS_NOT_RUN = /^pawl device --calibrate/u;
