import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a text for the database; the database alone is not enough to read it. The result holds nonce, tag and ciphertext. With `boundTo`
 * it can only be decrypted with the same bytes, so it cannot be moved to another row.
 */
export function encrypt(key: Buffer, text: string, boundTo?: Buffer): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  if (boundTo) cipher.setAAD(boundTo)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]))
}

/** Throws if the key is not the one it was encrypted with, that is, if DOCKET_SECRET has changed. */
export function decrypt(key: Buffer, encrypted: Uint8Array, boundTo?: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  if (boundTo) decipher.setAAD(boundTo)
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  )
}
