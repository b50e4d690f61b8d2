import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { LinkSignature } from '#server/core/wire/schema.ts'

/** Long enough to follow a link. */
const LINK_LIFETIME_MS = 60_000

/** Signs a link to what `to` names; it is valid for a minute. */
export function signLink(ctx: Ctx, key: Buffer, to: string[]): LinkSignature {
  const expires = String(ctx.now().getTime() + LINK_LIFETIME_MS)
  return { expires, signature: signatureOf(key, [...to, expires]).toString('base64url') }
}

/** NOT_FOUND for a link that has expired or was made for something else. */
export function assertSignature(ctx: Ctx, key: Buffer, to: string[], { expires, signature }: LinkSignature): void {
  const right = signatureOf(key, [...to, expires])
  const given = Buffer.from(signature, 'base64url')
  const isRight = given.length === right.length && timingSafeEqual(given, right)
  if (!isRight || Number(expires) <= ctx.now().getTime()) throw new DomainError('NOT_FOUND')
}

function signatureOf(key: Buffer, words: string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest()
}
