/** Why a file does not hold the tensor that pawl.yaml says it holds. The message is a clause: "it is cut short …". */
export class RecordingFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecordingFault';
  }
}
