import { USUAL, type WorldSettings } from './world.ts';

export interface Scenario {
  readonly name: string;
  readonly world: WorldSettings;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'usual', world: USUAL },
  {
    name: 'rules are right (all alike, everywhere)',
    world: { ...USUAL, ruleWidth: 0, kindSd: 0, deviceSd: 0 },
  },
  { name: 'rules nearly right', world: { ...USUAL, ruleWidth: 0.4, kindSd: 0.05, deviceSd: 0.05 } },
  { name: 'every device its own', world: { ...USUAL, deviceSd: 0.35 } },
  { name: 'fixes scatter twice as much', world: { ...USUAL, scatterSd: 0.6 } },
  { name: 'gains unrelated to estimates', world: { ...USUAL, truth: 'amount' } },
  { name: '10 % of sessions misleading', world: { ...USUAL, misleading: 0.1 } },
  { name: '20 % of sessions misleading', world: { ...USUAL, misleading: 0.2 } },
  { name: '40 % of sessions misleading', world: { ...USUAL, misleading: 0.4 } },
  { name: 'one adversarial device', world: { ...USUAL, adversary: true } },
  { name: 'one rule changes mid-year', world: { ...USUAL, drift: true } },
];
