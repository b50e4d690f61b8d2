import { createHmac } from 'node:crypto'

interface Signing {
  /** The endpoint's own first; the one before it while that still counts. */
  secrets: [string, ...string[]]
  webhookId: string
  at: Date
  body: string
}

/**
 * Standard Webhooks: one signature for each secret that counts. And, for receivers of the existing service, `x-amity-signature`
 * over the body alone, with the secret as it was shown for its key (WIRE.md, section 7).
 */
export function signDelivery({ secrets, webhookId, at, body }: Signing): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const signed = secrets.map((secret) => `v1,${hmac(keyOf(secret), `${webhookId}.${seconds}.${body}`)}`)
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': seconds,
    'webhook-signature': signed.join(' '),
    'x-amity-signature': hmac(secrets[0], body),
  }
}

function hmac(key: Buffer | string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64')
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
