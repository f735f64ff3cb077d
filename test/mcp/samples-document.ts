/** A samples file of one case. */
export function documentOf(name: string): string {
  const samples_ms = Array.from({ length: 20 }, (_, index) => 1 + index / 1000);
  const series = [1, 2, 3, 4].map((process) => ({ process, samples_ms }));
  return JSON.stringify({ schema: 'pawl.samples/1', measurements: [{ case: name, series }] });
}
