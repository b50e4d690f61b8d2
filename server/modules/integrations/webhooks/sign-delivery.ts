import { createHmac } from 'node:crypto'

interface Sending {
  webhookId: string
  at: Date
}

/** The parts of a delivery before it is signed. */
export function headersOf({ webhookId, at }: Sending) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Docket-Webhooks',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  }
}

interface Signing extends Sending {
  /** The endpoint's current secret first; the previous one while it is still valid. */
  secrets: [string, ...string[]]
  body: string
}

/**
 * Standard Webhooks: one signature for each valid secret. For receivers of the existing service also `x-amity-signature` over
 * the body alone, with the secret string as it was shown as its key (docs/interface/webhooks.md#signatures).
 */
export function signDelivery({ secrets, body, ...sending }: Signing): Record<string, string> {
  const headers = headersOf(sending)
  const signing = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signed = secrets.map((secret) => `v1,${hmac(keyOf(secret), signing)}`)
  return {
    ...headers,
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
