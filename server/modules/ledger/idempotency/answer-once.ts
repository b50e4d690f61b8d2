import { createHash } from 'node:crypto'
import { decrypt, encrypt } from '#server/core/cipher.ts'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne } from '#server/core/db.ts'
import { DomainError, ERRORS } from '#server/core/errors.ts'
import { KEPT_HOURS } from '#server/modules/ledger/idempotency/schema.ts'

/** A write that its caller named, so that it can be sent again without being done again. */
export interface NamedRequest {
  /** What the caller named it. */
  key: string
  /** Of all that makes it this request: its route and all that was sent. */
  digest: Buffer
  /** What stored answers are encrypted with. */
  cipherKey: Buffer
}

/** An answer as it leaves. */
export interface Answer {
  status: number
  contentType: string
  body: string
}

export interface NamedAnswer extends Answer {
  /** Whether it was given before, to the same request. */
  isReplayed: boolean
}

/**
 * Does a write and keeps its answer in one transaction, or gives the answer that was kept; a request without a name is done each time. What a domain function refuses is kept
 * too, once all it did is rolled back; only what may turn out otherwise for the same request is not: 401, 429 and server faults.
 * Fails with INVALID_PARAMETERS where the caller used the key for another request, IN_PROGRESS while the same one is being done.
 */
export async function answerOnce(
  ctx: Ctx,
  request: NamedRequest | undefined,
  acts: { act: (ctx: Ctx) => Promise<Answer>; refuse: (error: DomainError) => Answer },
): Promise<NamedAnswer> {
  if (request === undefined) return { ...(await inTransaction(ctx, acts.act)), isReplayed: false }
  const attempt = (act: (ctx: Ctx) => Promise<Answer>) =>
    inTransaction(ctx, async (ctx): Promise<NamedAnswer> => {
      const kept = await claim(ctx, request)
      if (kept) return { ...kept, isReplayed: true }
      const answer = await act(ctx)
      await keep(ctx, request, answer)
      return { ...answer, isReplayed: false }
    })

  try {
    return await attempt((ctx) => acts.act(ctx).catch(asRefusal))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { refusal } = error
    if (!isKept(refusal)) throw refusal
    // Nothing was changed. Whoever came with the same key in the meantime was first, and theirs is the answer.
    return attempt(async () => acts.refuse(refusal))
  }
}

/** Carries what a domain function refused out of its transaction, apart from what is refused about the key. */
class Refusal extends Error {
  readonly refusal: DomainError

  constructor(refusal: DomainError) {
    super(refusal.message, { cause: refusal })
    this.refusal = refusal
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof DomainError ? new Refusal(error) : error
}

function isKept({ code: failure }: DomainError): boolean {
  const { http } = ERRORS[failure]
  return http < 500 && failure !== 'UNAUTHORIZED' && failure !== 'RATE_LIMITED'
}

/** Which credential a request came with: two tokens of one user never share a key. */
function credentialOf(actor: Actor): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`
  if ('tokenId' in actor && actor.tokenId !== undefined) return `token:${actor.tokenId}`
  throw new DomainError('UNAUTHORIZED')
}

/** What is locked while a request of this name is being done; a chance meeting of two costs one of them a retry. */
export function lockOf({ actor }: Pick<Ctx, 'actor'>, key: string): string {
  const digest = createHash('sha256')
    .update(`idempotency ${credentialOf(actor)} ${key}`)
    .digest()
  return digest.readBigInt64BE().toString()
}

/**
 * Locks the name until the end of the transaction, or fails at once; then gives the answer that is kept. Two statements: the second
 * sees what the last holder of the lock committed.
 */
async function claim(ctx: Ctx, request: NamedRequest): Promise<Answer | undefined> {
  const lock = await queryOne<{ isFree: boolean }>(
    ctx,
    Prisma.sql`select pg_try_advisory_xact_lock(${lockOf(ctx, request.key)}::text::bigint) as "isFree"`,
  )
  if (lock?.isFree !== true) throw new DomainError('IN_PROGRESS')

  const kept = await queryOne<{ requestDigest: Uint8Array; status: number; answer: Uint8Array }>(
    ctx,
    Prisma.sql`
    select request_digest as "requestDigest", status, answer from idempotency_key
    where credential = ${credentialOf(ctx.actor)} and key_digest = ${digestOf(request.key)} and created_at > ${KEPT_SINCE}`,
  )
  if (kept === undefined) return undefined
  if (!request.digest.equals(kept.requestDigest))
    throw new DomainError('INVALID_PARAMETERS', { detail: ['Idempotency-Key: was used for another request'] })
  return { status: kept.status, ...read(ctx, request, kept.answer) }
}

/** One that was encrypted before DOCKET_SECRET changed is lost, and what it answered must not be done again. */
function read(ctx: Ctx, request: NamedRequest, answer: Uint8Array): Pick<Answer, 'contentType' | 'body'> {
  try {
    return JSON.parse(decrypt(request.cipherKey, answer, bindingOf(ctx, request)))
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(cause: unknown): DomainError {
  return new DomainError(
    'INVALID_PARAMETERS',
    { detail: ['Idempotency-Key: its first answer can no longer be read'] },
    { cause },
  )
}

/** By the database's clock, which all processes share. */
const KEPT_SINCE = Prisma.raw(`now() - interval '${KEPT_HOURS} hours'`)

async function keep(ctx: Ctx, request: NamedRequest, { status, ...answer }: Answer): Promise<void> {
  const encrypted = encrypt(request.cipherKey, JSON.stringify(answer), bindingOf(ctx, request))
  const kept = await queryOne(
    ctx,
    Prisma.sql`
    insert into idempotency_key (credential, key_digest, request_digest, status, answer)
    values (${credentialOf(ctx.actor)}, ${digestOf(request.key)}, ${request.digest}, ${status}, ${encrypted})
    on conflict (credential, key_digest) do update
      set request_digest = excluded.request_digest, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
      where idempotency_key.created_at <= ${KEPT_SINCE}
    returning true as kept`,
  )
  if (kept === undefined) throw new Error('an answer was kept under a name that somebody else had locked')
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function bindingOf({ actor }: Ctx, { key, digest }: NamedRequest): Buffer {
  return Buffer.concat([createHash('sha256').update(credentialOf(actor)).digest(), digestOf(key), digest])
}
