/** The first that fits: the lines that name a file begin like those that change it. */
const TONES = [
  [/^(?:\+\+\+|---|@@|diff |index )/u, 'quiet'],
  [/^\+/u, 'added'],
  [/^-/u, 'removed'],
] as const;

/** A unified diff as text; its marks are in it, the colours only repeat them. */
export function Diff({ text, truncated }: { readonly text: string; readonly truncated: boolean }) {
  return (
    <>
      <pre class="diff" tabIndex={0} role="region" aria-label="Diff">
        {text.split('\n').map((line, index) => (
          <span key={index} class={TONES.find(([begins]) => begins.test(line))?.[1] ?? ''}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      {truncated ? <p class="quiet">Truncated: the whole change is in the session's folder.</p> : null}
    </>
  );
}
