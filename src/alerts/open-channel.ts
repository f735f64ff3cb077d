import type { AlertsConfig, SubscriptionConfig } from '../config/alerts-schema.ts';
import type { Alert, AlertChannel } from '../model/server/alert.ts';
import type { Environment } from '../os/environment.ts';
import type { Channel } from './channels/channel.ts';
import { chatBody, ChatChannel } from './channels/chat.ts';
import { mailBody, MailChannel, mailServer } from './channels/mail.ts';
import { webAddress } from './channels/post-json.ts';
import { WebhookChannel } from './channels/webhook.ts';
import { readSecret } from './read-secret.ts';

/** Which channel a subscription has, and what may be shown of where it leads. */
export function targetOf(one: SubscriptionConfig): {
  readonly channel: AlertChannel;
  readonly to: string;
} {
  if (one.mail !== undefined) return { channel: 'mail', to: one.mail.join(', ') };
  if (one.slack !== undefined) return { channel: 'slack', to: one.slack };
  if (one.discord !== undefined) return { channel: 'discord', to: one.discord };
  return { channel: 'webhook', to: one.webhook! };
}

/** What would be sent, without the address it goes to: no secret is needed for it. */
export function messageFor(
  one: SubscriptionConfig,
  { from }: Pick<AlertsConfig, 'from'>,
  alert: Alert,
): unknown {
  const { channel } = targetOf(one);
  switch (channel) {
    case 'mail':
      return { from, to: one.mail, ...mailBody(alert) };
    case 'slack':
    case 'discord':
      return chatBody(channel, alert);
    case 'webhook':
      return alert;
  }
}

/** @throws {PawlError} of kind `configuration` where a secret is missing or is not what it should be */
export async function openChannel(
  one: SubscriptionConfig,
  { smtp, from }: Pick<AlertsConfig, 'smtp' | 'from'>,
  env: Environment,
): Promise<Channel> {
  const address = async (variable: string): Promise<URL> =>
    webAddress(await readSecret(variable, env), variable);
  const { channel, to } = targetOf(one);
  switch (channel) {
    case 'mail':
      return new MailChannel({
        server: mailServer(await readSecret(smtp, env), smtp),
        from: from!,
        to: one.mail!,
      });
    case 'slack':
    case 'discord':
      return new ChatChannel(await address(to), channel);
    case 'webhook':
      return new WebhookChannel(
        await address(to),
        one.secret === undefined ? undefined : await readSecret(one.secret, env),
      );
  }
}
