/** Shares of a whole by name, largest first, as text with a bar behind: readable without the picture. */
export function Bars({
  rows,
  label,
}: {
  readonly rows: readonly {
    readonly name: string;
    readonly value: number;
    readonly text: string;
    readonly title?: string;
  }[];
  readonly label: string;
}) {
  const most = Math.max(1e-9, ...rows.map(({ value }) => value));
  return (
    <ul class="bars" aria-label={label}>
      {rows.map(({ name, value, text, title }) => (
        <li key={name}>
          <span class="bar" style={{ width: `${(100 * value) / most}%` }} />
          <span class="bar-name">{name}</span> <b>{text}</b>
          {title === undefined ? null : <small>{title}</small>}
        </li>
      ))}
    </ul>
  );
}
