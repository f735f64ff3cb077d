import type { Finding, ProfileComparison } from '../../model/profile/diagnosis.ts';
import type { ProfilePage } from '../../model/profile/profile-page.ts';
import { HotLinesSection } from './hot-lines-section.tsx';
import { htmlPage } from './html-page.tsx';
import { Facts, Items, pairs, separated } from './page-parts.tsx';
import { findingLineText } from '../text/line-text.ts';
import { plainText } from '../text/plain-text.ts';
import { profilePanels } from '../svg/profile-figures.ts';
import { MovedSignals } from './profile-page-moved.tsx';
import { PROFILE_STYLE } from './profile-style.ts';
import {
  findingFate,
  gainText,
  shortName,
  verdictFacts,
  verdictSentence,
  verdictTone,
} from '../text/profile-text.ts';
import { signalLabel, signalValue } from '../text/signal-text.ts';
import { InlineFigure } from '../svg/figure.tsx';

/** More launches than this are a list to choose from, not pages to read. */
const MOST_LAUNCHES = 12;

/** Profiles as one file: no scripts, nothing fetched. */
export function renderProfilePage(pages: readonly ProfilePage[]): string {
  const shown = pages.slice(0, MOST_LAUNCHES);
  const left = pages.length - shown.length;
  const names = [...new Set(shown.map(({ after }) => shortName(after.diagnosis.name)))];
  return htmlPage({
    title: `Profile · ${names.slice(0, 3).join(', ')}`,
    style: PROFILE_STYLE,
    body: (
      <>
        {shown.map((page, index) => (
          <article>
            <Picture page={page} heading={index === 0 ? 'h1' : 'h2'} />
            <Items
              class="notices"
              label="notices"
              items={page.problems.map((problem) => (
                <li>{problem}</li>
              ))}
            />
            <Findings page={page} />
            {page.lines !== undefined && <HotLinesSection hot={page.lines} />}
            {page.comparison !== undefined && <Changes comparison={page.comparison} />}
            <NotCollected metrics={page.after.diagnosis.not_collected} />
            <Provenance page={page} />
          </article>
        ))}
        {left > 0 && <p class="quiet">And {left} more launches: choose with --kernel or --launch.</p>}
      </>
    ),
  });
}

interface Shown {
  readonly page: ProfilePage;
}

function Picture({ page, heading: Heading }: Shown & { readonly heading: 'h1' | 'h2' }) {
  const { name } = page.after.diagnosis;
  const short = shortName(name);
  const facts = verdictFacts(page).map((fact) => <b>{fact}</b>);
  return (
    <div class="picture">
      <header class={`verdict tone-${verdictTone(page)}`}>
        <Heading>{short}</Heading>
        <p class="sentence">{verdictSentence(page)}</p>
        <p class="facts">{separated(facts, ' · ')}</p>
      </header>
      {short !== plainText(name) && (
        <p class="signature quiet">
          <code>{name}</code>
        </p>
      )}
      <section class="panels" aria-label="figures">
        {profilePanels(page).map(({ title, subtitle, figure }) => (
          <figure class="panel">
            <figcaption>
              <h3>{title}</h3>
              <span>{subtitle}</span>
            </figcaption>
            <InlineFigure figure={figure} />
          </figure>
        ))}
      </section>
      {page.roofline !== undefined && <p class="basis quiet">{page.roofline.basis}</p>}
    </div>
  );
}

function Findings({ page }: Shown) {
  const { findings } = page.after.diagnosis;
  if (findings.length === 0)
    return (
      <section>
        <h2>Findings</h2>
        <p class="quiet">No rule found anything to fix.</p>
      </section>
    );
  return (
    <section>
      <h2>
        Findings <small>the first is what to fix first</small>
      </h2>
      {findings.map((finding, index) => (
        <Card finding={finding} number={index + 1} fate={findingFate(page, finding)} />
      ))}
    </section>
  );
}

function Card(props: {
  readonly finding: Finding;
  readonly number: number;
  readonly fate: string | undefined;
}) {
  const { finding, number, fate } = props;
  const gain = gainText(finding);
  const evidence = Object.entries(finding.evidence);
  const said = [
    ...(finding.gain_basis === undefined || gain === undefined
      ? []
      : [`How the gain is estimated: ${finding.gain_basis}`]),
    ...(finding.source === undefined ? [] : [`Source: ${finding.source}`]),
  ];
  return (
    <section class="finding panel">
      <header>
        <h3>
          {`${number}. ${finding.rule} `}
          {fate !== undefined && <span class="fate">{`(${fate})`}</span>}
        </h3>
        {gain !== undefined && <span class="gain">{gain}</span>}
      </header>
      <p>{finding.diagnosis}</p>
      {(finding.lines ?? []).map((line) => (
        <p class="at">
          at <code>{findingLineText(line)}</code>
        </p>
      ))}
      <p class="fix">
        <b>Fix:</b> {finding.fix}
      </p>
      {evidence.length > 0 && (
        <table class="evidence">
          <tbody>
            {evidence.map(([name, value]) => (
              <tr>
                <th scope="row">{signalLabel(name)}</th>
                <td>{signalValue(name, value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {said.length > 0 && <p class="said quiet">{separated(said, <br />)}</p>}
    </section>
  );
}

function Changes({ comparison }: { readonly comparison: ProfileComparison }) {
  return (
    <section>
      <h2>What changed</h2>
      <Facts
        class="panel changes"
        facts={[
          ['appeared', comparison.appeared.join(', ')],
          ['vanished', comparison.vanished.join(', ')],
          ['still there', comparison.persisted.join(', ')],
        ]}
      />
      <MovedSignals moved={comparison.moved} />
    </section>
  );
}

function NotCollected({ metrics }: { readonly metrics: readonly string[] }) {
  if (metrics.length === 0) return null;
  return (
    <section>
      <h2>Not collected</h2>
      <p class="quiet">
        Missing metrics are never taken as zero: rules that need them were skipped.{' '}
        <code>ncu --set full</code> and the raw page have most of them.
      </p>
      <details>
        <summary>
          {`${metrics.length} ${metrics.length === 1 ? 'metric' : 'metrics'} that rules would have used`}
        </summary>
        <ul class="metrics">
          {metrics.map((metric) => (
            <li>
              <code>{metric}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Provenance({ page: { provenance } }: Shown) {
  if (provenance.length === 0) return null;
  return (
    <section>
      <h2>Where this comes from</h2>
      <Facts facts={pairs(provenance)} />
      <p class="basis quiet">
        The duration is that of a profiled launch, with ncu's clocks and caches; <code>pawl bench</code> says
        how fast a kernel is.
      </p>
    </section>
  );
}
