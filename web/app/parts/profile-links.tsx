import { profileCase } from '../common/commands.ts';
import { shortCommit, timeOfDay } from '../common/format.ts';
import { hrefOf } from '../common/router.ts';
import type { Page, ProfileSummary } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';
import { Empty, Shown } from './states.tsx';

export function ProfileLinks({ kernel, name }: { readonly kernel: string; readonly name: string }) {
  const asked = new URLSearchParams({ kernel, case: name });
  const loaded = useAnswer<Page<ProfileSummary>>(`profiles?${asked.toString()}`);
  return (
    <Shown loaded={loaded} height={60}>
      {({ items }) => {
        const own = items.filter((profile) => profile.kernel === kernel && profile.case === name);
        if (own.length === 0)
          return <Empty title="This case was not profiled." command={profileCase({ kernel, case: name })} />;
        return (
          <ul class="links panel">
            {own.slice(0, 8).map(({ id, time, commit, summary }) => (
              <li key={id}>
                <a href={hrefOf(['profile', id])}>
                  {timeOfDay(time)}
                  {commit === undefined ? '' : ` · ${shortCommit(commit)}`}
                </a>{' '}
                {summary}
              </li>
            ))}
          </ul>
        );
      }}
    </Shown>
  );
}
