import type {
  AlertsReport,
  AlertsSent,
  AlertTest,
  Delivery,
  SubscriptionState,
} from '../../model/server/alert.ts';
import type { Tone } from '../../model/judge/verdict.ts';
import { painter, TONE_STYLE, type Paint } from './paint.ts';
import { hanging, plainText } from '../text/plain-text.ts';

interface RenderOptions {
  readonly color: boolean;
  readonly columns: number;
}

export function renderAlerts(report: AlertsReport, { color, columns }: RenderOptions): string {
  const paint = painter(color);
  const lines = report.subscriptions.flatMap((one) => [
    ...hanging(`${paint('bold', one.name)}  `, one.name.length + 2, placeText(one), columns),
    ...hanging('  ', 2, countsText(one), columns),
    ...(one.missing === undefined
      ? []
      : hanging(`  ${paint('yellow', '!')} `, 4, `cannot send: ${one.missing}`, columns)),
  ]);
  const deliveries = report.deliveries.flatMap((one) => deliveryLines(one, paint, columns));
  return [...lines, '', ...(deliveries.length === 0 ? ['No changes to report yet.'] : deliveries), ''].join(
    '\n',
  );
}

function placeText({ channel, to, changes, kernels, branches, devices }: SubscriptionState): string {
  const only = [
    ...(changes === 'all' ? [] : [`${changes} only`]),
    ...(kernels.length === 0 ? [] : [`kernels ${kernels.join(', ')}`]),
    ...(branches.length === 0 ? [] : [`branches ${branches.join(', ')}`]),
    ...(devices.length === 0 ? [] : [`devices ${devices.join(', ')}`]),
  ];
  return `${channel} to ${to}${only.length === 0 ? '' : `: ${only.join('; ')}`}`;
}

function countsText({ since, sent, waiting, failed }: SubscriptionState): string {
  if (since === undefined)
    return 'not searched yet: the first `pawl alerts send` records existing changes without sending them';
  return `since ${since.slice(0, 10)}: ${sent} sent, ${waiting} waiting, ${failed} given up`;
}

const STATES: Readonly<Record<Delivery['state'], readonly [mark: string, tone: Tone]>> = {
  sent: ['✓', 'good'],
  waiting: ['…', 'warn'],
  failed: ['✗', 'bad'],
  before: ['·', 'plain'],
};

function deliveryLines(one: Delivery, paint: Paint, columns: number): string[] {
  const { state, subscription, title, tries, next_try_at, sent_at, error } = one;
  const [mark, tone] = STATES[state];
  const when =
    state === 'sent'
      ? `sent ${minute(sent_at ?? one.found_at)}`
      : state === 'failed'
        ? `given up after ${tries} tries`
        : tries === 0
          ? 'to be sent'
          : `tried ${tries} ${tries === 1 ? 'time' : 'times'}, next ${minute(next_try_at ?? one.found_at)}`;
  return [
    ...hanging(`${paint(TONE_STYLE[tone], mark)} `, 2, `${title} (${subscription}: ${when})`, columns),
    ...hanging('  ', 2, error ?? '', columns),
    // Not wrapped: an address is copied whole.
    ...(one.url === undefined ? [] : [`  ${plainText(one.url)}`]),
  ];
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

export function renderSent(sent: AlertsSent, { color, columns }: RenderOptions): string {
  const paint = painter(color);
  const { dry_run, found, tried, waiting } = sent;
  const lines = tried.flatMap((one) => deliveryLines(one, paint, columns));
  const done = tried.filter(({ state }) => state === 'sent').length;
  const summary = dry_run
    ? `${found} new, ${tried.length} would be sent. Nothing was sent or recorded.`
    : `${found} new, ${done} sent, ${waiting} waiting.`;
  return [...lines, ...hanging('', 0, summary, columns), ''].join('\n');
}

export function renderTest(test: AlertTest, { color, columns }: RenderOptions): string {
  const paint = painter(color);
  const { subscription, channel, sent, error, dry_run, message } = test;
  if (dry_run) return `${JSON.stringify(message, undefined, 2)}\n`;
  const text = sent
    ? `${subscription}: the test was sent (${channel})${error === undefined ? '' : `, but ${error}`}.`
    : `${subscription}: the test was not sent (${channel}): ${error ?? 'unknown'}`;
  return `${hanging(`${sent ? paint('green', '✓') : paint('red', '✗')} `, 2, text, columns).join('\n')}\n`;
}
