import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../../src/config/load-config.ts';
import { loadMethod } from '../../../src/learn/method/load-method.ts';
import { methodSchema, PHASES } from '../../../src/model/learn/gate.ts';
import { tempProject } from '../../config/temp-project.ts';

const PAWL_YAML = `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N] }
      y: { role: output, dtype: f32, shape: [N] }
    cases: { small: { N: 1000 } }
kernels:
  right: { problem: doubled, device: cpu, language: c++, sources: [right.cpp] }
`;

const OWN_GATE = `
  - id: warm-enough
    phase: baseline
    title: The kernel is not too fast to believe
    why: A kernel that does nothing is fast.
    evidence: baseline
    pass: speedup <= too_good
    severity: warn
    failed: '{speedup}× is too good'
    next: pawl fuzz --only {kernel}`;

async function project(method: string, gates = ''): Promise<ReturnType<typeof loadConfig>> {
  const folder = await tempProject({
    'pawl.yaml': `${PAWL_YAML}method: ${method}\n`,
    'right.cpp': '',
    'gates.yaml': gates,
  });
  return loadConfig(folder);
}

describe('the method', () => {
  it('that Pawl ships fits its schema, and every phase has a budget and gates', async () => {
    const method = await loadMethod(undefined);
    expect(methodSchema.parse(method)).toEqual(method);
    expect(method.phases.map(({ id }) => id)).toEqual([...PHASES]);
    expect(new Set(method.gates.map(({ phase }) => phase))).toEqual(new Set(PHASES));
    expect(method.settings).toMatchObject({ stop_below: 0.5, target: 1.2, library_ceiling: 0.9 });
  });

  it('has its gates in the order of the phases', async () => {
    const { gates } = await loadMethod(undefined);
    const order = gates.map(({ phase }) => PHASES.indexOf(phase));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it('takes single settings from pawl.yaml', async () => {
    const { settings } = await loadMethod(await project('{ settings: { stop_below: 0.7 } }'));
    expect(settings).toMatchObject({ stop_below: 0.7, target: 1.2 });
  });

  it('refuses a setting that nothing reads, and suggests the one that was meant', async () => {
    await expect(loadMethod(await project('{ settings: { stop_bellow: 0.7 } }'))).rejects.toThrow(
      /no setting is called stop_bellow.*stop_below/s,
    );
  });

  it('takes gates, phases and settings from a file of the project', async () => {
    const text = `schema: pawl.method/1
settings: { too_good: 50 }
phases: [{ id: baseline, title: Baseline, budget_min: 5 }]
gates:${OWN_GATE}
`;
    const method = await loadMethod(await project('{ gates: gates.yaml }', text));
    const baseline = method.gates.filter(({ phase }) => phase === 'baseline');
    expect(baseline.at(-1)?.id).toBe('warm-enough');
    expect(baseline.length).toBeGreaterThan(3);
    expect(method.phases.find(({ id }) => id === 'baseline')?.budget_min).toBe(5);
  });

  it('has a gate of the same id replaced where it stands', async () => {
    const own = await loadMethod(undefined);
    const text = `schema: pawl.method/1
settings: { too_good: 50 }
gates:${OWN_GATE.replace('warm-enough', 'smallest-speedup')}
`;
    const method = await loadMethod(await project('{ gates: gates.yaml }', text));
    expect(method.gates.map(({ id }) => id)).toEqual(own.gates.map(({ id }) => id));
    expect(method.gates.find(({ id }) => id === 'smallest-speedup')?.severity).toBe('warn');
  });

  it.each([
    [
      'a formula that cannot be read',
      OWN_GATE.replace('speedup <=', 'speedup <= <='),
      /gates\.yaml:\d+:\d+.*warm-enough/,
    ],
    [
      'a fact that no such evidence has',
      OWN_GATE.replace('speedup <=', 'sped_up <='),
      /gate warm-enough.*`sped_up`/,
    ],
    [
      'a place in a text that nothing fills',
      OWN_GATE.replace('{kernel}', '{kernle}'),
      /warm-enough.*`kernle`.*kernel/,
    ],
    ['a key that gates do not have', `${OWN_GATE}\n    passes: 'true'`, /unknown key.*pass/],
    [
      'an evidence that there is not',
      OWN_GATE.replace('evidence: baseline', 'evidence: horoscope'),
      /horoscope/,
    ],
  ])('names file and gate of %s', async (_, gate, expected) => {
    const text = `schema: pawl.method/1\nsettings: { too_good: 50 }\ngates:${gate}\n`;
    await expect(loadMethod(await project('{ gates: gates.yaml }', text))).rejects.toThrow(expected);
  });

  it('says that the file of gates is not there', async () => {
    await expect(loadMethod(await project('{ gates: none.yaml }'))).rejects.toThrow(
      /none\.yaml.*no such file/,
    );
  });
});
