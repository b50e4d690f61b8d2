import { keyFor } from '#server/core/secret.ts'
import type { WebhookSettings } from '#server/modules/webhooks/webhook-settings.ts'

/** Receivers of tests listen on loopback. */
export const testWebhooks: WebhookSettings = {
  key: keyFor('a secret for tests, long enough to be one', 'webhooks'),
  allowsLoopback: true,
}
