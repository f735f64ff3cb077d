import type { HistoryKey } from '../../../src/model/history/history.ts';
import { variantText } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';

/** `attention / long`, and quietly what else tells it from others. */
export function KeyName({ keyed, link = true }: { readonly keyed: HistoryKey; readonly link?: boolean }) {
  const name = (
    <>
      <span class="kernel">{keyed.kernel} / </span>
      <b>{keyed.case}</b>
    </>
  );
  const variant = variantText(keyed.variant);
  return (
    <span class="key-name">
      {link ? <a href={hrefOf(['case', keyed.id])}>{name}</a> : name}
      <small>
        {keyed.mode} · {keyed.device_class}
        {variant === '' ? '' : ` · ${variant}`}
      </small>
    </span>
  );
}
