import type { Evidence, EvidenceKind } from '../../../model/learn/gate.ts';
import { baselineEvidence } from './baseline.ts';
import { buildEvidence } from './build.ts';
import { environmentEvidence } from './environment.ts';
import type { EvidenceContext } from './evidence-context.ts';
import { profileEvidence } from './profile.ts';
import { referenceEvidence } from './reference.ts';
import { resourcesEvidence } from './resources.ts';
import { roomEvidence } from './room.ts';
import { sizesEvidence } from './sizes.ts';
import { smallestCaseEvidence } from './smallest-case.ts';
import { triesEvidence } from './tries.ts';
import { validationEvidence } from './validation.ts';

export type { EvidenceContext } from './evidence-context.ts';

const COLLECTORS: Readonly<Record<EvidenceKind, (context: EvidenceContext) => Promise<Evidence>>> = {
  environment: environmentEvidence,
  resources: resourcesEvidence,
  build: buildEvidence,
  'smallest-case': smallestCaseEvidence,
  reference: referenceEvidence,
  room: roomEvidence,
  baseline: baselineEvidence,
  sizes: sizesEvidence,
  profile: profileEvidence,
  tries: triesEvidence,
  validation: validationEvidence,
};

/** Measures what gates of a kind are decided by. What cannot be had is absent, with its reason. */
export function collectEvidence(kind: EvidenceKind, context: EvidenceContext): Promise<Evidence> {
  return COLLECTORS[kind](context);
}
