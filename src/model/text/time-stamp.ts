/** The time in a folder's name, by which folders sort: `20261115-093000`, in UTC. */
export function timeStamp(at: Date): string {
  return at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}
