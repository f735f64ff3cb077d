import { resolve } from 'node:path';

import type { AddMistake, Path } from './mistake.ts';
import type { Problem, Tensor } from './problem-schema.ts';
import { readRecording, type Recording } from './recording/read-recording.ts';
import { writtenFiles } from './recorded-schema.ts';
import { RecordingFault } from './recording/recording-fault.ts';

/** The problem with what its recorded tensors are, as their files say. What is wrong with a file is told. */
export async function withRecordings(
  problem: Problem,
  root: string,
  path: Path,
  add: AddMistake,
): Promise<Problem> {
  const tensors = await Promise.all(
    Object.entries(problem.tensors).map(async ([name, tensor]): Promise<[string, Tensor]> => [
      name,
      await withRecording(tensor, root, [...path, 'tensors', name, 'fill'], add),
    ]),
  );
  return { ...problem, tensors: Object.fromEntries(tensors) };
}

async function withRecording(tensor: Tensor, root: string, at: Path, add: AddMistake): Promise<Tensor> {
  const { fill } = tensor;
  if (fill?.kind !== 'recorded') return tensor;
  const found: Record<string, Recording> = {};
  for (const written of writtenFiles(fill)) {
    try {
      const recording = await readRecording(resolve(root, written.path), fill.tensor);
      if (recording !== undefined) found[written.path] = recording;
    } catch (error) {
      if (!(error instanceof RecordingFault)) throw error;
      add([...at, ...written.at], `${written.path}: ${error.message}`, { isData: true });
    }
  }
  return { ...tensor, fill: { ...fill, found } };
}
