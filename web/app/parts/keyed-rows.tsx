import type { ComponentChildren } from 'preact';

/** The body of a table whose rows `j` and `k` go through; see `keyboard.ts`. */
export function Keyed({ children }: { readonly children: ComponentChildren }) {
  return <tbody class="keyed">{children}</tbody>;
}
