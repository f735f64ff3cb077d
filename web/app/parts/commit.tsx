import { shortCommit } from '../common/format.ts';
import { useCommit } from '../source/use-commit.ts';

/** A commit: its hash, and where they are known its subject, its author, its pull request and their pages. */
export function Commit(props: {
  readonly sha: string | undefined;
  /** A page of ours that the hash leads to. */
  readonly href?: string;
  /** The hash alone, with the rest when it is pointed at. */
  readonly brief?: boolean;
}) {
  const { sha, href, brief = false } = props;
  const told = useCommit(sha);
  if (sha === undefined) return <span class="quiet">–</span>;
  const code = <code>{shortCommit(sha)}</code>;
  const words = [told?.subject, told?.author].filter(Boolean).join(' · ');
  const target = href ?? told?.url;
  const hash =
    target === undefined ? (
      <span title={words}>{code}</span>
    ) : (
      <a href={target} rel="noreferrer" title={words}>
        {code}
      </a>
    );
  if (brief || told === undefined) return hash;
  const { subject, author, pull_request, pull_request_url, url } = told;
  return (
    <span class="commit">
      {hash}{' '}
      {subject === undefined ? null : (
        <small class="subject" title={subject}>
          {href !== undefined && url !== undefined ? (
            <a href={url} rel="noreferrer">
              {subject}
            </a>
          ) : (
            subject
          )}
        </small>
      )}{' '}
      <small>
        {author}{' '}
        {pull_request === undefined ? null : <PullRequest number={pull_request} url={pull_request_url} />}
      </small>
    </span>
  );
}

export function PullRequest({ number, url }: { readonly number: number; readonly url: string | undefined }) {
  const text = `#${number}`;
  return url === undefined ? (
    <>{text}</>
  ) : (
    <a href={url} rel="noreferrer">
      {text}
    </a>
  );
}
