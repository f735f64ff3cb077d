import type { Verification } from '../model/correctness/verification.ts';
import type { RunnerProcess } from '../runner/runner-process.ts';

/** A result with what the kernel printed: a line that poses as an answer is a fault, however right the outputs are. */
export async function withPosedAnswer(
  result: Verification,
  process: Pick<RunnerProcess, 'posedAnswer'>,
): Promise<Verification> {
  const posed = await process.posedAnswer();
  if (posed === undefined) return result;
  const message = `the kernel printed what poses as a result: ${posed}`;
  const tampering = [...result.tampering, { detector: 'forged-result', message } as const];
  return { ...result, passed: false, tampering };
}
