import type { WakeConfig, WakeEvent, WakeHost } from '../../model/server/wake.ts';
import { painter } from './paint.ts';
import { padEnd, plainText } from '../text/plain-text.ts';

/** One line an event: when, how grave, what, about whom, and a sentence. */
export function wakeLine({ at, level, event, host, job, message }: WakeEvent, color: boolean): string {
  const paint = painter(color);
  const about = [host, job === undefined ? undefined : `job ${job}`].filter((part) => part !== undefined);
  const word = padEnd(level, 7);
  return [
    paint('dim', at),
    level === 'info' ? word : paint(level === 'error' ? 'red' : 'yellow', word),
    plainText(event),
    ...(about.length === 0 ? [] : [plainText(about.join(' '))]),
    plainText(message),
  ].join(' ');
}

/** What `--check` shows of a wake.yaml. */
export function renderWakeConfig(config: WakeConfig, color: boolean): string {
  const paint = painter(color);
  const { listen, repositories, hosts } = config;
  const lines = [
    `listens on http://${listen.host}:${listen.port}${listen.path}, for ${repositories.join(', ')}`,
    ...Object.entries(hosts).flatMap(([name, host]) =>
      ['', paint('bold', name)].concat(
        hostLines(host).map(([what, text]) => `  ${paint('dim', padEnd(what, 8))}${plainText(text)}`),
      ),
    ),
    ...wakeAdvice(config).flatMap((text) => ['', `${paint('yellow', '!')} ${text}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function hostLines(host: WakeHost): (readonly [string, string])[] {
  const { idle_minutes, grace_minutes, max_awake_hours, attempts, command_timeout_s } = host;
  return [
    ['labels', host.labels.join(', ')],
    ['wake', host.wake.join(' ')],
    ['sleep', host.sleep?.join(' ') ?? '(never)'],
    ['status', host.status?.join(' ') ?? '(not asked)'],
    [
      'rules',
      `sleeps after ${idle_minutes} min idle, not before ${grace_minutes} min after waking; ${attempts} tries of ${command_timeout_s} s; alarm after ${max_awake_hours} h awake`,
    ],
  ];
}

/** What is allowed and probably not meant. */
function wakeAdvice({ listen, hosts, alarm }: WakeConfig): string[] {
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(listen.host);
  return [
    ...(isOpen
      ? [`${listen.host} is open to the network without TLS: put a proxy before it (docs/wake.md)`]
      : []),
    ...Object.entries(hosts).flatMap(([name, { labels }]) =>
      labels.some((label) => label.toLowerCase() === 'self-hosted')
        ? []
        : `${name} has no label self-hosted, which runners of one's own have: most jobs ask for it`,
    ),
    ...Object.entries(hosts).flatMap(([name, { sleep }]) =>
      sleep === undefined ? `${name} is never put to sleep: it has no sleep command` : [],
    ),
    ...(alarm === undefined ? ['no alarm command: a host that stays awake is reported only in the log'] : []),
  ];
}
