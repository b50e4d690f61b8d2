import { keyFor } from '#server/core/secret.ts'
import type { WebhookSettings } from '#server/modules/integrations/webhooks/webhook-settings.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'

/** Receivers of tests listen on loopback. */
export const testWebhooks: WebhookSettings = { key: keyFor(TEST_SECRET, 'webhooks'), allowsLoopback: true }
