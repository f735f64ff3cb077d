import type { AlertsConfig } from './alerts-schema.ts';
import { loadConfig } from './load-config.ts';
import { PawlError } from '../model/pawl-error.ts';

/** @throws {PawlError} of kind `configuration` where pawl.yaml has no `alerts` */
export async function loadAlerts(config: string | undefined): Promise<AlertsConfig> {
  const { alerts } = (await loadConfig(config)).config;
  if (alerts !== undefined) return alerts;
  throw new PawlError(
    'configuration',
    'pawl.yaml has no `alerts`.',
    'docs/alerts.md shows how to subscribe a webhook, a chat or a mail address.',
  );
}
