/**
 * Environment variables, as `process.env` has them. Not Node's own type: it would reach the package's declarations, and
 * a program that imports `pawl` need not have `@types/node`.
 */
export type Environment = Readonly<Record<string, string | undefined>>;
