import type { Assumption } from '../../model/reports/adopt-report.ts';
import type { CaseFound, Parameters } from './task-cases.ts';
import { partsOf, SOLUTION_FUNCTION, type TaskDraftRequest } from './task-draft-request.ts';

export function taskAssumptions(
  { device, solution, reference }: TaskDraftRequest,
  cases: readonly CaseFound[],
  measured: readonly string[],
  left: readonly string[],
  { choices }: Parameters,
): Assumption[] {
  const found: Assumption[] = [
    {
      about: 'oracle',
      text: "the oracle is the suite's ref_kernel, in its own precision",
    },
    {
      about: 'tolerance',
      text: 'outputs are compared with the tolerance of check_implementation, or by check_implementation itself',
    },
  ];
  const parts = partsOf(reference);
  if (parts.length > 0) {
    found.push({
      about: 'oracle',
      text: `ref_kernel is ${parts.join(' and ')} on what generate_inputs makes. What no parameter set says of it is what another file of the task passes. The tolerance is RTOL and ATOL of reference.py`,
    });
  }
  const [choice] = Object.keys(choices);
  if (choice !== undefined) {
    found.push({
      about: 'sizes',
      text: `${Object.keys(choices).join(', ')}: each number in a case is an index, from 0, into the list of values in the file beside pawl.yaml`,
    });
  }
  if (device === 'cpu') {
    found.push({
      about: 'device',
      text: 'this machine has no GPU: what the files do on `cuda` is done on the CPU',
    });
  }
  if (measured.length < cases.length) {
    found.push({
      about: 'sizes',
      text: `measured here: ${measured.join(', ')}. The other ${cases.length - measured.length} cases are too large for this ${device === 'cpu' ? 'CPU' : 'GPU'}`,
    });
  }
  if (left.length > 0) {
    found.push({
      about: 'sizes',
      text: `left out: ${left.join(', ')}, whose tensors have other types, or whose shapes could not be seen in time`,
    });
  }
  if (solution?.looked.needs_gpu === true && device === 'cpu') {
    found.push({
      about: 'device',
      text: `${SOLUTION_FUNCTION} uses Triton or CUDA, and this machine has no GPU: it is measured only on machines with one`,
    });
  }
  return found;
}
