import { KEYWORDS } from '../config/expression/expression-tokens.ts';

/** Words of formulas cannot be names in pawl.yaml: `in` becomes `in_`. */
export function pawlName(name: string): string {
  const bare = name.replace(/^_+(?=[A-Za-z])/u, '');
  return KEYWORDS.includes(bare) ? `${bare}_` : bare;
}
