/** What is known of the work beside its profile. Everything is optional. */
export interface Problem {
  /** The least time in which the device can do the work. */
  readonly floorUs?: number | undefined;
  /** The least bytes that must come from and go to memory. */
  readonly minimumBytes?: number | undefined;
  /** The work is a matrix product, or mostly one. */
  readonly matrixProduct?: boolean | undefined;
}
