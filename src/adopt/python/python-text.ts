/** A JSON value as Python writes it. */
export function toPython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${toPython(one)}`);
    return `{${entries.join(', ')}}`;
  }
  return JSON.stringify(value);
}
