import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { CompareRequest } from '../../workflows/runs/compare.ts';
import { fileField, kernelField, revisionField, variantField } from '../inputs.ts';
import { insideProject } from '../inside-project.ts';
import { tool, type Call } from '../tool.ts';
import { comparingInput, comparingOptions } from './comparing.ts';
import { COMPARISON_RETURNS, comparisonAnswer, comparisonTold } from './comparison-told.ts';

const input = comparingInput.extend({
  base: revisionField.optional(),
  head: revisionField.default('worktree'),
  kernel: kernelField.optional().describe('Kernel whose variants a and b are compared.'),
  a: variantField.describe('First variant; tunables left out have their defaults.'),
  b: variantField.describe('Second variant.'),
  kernels: z.array(kernelField).max(2).optional().describe('A kernel and its reference, of one problem.'),
  baseline_file: fileField.optional().describe('Samples file of pawl_bench.'),
  candidate_file: fileField.optional().describe('Samples file to compare with it.'),
});

export const compareTool = tool({
  name: 'pawl_compare',
  title: 'Faster or slower?',
  description: `Compares two commits (base, head; head is the working tree by default), two variants of a kernel (kernel, a, b), two kernels of one problem (kernels) or two samples files (baseline_file, candidate_file; kernels chooses). Use it to learn whether a change helped. Commits, variants and kernels are measured in interleaved blocks of fresh processes until the answer is clear. ${COMPARISON_RETURNS}`,
  effect: 'works',
  input,
  output: comparisonTold,
  async run(asked, call) {
    const { compare } = await import('../../workflows/runs/compare.ts');
    const { report } = await compare(await requestOf(asked, call));
    return comparisonAnswer(report, call.project);
  },
});

async function requestOf(asked: z.output<typeof input>, call: Call): Promise<CompareRequest> {
  const common = comparingOptions(asked, call);
  const { base, head, kernel, a = {}, b = {}, kernels, baseline_file, candidate_file } = asked;
  if (base !== undefined) return { ...common, what: 'revisions', base, head };
  if (kernel !== undefined) return { ...common, what: 'variants', kernel, a, b };
  if (kernels !== undefined && baseline_file === undefined && candidate_file === undefined) {
    return { ...common, what: 'kernels', kernels };
  }
  if (baseline_file === undefined || candidate_file === undefined) {
    throw new PawlError(
      'usage',
      'Nothing to compare.',
      'Give base, or kernel with a and b, or kernels, or baseline_file and candidate_file.',
    );
  }
  const { root } = call.project;
  return {
    what: 'files',
    baseline: await insideProject(root, baseline_file),
    candidate: await insideProject(root, candidate_file),
    ...defined({ kernels }),
    within: root,
    policy: common.policy,
  };
}
