import type { SideCase, SidePoint, SidesComparison } from '../../../src/model/history/sides-comparison.ts';
import { plainChangePct, sidesCounts, unjudgedText } from '../../../src/report/text/sides-text.ts';
import { changeText, variantText } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import { Change } from './change.tsx';
import { Commit } from './commit.tsx';
import { Level } from './level.tsx';
import { PagedTable } from './paged-table.tsx';
import type { Column } from './table.tsx';
import { VerdictChip } from './verdict.tsx';

/** Every case of two sides. A name leads to its trend, with the two points beside each other. */
export function SidesTable(props: {
  readonly found: SidesComparison;
  readonly cases: readonly SideCase[];
  readonly sorted: string;
  readonly isGrouped: boolean;
}) {
  const { found, cases, sorted, isGrouped } = props;
  const columns: readonly Column<SideCase>[] = [
    { name: 'case', side: 'left', sort: 'name', cell: (one) => <Name one={one} /> },
    { name: 'verdict', side: 'left', sort: 'worst', cell: (one) => <Judged one={one} /> },
    { name: 'change', sort: 'change', cell: (one) => <Difference one={one} /> },
    { name: 'A', sort: 'a', cell: ({ a }) => <Point point={a} /> },
    { name: 'B', sort: 'b', cell: ({ b }) => <Point point={b} /> },
    ...commitColumns(found),
    {
      name: 'why',
      side: 'left',
      spare: true,
      cell: ({ reason }) => <span class="wrap">{reason ?? '–'}</span>,
    },
  ];
  return (
    <PagedTable
      caption="Cases of both sides"
      rows={cases}
      columns={columns}
      idOf={({ key, a, b }) => `${key.id} ${a?.measurement ?? ''} ${b?.measurement ?? ''}`}
      sorted={sorted}
      grouped={isGrouped ? grouping(cases) : undefined}
    />
  );
}

function grouping(cases: readonly SideCase[]) {
  return {
    of: ({ key }: SideCase) => key.kernel,
    head: (kernel: string) => (
      <>
        {kernel} <small>{sidesCounts({ cases: cases.filter(({ key }) => key.kernel === kernel) })}</small>
      </>
    ),
  };
}

function Name({ one: { key, a, b } }: { readonly one: SideCase }) {
  const variant = variantText(key.variant);
  return (
    <span class="key-name">
      <a href={hrefOf(['case', key.id], { a: a?.commit, b: b?.commit })}>
        <span class="kernel">{key.kernel} / </span>
        <b>{key.case}</b>
      </a>
      <small>
        {key.mode} · {b?.device_class ?? key.device_class}
        {a !== undefined && b !== undefined && a.device_class !== b.device_class
          ? `, A: ${a.device_class}`
          : ''}
        {variant === '' ? '' : ` · ${variant}`}
      </small>
    </span>
  );
}

function Judged({ one }: { readonly one: SideCase }) {
  if (one.verdict === undefined) return <span class="quiet wrap">{unjudgedText(one)}</span>;
  return (
    <span class="stack">
      <VerdictChip verdict={one.verdict} />
      {one.together === true ? <small>measured in turns</small> : null}
    </span>
  );
}

function Difference({ one }: { readonly one: SideCase }) {
  const plain = plainChangePct(one);
  if (plain === undefined) return <Change change_pct={one.change_pct} ci_pct={one.ci_pct} />;
  return (
    <span class="quiet" title="The difference of the levels, not a verdict.">
      {changeText(plain)}
    </span>
  );
}

function Point({ point }: { readonly point: SidePoint | undefined }) {
  if (point === undefined) return <span class="quiet">–</span>;
  return (
    <a class="point" href={hrefOf(['run', point.run], { m: point.measurement })}>
      <Level level_ms={point.level_ms} ci_ms={point.ci_ms} />
      {point.carried === true ? <small>same binary as its baseline</small> : null}
      {point.thinned === true ? <small>samples thinned</small> : null}
    </a>
  );
}

/** Where a side is not one commit, its cases may be of several. */
function commitColumns({ a, b }: SidesComparison): Column<SideCase>[] {
  const columns: Column<SideCase>[] = [];
  if (a.commit === undefined)
    columns.push({ name: 'commit of A', side: 'left', cell: (one) => <Commit sha={one.a?.commit} brief /> });
  if (b.commit === undefined)
    columns.push({ name: 'commit of B', side: 'left', cell: (one) => <Commit sha={one.b?.commit} brief /> });
  return columns;
}
