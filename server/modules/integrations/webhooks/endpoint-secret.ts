import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from '#server/core/cipher.ts'

const SECRET_BYTES = 32

/** A new secret, in the format of Standard Webhooks. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Sealed for the database, which alone is not enough to sign. */
export function sealSecret(key: Buffer, secret: string): Uint8Array<ArrayBuffer> {
  return encrypt(key, secret)
}

/** Fails if the key is not the one it was sealed with: DOCKET_SECRET has changed. */
export function openSecret(key: Buffer, sealed: Uint8Array): string {
  return decrypt(key, sealed)
}

/** The secret; undefined if the key is not the one it was sealed with. */
export function openedSecret(key: Buffer, sealed: Uint8Array): string | undefined {
  try {
    return openSecret(key, sealed)
  } catch {
    return undefined
  }
}
