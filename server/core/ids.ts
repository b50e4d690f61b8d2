import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 bits with a prefix that tells people and scanners what it is. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** The stored form of a secret. It has 256 random bits, so a plain digest is safe and can be looked up. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** A password for people to type once: 20 letters and digits in groups, without look-alikes, about 98 bits. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters: string[] = []
  while (letters.length < 20) {
    const byte = randomBytes(1)[0] ?? 255
    if (byte < alphabet.length * 8) letters.push(alphabet.charAt(byte % alphabet.length))
  }
  return letters.join('').replace(/(.{5})(?=.)/g, '$1-')
}
