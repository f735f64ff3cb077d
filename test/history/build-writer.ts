import { bundleProgram } from './bundle-program.ts';
import { writerProgram, type WriterProgram } from './kill-writers.ts';

export async function buildWriter(): Promise<WriterProgram & { remove(): Promise<void> }> {
  const bundled = await bundleProgram('writer-process.ts');
  return { ...writerProgram(bundled.file), remove: () => bundled.remove() };
}
