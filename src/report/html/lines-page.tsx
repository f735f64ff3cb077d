import type { ProfileReport } from '../../model/profile/profile-report.ts';
import { lineChangeText, mixBoundText } from '../text/line-text.ts';
import { plainText } from '../text/plain-text.ts';
import { HotLinesSection } from './hot-lines-section.tsx';
import { htmlPage } from './html-page.tsx';
import { PROFILE_STYLE } from './profile-style.ts';

/** The lines of a profile that has no picture: samples of a CPU kernel, or compiled code that nothing counted. */
export function renderLinesPage(report: ProfileReport): string {
  const {
    kernel,
    case: name,
    skipped,
    sampled,
    static_lines = [],
    code,
    comparisons = [],
    mix_bound,
  } = report;
  const subject = `${plainText(kernel)} / ${plainText(name)}`;
  return htmlPage({
    title: `Profile · ${subject}`,
    style: PROFILE_STYLE,
    body: (
      <article>
        <header class="verdict tone-plain">
          <h1>{subject}</h1>
          {skipped !== undefined && (
            <>
              <p class="sentence">{plainText(skipped.message)}</p>
              <p class="facts">{plainText(skipped.remedy)}</p>
            </>
          )}
        </header>
        {comparisons.map(({ summary, lines = [] }) => (
          <section>
            <h2>What changed</h2>
            <p>{plainText(summary)}</p>
            <ul>
              {lines.map((line) => (
                <li>
                  <code>{lineChangeText(line)}</code>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {sampled !== undefined && <HotLinesSection hot={sampled} />}
        {mix_bound !== undefined && <p>{plainText(mixBoundText(mix_bound))}</p>}
        {static_lines.map((hot) => (
          <HotLinesSection hot={hot} named />
        ))}
        {code !== undefined && code.findings.length > 0 && (
          <section>
            <h2>The compiled code (static: nothing was measured)</h2>
            <ul>
              {code.findings.map(({ rule, diagnosis, fix }) => (
                <li>
                  <b>{rule}</b>: {plainText(diagnosis)} <span class="quiet">{plainText(fix)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
    ),
  });
}
