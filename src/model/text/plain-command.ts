/** A command of Pawl with plain words: nothing that a shell would read otherwise, and no sentence. */
const COMMAND = /^pawl(?: [\w./:=~^@,+-]+)+$/;

/** Projects write commands of gates too: one that is more than plain words is text from elsewhere. */
export function isPlainCommand(command: string): boolean {
  return COMMAND.test(command) && command.length <= 200;
}
