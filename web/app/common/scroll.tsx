import type { ComponentChildren } from 'preact';

/** A picture that would be too small to read on a narrow screen: there it is scrolled, by touch or with the arrow keys. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
