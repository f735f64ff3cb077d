import type { ComponentChildren } from 'preact';

/** Names and values; what is not known is left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const known = facts.filter(([, value]) => value !== undefined && value !== '' && value !== null);
  return (
    <dl class="facts panel">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
