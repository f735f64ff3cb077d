import { Empty } from '../parts/states.tsx';

export function NotFoundPage({ path }: { readonly path: readonly string[] }) {
  return (
    <>
      <h1>Page not found</h1>
      <Empty title="There is no such page.">
        <code>{path.join('/')}</code> does not exist. Go to the <a href="#/">overview</a>.
      </Empty>
    </>
  );
}
