import { missing, ok, skipped } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';
import type { PythonFacts } from './python-facts.ts';

export const PYTHON_PROBES: readonly Probe[] = [
  {
    id: 'python',
    group: 'python',
    title: 'Python',
    needed_for: 'Python kernels',
    required: (needs) => needs.python,
    look: lookAtPython,
  },
  {
    id: 'numpy',
    group: 'python',
    title: 'NumPy',
    needed_for: 'Python kernels on the CPU',
    required: (needs) => needs.numpy,
    look: (context) => lookAtModule(context, 'numpy', 'Python kernels on the CPU compute with it'),
  },
  {
    id: 'torch',
    group: 'python',
    title: 'PyTorch',
    needed_for: 'Python kernels on a GPU',
    required: (needs) => needs.torch,
    look: lookAtTorch,
  },
  {
    id: 'triton',
    group: 'python',
    title: 'Triton',
    needed_for: 'Triton kernels',
    required: () => false,
    look: async (context) => {
      if ((await context.gpus()).status !== 'found') return skipped('no GPU');
      return lookAtModule(context, 'triton', 'it comes with PyTorch for CUDA');
    },
  },
];

async function lookAtPython(context: DoctorContext): Promise<Finding> {
  const { lookup } = await context.python();
  if (lookup.status === 'found') return ok(`${lookup.version} at ${lookup.path}`);
  const remedy = 'Install Python 3.9 or later, or set $PAWL_PYTHON to one.';
  if (lookup.status === 'missing') return missing(context, lookup.message, remedy, ['python3']);
  return { state: 'failed', detail: lookup.message, remedy };
}

async function lookAtModule(context: DoctorContext, name: string, why: string): Promise<Finding> {
  const facts = await context.python();
  if (facts.lookup.status !== 'found') return skipped('no Python');
  const version = facts.versions?.modules[name];
  const problem = facts.versions?.problems[name];
  if (problem !== undefined) return unusable(facts.lookup.path, name, problem);
  if (version !== undefined) return ok(version);
  if (facts.versions === undefined)
    return { state: 'failed', detail: facts.problem ?? 'Python did not answer' };
  return absentModule(facts, facts.lookup.path, name, why);
}

function unusable(python: string, name: string, detail: string): Finding {
  const remedy = `Upgrade it with \`${python} -m pip install --upgrade ${name}\`, or set $PAWL_PYTHON to a Python that has a newer one.`;
  return { state: 'failed', detail, remedy };
}

function absentModule(facts: PythonFacts, python: string, name: string, why: string): Finding {
  const command = [python, '-m', 'pip', 'install', name];
  const detail = `${python} has no module ${name}; ${why}`;
  if (facts.versions?.externally_managed === true) {
    const remedy = `Make a virtual environment, install ${name} in it, and set $PAWL_PYTHON to its python.`;
    return { state: 'missing', detail, remedy };
  }
  const remedy = `Install it with \`${command.join(' ')}\`, or set $PAWL_PYTHON to a Python that has it.`;
  // Only NumPy is small and the same for everyone; which PyTorch to install depends on the driver.
  if (name !== 'numpy' || facts.versions?.pip !== true) return { state: 'missing', detail, remedy };
  return { state: 'missing', detail, remedy, fix: { description: `install ${name} with pip`, command } };
}

async function lookAtTorch(context: DoctorContext): Promise<Finding> {
  const finding = await lookAtModule(context, 'torch', 'Python kernels on a GPU compute with it');
  const gpus = await context.gpus();
  const { torch, versions, problem } = await context.python();
  // Without a GPU nothing asks for it; that it could not be used with one either is said anyway.
  const isThere = finding.state === 'ok' || versions?.problems['torch'] !== undefined;
  if (gpus.status !== 'found') return isThere ? finding : skipped('no GPU');
  if (finding.state !== 'ok') return finding;
  if (torch === undefined) {
    return { state: 'failed', detail: `${finding.detail}, which does not load: ${problem ?? 'no answer'}` };
  }
  if (torch.cuda)
    return ok(`${finding.detail}, sees ${torch.devices} ${torch.devices === 1 ? 'GPU' : 'GPUs'}`);
  if (torch.built_for === null) {
    return {
      state: 'failed',
      detail: `${finding.detail} is a build for the CPU`,
      remedy: 'Install a CUDA build of it.',
    };
  }
  const driver = gpus.gpus[0]?.info.cuda_driver;
  return {
    state: 'failed',
    detail: `${finding.detail}, built for CUDA ${torch.built_for}, sees no GPU`,
    remedy: `Install a build for CUDA ${driver ?? 'of the driver'} or older, and check $CUDA_VISIBLE_DEVICES.`,
  };
}
