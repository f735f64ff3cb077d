import { SHOW_LESSONS } from '../common/commands.ts';
import { countText } from '../common/format.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { LessonCard } from '../parts/lesson-card.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { adjust, type Place } from '../common/router.ts';
import type { Lesson, Lessons } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

export function LessonsPage({ query }: { readonly query: Place['query'] }) {
  const loaded = useAnswer<Lessons>('lessons');
  return (
    <>
      <h1>Lessons</h1>
      <Shown loaded={loaded} height={600}>
        {({ lessons }) =>
          lessons.length === 0 ? (
            <Empty title="There are no lessons." command={SHOW_LESSONS}>
              A lesson is a known problem: its symptom, cause and fix. Sessions add lessons when they end.
            </Empty>
          ) : (
            <Browser lessons={lessons} query={query} />
          )
        }
      </Shown>
    </>
  );
}

function Browser({
  lessons,
  query,
}: {
  readonly lessons: readonly Lesson[];
  readonly query: Place['query'];
}) {
  const { q, device, kind, source, open } = query;
  const shown = lessons
    .filter(
      (lesson) =>
        holdsFor(lesson.scope.devices, device) &&
        holdsFor(lesson.scope.kinds, kind) &&
        (!source || lesson.source === source) &&
        matches(q, [JSON.stringify(lesson)]),
    )
    .toSorted((one, other) => Number(one.withdrawn !== undefined) - Number(other.withdrawn !== undefined));
  const devices = lessons.flatMap(({ scope, evidence }) => [
    ...(scope.devices ?? []),
    ...evidence.flatMap((one) => one.device ?? []),
  ]);
  return (
    <>
      <div class="tools-line">
        <FilterBox value={q} label="Search lessons" />
        <Choice label="Device" name="device" value={device} options={choices(devices)} />
        <Choice
          label="Kind"
          name="kind"
          value={kind}
          options={choices(lessons.flatMap(({ scope }) => scope.kinds ?? []))}
        />
        <Choice
          label="Source"
          name="source"
          value={source}
          options={choices(lessons.map((lesson) => lesson.source))}
        />
        <span class="quiet" role="status">
          {countText(shown.length, 'lesson')} of {lessons.length}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty title="No lesson matches." />
      ) : (
        <ul class="lessons keyed">
          {shown.map((lesson) => (
            <LessonCard
              key={lesson.id}
              lesson={lesson}
              heading="h2"
              isOpen={lesson.id === open}
              onToggle={() => adjust({ open: lesson.id === open ? undefined : lesson.id })}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function choices(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'all'], ...[...new Set(values)].toSorted().map((value) => [value, value] as const)];
}

/** What is left out of a lesson's scope holds everywhere; `*` in a name stands for any text. */
function holdsFor(patterns: readonly string[] | undefined, name: string | undefined): boolean {
  if (!name || patterns === undefined || patterns.length === 0) return true;
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/gu, String.raw`\$&`));
    return pattern === name || new RegExp(`^${parts.join('.*')}$`, 'u').test(name);
  });
}
