import { z } from 'zod';

import { pathSchema } from './formula-schema.ts';

/** `method` of pawl.yaml: what a project adds to the method and the lessons that Pawl ships. */
export const methodConfigSchema = z
  .strictObject({
    gates: pathSchema
      .optional()
      .describe('A pawl.method/1 file: its gates are added, those of the same id replaced.'),
    lessons: pathSchema
      .optional()
      .describe("Where the project's lessons are kept, a pawl.lessons/1 file (default: lessons.yaml)."),
    settings: z
      .record(z.string(), z.number())
      .default({})
      .describe('Thresholds that replace those of the method, by name: `stop_below: 0.6`.'),
  })
  .describe('What the project adds to the method of optimisation sessions.');
