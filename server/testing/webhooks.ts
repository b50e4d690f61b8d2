import { keyFor } from '#server/core/secret.ts'
import type { WebhookSettings } from '#server/modules/webhooks/webhook-settings.ts'

export const TEST_SECRET = 'a secret for tests, long enough to be one'

/** Receivers of tests listen on loopback. */
export const testWebhooks: WebhookSettings = { key: keyFor(TEST_SECRET, 'webhooks'), allowsLoopback: true }
