import { adjust } from '../common/router.ts';

/** Words that a row must have; kept in the address as `q`. */
export function FilterBox({ value, label }: { readonly value: string | undefined; readonly label: string }) {
  return (
    <label class="filter">
      <span class="hidden">{label}</span>
      <input
        type="search"
        value={value ?? ''}
        placeholder={`${label}  ( / )`}
        onInput={(event) => adjust({ q: event.currentTarget.value })}
      />
    </label>
  );
}

/** Every word of the filter is in one of the texts. */
export function matches(filter: string | undefined, texts: readonly (string | undefined)[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return (filter ?? '')
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => all.includes(word));
}
