import { speedupText } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import type { Lesson } from '../source/shapes.ts';
import { Prose } from './prose.tsx';

const SOURCES: Readonly<Record<Lesson['source'], string>> = {
  method: 'shipped with Pawl',
  session: 'learnt in a session',
  expert: 'told by an expert',
};

/** A known problem and its fix; symptoms and evidence once it is open. */
export function LessonCard(props: {
  readonly lesson: Lesson;
  /** The rank of its title: below the page's, or below a section's. */
  readonly heading: 'h2' | 'h3';
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { lesson, heading: Heading, isOpen, onToggle } = props;
  const { title, cause, fix, source, by, withdrawn, scope } = lesson;
  const { devices = [], kinds = [], languages = [] } = scope;
  return (
    <li class={`lesson panel ${withdrawn === undefined ? '' : 'withdrawn'}`} data-lesson={lesson.id}>
      <Heading>
        <button type="button" class="row-button" aria-expanded={isOpen} onClick={onToggle}>
          {title}
        </button>
      </Heading>
      {withdrawn === undefined ? null : (
        <p>
          <b>Withdrawn:</b> {withdrawn}
        </p>
      )}
      <p>
        <span class="quiet">Cause:</span> <Prose text={cause} />
      </p>
      <p>
        <span class="quiet">Fix:</span> <Prose text={fix} />
      </p>
      <p class="tags">
        <span class="tag tag-plain">{SOURCES[source]}</span>
        {by === undefined ? null : <span class="tag tag-plain">{by}</span>}
        {[...devices, ...kinds, ...languages].map((text) => (
          <span key={text} class="tag tag-plain">
            {text}
          </span>
        ))}
        {devices.length + kinds.length + languages.length === 0 ? (
          <span class="tag tag-plain">everywhere</span>
        ) : null}
      </p>
      {isOpen ? <LessonDetail lesson={lesson} /> : null}
    </li>
  );
}

function LessonDetail({ lesson: { id, symptom, evidence } }: { readonly lesson: Lesson }) {
  const { rules = [], facts, change = [], code = [], error = [], tunables = {} } = symptom;
  const symptoms = [
    ...rules.map((rule) => ['finding', rule] as const),
    ...(facts === undefined ? [] : [['measured', facts] as const]),
    ...error.map((text) => ['error text', text] as const),
    ...change.map((text) => ['in a change', text] as const),
    ...code.map((text) => ['in the code', text] as const),
    ...Object.entries(tunables).map(([name, way]) => ['tunable', `${name}: ${way}`] as const),
  ];
  return (
    <>
      <h3>Recognised by</h3>
      {symptoms.length === 0 ? (
        <p class="quiet">It has no pattern to match; it is for people to read.</p>
      ) : (
        <ul class="lines">
          {symptoms.map(([name, text], index) => (
            <li key={index}>
              {name} <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      <h3>Evidence</h3>
      {evidence.length === 0 ? (
        <p class="quiet">None was recorded.</p>
      ) : (
        <ul class="lines">
          {evidence.map(({ date, device, kernel, session, speedup, note }, index) => (
            <li key={index}>
              {[date, device, kernel].filter(Boolean).join(', ')}
              {speedup === undefined ? '' : ` ${speedupText(speedup)}`}
              {note === undefined ? '' : ` ${note}`}
              {session === undefined ? null : (
                <>
                  {' '}
                  <a href={hrefOf(['session', session])}>{session}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        <code>{id}</code>
      </p>
    </>
  );
}
