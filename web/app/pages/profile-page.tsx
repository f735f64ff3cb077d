import { compareDiagnoses } from '../../../src/model/profile/compare-diagnoses.ts';
import type { Finding, KernelDiagnosis } from '../../../src/model/profile/diagnosis.ts';
import { mixBoundText } from '../../../src/report/text/line-text.ts';
import { shortCommit, timeOfDay } from '../common/format.ts';
import { Choice } from '../parts/choice.tsx';
import { HotLines } from '../parts/hot-lines.tsx';
import { Facts } from '../parts/facts.tsx';
import { Prose } from '../parts/prose.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { WhatChanged } from '../parts/what-changed.tsx';
import type { Place } from '../common/router.ts';
import type { Page, ProfileSummary, StoredProfile } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function ProfilePage({ id, query }: { readonly id: string; readonly query: Place['query'] }) {
  const loaded = useAnswer<StoredProfile>(`profiles/${encodeURIComponent(id)}`);
  return (
    <Shown loaded={loaded} height={900} isPage>
      {(profile) => <Content profile={profile} other={query['with']} />}
    </Shown>
  );
}

function Content({
  profile,
  other,
}: {
  readonly profile: StoredProfile;
  readonly other: string | undefined;
}) {
  const { kernel, case: name, report, time, commit } = profile;
  return (
    <>
      <h1>
        {kernel} / {name} <span class="quiet">under a profiler</span>
      </h1>
      <div class="tools-line">
        <OtherChoice profile={profile} other={other} />
      </div>
      {report.summary === undefined ? null : <p class="sentence">{report.summary}</p>}
      {other === undefined ? (
        <>
          {report.comparisons === undefined ? null : <WhatChanged changes={report.comparisons} />}
          <section aria-label="Findings">
            <h2>What it says</h2>
            <Side profile={profile} />
          </section>
        </>
      ) : (
        <BesideOther profile={profile} other={other} />
      )}
      <h2>Where this comes from</h2>
      <Facts
        facts={[
          ['taken', timeOfDay(time)],
          ['commit', commit === undefined ? undefined : <code>{shortCommit(commit)}</code>],
          ['mode', report.mode],
          ['device', report.head?.device?.name ?? report.device],
          [
            'profiler',
            report.head === undefined
              ? undefined
              : [report.head.profiler.name, report.head.profiler.version].filter(Boolean).join(' '),
          ],
          ['launches', report.head?.launches],
        ]}
      />
      <p class="quiet">
        A profiled launch runs with the profiler's clocks and caches; <code>pawl bench</code> says how fast a
        kernel is.
      </p>
    </>
  );
}

/** What changed first, then both sides: on a telephone the one is read and the others are looked up. */
function BesideOther({ profile, other }: { readonly profile: StoredProfile; readonly other: string }) {
  const loaded = useAnswer<StoredProfile>(`profiles/${encodeURIComponent(other)}`);
  return (
    <Shown loaded={loaded} height={900}>
      {(before) => (
        <>
          {before.report.head === undefined || profile.report.head === undefined ? null : (
            <WhatChanged changes={compareDiagnoses(before.report.head, profile.report.head)} />
          )}
          <div class="two">
            <section aria-label="Before">
              <h2>Before</h2>
              <Side profile={before} />
            </section>
            <section aria-label="After">
              <h2>After</h2>
              <Side profile={profile} />
            </section>
          </div>
        </>
      )}
    </Shown>
  );
}

/** Other profiles of the same case, to put before this one. */
function OtherChoice({
  profile,
  other,
}: {
  readonly profile: StoredProfile;
  readonly other: string | undefined;
}) {
  const { kernel, case: name } = profile;
  const loaded = useAnswer<Page<ProfileSummary>>(
    `profiles?${new URLSearchParams({ kernel, case: name }).toString()}`,
  );
  const others =
    loaded.state === 'done'
      ? loaded.answer.items.filter(
          (one) => one.id !== profile.id && one.kernel === kernel && one.case === name,
        )
      : [];
  const options = others.map(
    ({ id, time, commit }) => [id, `${timeOfDay(time)} ${shortCommit(commit ?? '')}`] as const,
  );
  return (
    <Choice label="Compare with" name="with" value={other ?? ''} options={[['', 'nothing'], ...options]} />
  );
}

function Side({ profile: { report, files, kernel, case: name } }: { readonly profile: StoredProfile }) {
  const picture = Object.entries(files).find(([file]) => file.endsWith('.svg'))?.[1];
  const kernels = report.head?.diagnosis?.kernels ?? [];
  const { sampled, static_lines = [] } = report;
  const lines = [
    ...(report.head?.hot_lines ?? []),
    ...(sampled === undefined ? [] : [sampled]),
    ...static_lines,
  ];
  if (report.head === undefined && report.skipped !== undefined)
    return (
      <>
        <Empty title="There is no profile.">
          {report.skipped.message}
          <br />
          <Prose text={report.skipped.remedy} />
        </Empty>
        {report.mix_bound === undefined ? null : <p>{mixBoundText(report.mix_bound)}</p>}
        {lines.map((hot, index) => (
          <HotLines key={index} hot={hot} />
        ))}
      </>
    );
  return (
    <>
      {picture === undefined ? null : (
        <figure class="panel">
          {/* As a picture, not as part of the page: what a profile's file holds can run nothing and restyle nothing. */}
          <img
            class="one-pager"
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`}
            alt={`One-pager of ${kernel} / ${name}: ${report.summary ?? 'what limits the kernel'}; the findings follow as text`}
          />
        </figure>
      )}
      {kernels.map((kernel, index) => (
        <Launch key={index} diagnosis={kernel} />
      ))}
      {lines.map((hot, index) => (
        <HotLines key={index} hot={hot} />
      ))}
      {report.head?.counters === undefined ? null : <Counters counters={report.head.counters} />}
    </>
  );
}

function Launch({ diagnosis }: { readonly diagnosis: KernelDiagnosis }) {
  return (
    <section class="launch">
      <h3>
        <code>{diagnosis.name}</code>
      </h3>
      {diagnosis.findings.length === 0 ? <p class="quiet">No rule found anything to fix.</p> : null}
      <ol class="findings">
        {diagnosis.findings.map((finding) => (
          <FindingCard key={finding.rule} finding={finding} />
        ))}
      </ol>
    </section>
  );
}

function FindingCard({ finding }: { readonly finding: Finding }) {
  return (
    <li class="finding panel">
      <h4>
        {finding.rule}
        {finding.expected_gain_pct > 0 ? (
          <small> could save up to {finding.expected_gain_pct.toFixed(0)} %</small>
        ) : null}
      </h4>
      <p>{finding.diagnosis}</p>
      {(finding.lines ?? []).map((line) => (
        <p key={`${line.file}:${line.line}`}>
          at{' '}
          <code>
            {line.file}:{line.line}
          </code>{' '}
          ({line.share_pct.toFixed(0)} % of the time): <code>{line.source?.trim()}</code>
        </p>
      ))}
      <p>
        <b>Fix:</b> {finding.fix}
      </p>
    </li>
  );
}

function Counters({
  counters,
}: {
  readonly counters: readonly { readonly name: string; readonly per_call: number }[];
}) {
  return (
    <Facts
      facts={counters.map(({ name, per_call }) => [name, `${per_call.toPrecision(4)} per call`] as const)}
    />
  );
}
