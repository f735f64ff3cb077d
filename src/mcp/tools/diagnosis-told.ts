/** What rules make of profiles: the findings, and of the metrics only those that they rest on. */
import { z } from 'zod';

import {
  diagnosisFindingSchema,
  launchDiagnosisSchema,
  profileComparisonSchema,
  type Diagnosis,
} from '../../model/profile/diagnosis.ts';
import { list, ownText, pick, text } from '../told.ts';

export const findingsTold = list(
  z.object({
    ...pick(diagnosisFindingSchema, 'rule', 'priority', 'expected_gain_pct', 'evidence'),
    diagnosis: ownText,
    fix: ownText,
  }),
  8,
  'The others expect less.',
);

const launchTold = z.object({
  ...pick(launchDiagnosisSchema, 'duration_us', 'limiter', 'undecided', 'device', 'speed_of_light'),
  name: text(200),
  findings: findingsTold,
});

const changeTold = z.object({
  ...pick(profileComparisonSchema, 'summary', 'change_pct', 'appeared', 'vanished', 'moved'),
  kernel: text(200),
});

export const diagnosisTold = {
  launches: list(launchTold, 8, 'Name a launch by its number.'),
  comparisons: list(changeTold, 8, 'Name a launch by its number.'),
  problems: list(text(), 10, '`pawl diagnose` shows all.'),
};

export function diagnosisValue(diagnosis: Partial<Diagnosis>) {
  const { kernels: launches = [], comparisons = [], problems = [] } = diagnosis;
  return { launches, comparisons, problems };
}

export function diagnosisSummary({ kernels = [] }: Partial<Diagnosis>): string {
  const [first] = kernels;
  if (first === undefined) return 'No launch was diagnosed.';
  const found = first.findings.map((one) => one.rule).slice(0, 5);
  return `${kernels.length} launches; the first ${first.limiter === 'none' ? 'lacks the metrics to name what limits it' : `is limited by ${first.limiter}`}, findings in order: ${found.join(', ') || 'none'}.`;
}
