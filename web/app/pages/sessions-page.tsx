import { timeOfDay } from '../format.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import type { Page } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly started_at: string;
  readonly finished_at?: string;
}

export function SessionsPage() {
  const loaded = useAnswer<Page<SessionSummary>>('sessions');
  return (
    <>
      <h1>Sessions</h1>
      <Shown loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No optimisation session was recorded." command="pawl tune KERNEL">
              A session is a person or an agent making a kernel faster, step by step: what was tried, measured
              and kept. Until there is one, studies show what a search found by itself.
            </Empty>
          ) : (
            <Table
              caption="Optimisation sessions"
              rows={items}
              idOf={({ id }) => id}
              columns={[
                { name: 'session', side: 'left', cell: ({ title }) => title },
                { name: 'started (UTC)', cell: ({ started_at }) => timeOfDay(started_at) },
                {
                  name: 'ended',
                  cell: ({ finished_at }) =>
                    finished_at === undefined ? 'under way' : timeOfDay(finished_at),
                },
              ]}
            />
          )
        }
      </Shown>
    </>
  );
}
