import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { LinkSignature } from '#server/core/wire/schema.ts'

/** Long enough to follow a link. */
const LINK_LIFETIME_MS = 60_000

/** Signs a link to what `to` names, for the caller and their credential alone; it is valid for a minute. */
export function signLink(ctx: Ctx, key: Buffer, to: string[]): LinkSignature {
  const expires = String(ctx.now().getTime() + LINK_LIFETIME_MS)
  return { expires, signature: signatureOf(key, [...to, ...callerOf(ctx), expires]).toString('base64url') }
}

/** NOT_FOUND for a link that has expired or was made for something or someone else. What the caller may see is still to be checked. */
export function assertSignature(ctx: Ctx, key: Buffer, to: string[], { expires, signature }: LinkSignature): void {
  const right = signatureOf(key, [...to, ...callerOf(ctx), expires])
  const given = Buffer.from(signature, 'base64url')
  const isRight = given.length === right.length && timingSafeEqual(given, right)
  if (!isRight || Number(expires) <= ctx.now().getTime()) throw new DomainError('NOT_FOUND')
}

function callerOf({ actor }: Ctx): string[] {
  if (actor.kind !== 'user' && actor.kind !== 'admin') return []
  return [actor.userId ?? '', actor.sessionId ?? '', actor.tokenId ?? '']
}

function signatureOf(key: Buffer, words: string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest()
}
