/** A sentence in which what stands between backticks is code; nothing else in it means anything. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/u)
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}
