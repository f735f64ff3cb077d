const TONES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'quiet' };

/** A unified diff as text; its marks are in it, the colours only repeat them. */
export function Diff({ text, truncated }: { readonly text: string; readonly truncated: boolean }) {
  return (
    <>
      <pre class="diff" tabIndex={0} role="region" aria-label="Diff">
        {text.split('\n').map((line, index) => (
          <span key={index} class={TONES[line.charAt(0)] ?? ''}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      {truncated ? <p class="quiet">Cut here: the whole change is in the session's folder.</p> : null}
    </>
  );
}
