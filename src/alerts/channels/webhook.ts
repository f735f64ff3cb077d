import { createHmac } from 'node:crypto';

import type { Alert } from '../../model/server/alert.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Channel, SendContext, SendOutcome } from './channel.ts';
import { postJson } from './post-json.ts';

/** Shorter can be guessed. */
const SHORTEST_SECRET = 16;
const PREFIX = 'whsec_';

/** The alert as JSON, signed where there is a secret, by https://www.standardwebhooks.com. */
export class WebhookChannel implements Channel {
  readonly #url: URL;
  readonly #secret: Buffer | undefined;

  constructor(url: URL, secret: string | undefined) {
    this.#url = url;
    this.#secret = secret === undefined ? undefined : keyOf(secret);
  }

  send(alert: Alert, context: SendContext): Promise<SendOutcome> {
    const body = JSON.stringify(alert);
    const timestamp = String(Math.floor(context.now().getTime() / 1000));
    const headers = {
      'webhook-id': alert.id,
      'webhook-timestamp': timestamp,
      ...(this.#secret === undefined
        ? {}
        : { 'webhook-signature': `v1,${signatureOf(this.#secret, `${alert.id}.${timestamp}.${body}`)}` }),
    };
    return postJson(this.#url, body, headers, context);
  }
}

function signatureOf(secret: Buffer, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('base64');
}

/** `whsec_` and base64, as the standard's libraries want it; any other text is used as it is. */
function keyOf(secret: string): Buffer {
  const key = secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
  if (key.length >= SHORTEST_SECRET) return key;
  throw new PawlError(
    'configuration',
    `The secret of a webhook has fewer than ${SHORTEST_SECRET} bytes.`,
    'Make one: echo "whsec_$(openssl rand -base64 32)"',
  );
}
