import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { parseSamples } from '../../model/measure/parse-samples.ts';
import { SAMPLES_SCHEMA } from '../../model/measure/samples.ts';
import type { Adapter, Source } from '../adapter.ts';
import { field } from '../fields.ts';

/** Pawl's own samples: to join several runs into one file, or to name kernel, device and commit. */
export const pawlAdapter: Adapter = {
  format: 'pawl',
  tool: 'Pawl',
  detect: ({ json }) => (field(json?.value, 'schema') === SAMPLES_SCHEMA ? 1 : 0),
  read(source: Source) {
    const result = parseSamples(source.json?.value);
    if (!result.success) {
      const [issue] = result.error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
      throw new PawlError(
        'bad-data',
        `${source.name} does not match ${SAMPLES_SCHEMA}${where}: ${issue?.message ?? 'unknown'}.`,
        'docs/schemas/samples.json describes the format.',
      );
    }
    const { measurements, device, incomplete } = result.data;
    return {
      measurements,
      ...defined({ device }),
      notes:
        incomplete === undefined
          ? []
          : [{ kind: 'doubt', text: `the run did not end as planned: ${incomplete}` }],
    };
  },
};
