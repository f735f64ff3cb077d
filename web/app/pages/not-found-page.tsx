import { Empty } from '../parts/states.tsx';

export function NotFoundPage({ path }: { readonly path: readonly string[] }) {
  return (
    <>
      <h1>Not here</h1>
      <Empty title="There is no such page.">
        <code>{path.join('/')}</code> leads nowhere. The <a href="#/">overview</a> leads everywhere else.
      </Empty>
    </>
  );
}
