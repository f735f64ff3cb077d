/** Pawl's own lint rules, for .oxlintrc.json. */
import { factsInFields } from './facts-in-fields.js';
import { importDirection } from './import-direction.js';

export default {
  meta: { name: 'pawl' },
  rules: { 'facts-in-fields': factsInFields, 'import-direction': importDirection },
};
