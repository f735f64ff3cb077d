import { useEffect, useRef, useState } from 'preact/hooks';

const SHOWN_MS = 2000;

/** A command, and a button that puts it on the clipboard. */
export function CopyCommand({ command }: { readonly command: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    setSaid((await isCopied(command, code.current)) ? 'Copied' : 'Selected: copy it with the keyboard');
  };
  return (
    <div class="command">
      <code ref={code}>{command}</code>
      <button type="button" onClick={() => void copy()}>
        Copy
      </button>
      <span class="quiet" role="status">
        {said}
      </span>
    </div>
  );
}

/** Browsers give the clipboard to safe pages only: elsewhere the text is at least selected. */
async function isCopied(text: string, code: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (code !== null) getSelection()?.selectAllChildren(code);
    return false;
  }
}
