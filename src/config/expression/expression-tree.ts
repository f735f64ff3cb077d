/** What a formula computes with: numbers are doubles, as in JSON. */
export type Value = number | boolean | string;

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** A parsed formula. `offset` is where in the text an error in computing this node is shown. */
export type Tree =
  | { readonly type: 'value'; readonly offset: number; readonly value: Value }
  | { readonly type: 'name'; readonly offset: number; readonly name: string }
  | {
      readonly type: 'arithmetic';
      readonly offset: number;
      readonly operator: ArithmeticOperator;
      readonly left: Tree;
      readonly right: Tree;
    }
  | { readonly type: 'negate'; readonly offset: number; readonly operand: Tree }
  | { readonly type: 'not'; readonly offset: number; readonly operand: Tree }
  | {
      readonly type: 'logic';
      readonly offset: number;
      readonly operator: 'and' | 'or';
      readonly left: Tree;
      readonly right: Tree;
    }
  /** `a < b <= c` is `a < b and b <= c`, as in Python. */
  | {
      readonly type: 'comparison';
      readonly offset: number;
      readonly first: Tree;
      readonly rest: readonly Comparison[];
    }
  | {
      readonly type: 'choice';
      readonly offset: number;
      readonly condition: Tree;
      readonly chosen: Tree;
      readonly otherwise: Tree;
    }
  | {
      readonly type: 'call';
      readonly offset: number;
      readonly name: FunctionName;
      readonly args: readonly Tree[];
    };

export type TreeOf<Type extends Tree['type']> = Extract<Tree, { type: Type }>;

export type Comparison =
  | { readonly operator: ComparisonOperator; readonly offset: number; readonly right: Tree }
  | { readonly operator: 'in' | 'not in'; readonly offset: number; readonly list: readonly Tree[] };

/** The functions a formula may call, and how many arguments each takes. */
export const FUNCTIONS = {
  min: { least: 1, most: Infinity },
  max: { least: 1, most: Infinity },
  ceil: { least: 1, most: 1 },
  floor: { least: 1, most: 1 },
  abs: { least: 1, most: 1 },
  log2: { least: 1, most: 1 },
  sqrt: { least: 1, most: 1 },
  ceildiv: { least: 2, most: 2 },
} as const;
export type FunctionName = keyof typeof FUNCTIONS;
