import { Empty } from '../parts/states.tsx';

export function ChecklistPage() {
  return (
    <>
      <h1>Checklist</h1>
      <Empty title="No checklist was kept." command="pawl profile KERNEL CASE">
        A session keeps a list of what to look at in a kernel, and what came of each point. Until there is
        one, the findings of a profile say what to try first.
      </Empty>
    </>
  );
}
