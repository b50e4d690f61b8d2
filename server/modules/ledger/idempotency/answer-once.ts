import { createHash } from 'node:crypto'
import { decrypt, encrypt } from '#server/core/cipher.ts'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError, ERRORS } from '#server/core/errors.ts'
import { KEPT_HOURS } from '#server/modules/ledger/idempotency/schema.ts'

/** A write with an idempotency key, so that it can be sent again without being repeated. */
export interface NamedRequest {
  /** The caller's key. */
  key: string
  /** A digest of the request: its route and everything that was sent. */
  digest: Buffer
  /** The key that stored responses are encrypted with. */
  cipherKey: Buffer
}

/** A response as it is sent. */
export interface Answer {
  status: number
  contentType: string
  body: string
}

export interface NamedAnswer extends Answer {
  /** Whether it is a stored response to the same request. */
  isReplayed: boolean
}

interface Acts {
  act: (ctx: Ctx) => Promise<Answer>
  toFailure: (error: DomainError) => Answer
  /** It needs no transaction around it: all its changes are one statement, or in a transaction of its own. */
  isAtomic: boolean
}

/**
 * Does a write and stores its response in one transaction, or returns the stored response; a request without a key is done each
 * time. Errors of domain functions are stored too, after a rollback of their changes, except those that may differ for the same
 * request: 401, 429 and server errors. Fails with INVALID_PARAMETERS if the caller used the key for another request,
 * IN_PROGRESS while the same one is running.
 */
export async function answerOnce(ctx: Ctx, request: NamedRequest | undefined, acts: Acts): Promise<NamedAnswer> {
  if (request === undefined) {
    const answer = acts.isAtomic ? await acts.act(ctx) : await inTransaction(ctx, acts.act)
    return { ...answer, isReplayed: false }
  }
  const attempt = (act: (ctx: Ctx) => Promise<Answer>) =>
    inTransaction(ctx, async (ctx): Promise<NamedAnswer> => {
      const kept = await claim(ctx, request)
      if (kept) return { ...kept, isReplayed: true }
      const answer = await act(ctx)
      await keep(ctx, request, answer)
      return { ...answer, isReplayed: false }
    })

  try {
    return await attempt((ctx) => acts.act(ctx).catch(throwAsRejected))
  } catch (error) {
    if (!(error instanceof RejectedAct)) throw error
    const { reason } = error
    if (!isKept(reason)) throw reason
    // Nothing was changed. If another request with the same key finished in between, its response is returned.
    return attempt(async () => acts.toFailure(reason))
  }
}

/** Carries the error of a domain function out of its transaction, apart from errors about the key. */
class RejectedAct extends Error {
  readonly reason: DomainError

  constructor(reason: DomainError) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

function throwAsRejected(error: unknown): never {
  throw error instanceof DomainError ? new RejectedAct(error) : error
}

function isKept({ code: failure }: DomainError): boolean {
  const { http } = ERRORS[failure]
  return http < 500 && failure !== 'UNAUTHORIZED' && failure !== 'RATE_LIMITED'
}

/** The credential of a request: two tokens of one user never share a key. */
function credentialOf(actor: Actor): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`
  if ('tokenId' in actor && actor.tokenId !== undefined) return `token:${actor.tokenId}`
  throw new DomainError('UNAUTHORIZED')
}

/** The lock held while a request with this key runs; a rare hash collision costs one of the two a retry. */
export function lockOf({ actor }: Pick<Ctx, 'actor'>, key: string): string {
  const digest = createHash('sha256')
    .update(`idempotency ${credentialOf(actor)} ${key}`)
    .digest()
  return digest.readBigInt64BE().toString()
}

/**
 * Locks the key until the end of the transaction, or fails at once; then returns the stored response. Two statements: the
 * second sees what the last holder of the lock committed.
 */
async function claim(ctx: Ctx, request: NamedRequest): Promise<Answer | undefined> {
  const lock = await queryOne<{ isFree: boolean }>(
    ctx,
    sql`select pg_try_advisory_xact_lock(${lockOf(ctx, request.key)}::text::bigint) as is_free`,
  )
  if (lock?.isFree !== true) throw new DomainError('IN_PROGRESS')

  const kept = await queryOne<{ requestDigest: Uint8Array; status: number; answer: Uint8Array }>(
    ctx,
    sql`
    select request_digest, status, answer from idempotency_key
    where credential = ${credentialOf(ctx.actor)} and key_digest = ${digestOf(request.key)} and created_at > ${KEPT_SINCE}`,
  )
  if (kept === undefined) return undefined
  if (!request.digest.equals(kept.requestDigest))
    throw new DomainError('INVALID_PARAMETERS', { detail: ['Idempotency-Key: was used for another request'] })
  return { status: kept.status, ...read(ctx, request, kept.answer) }
}

/** A response encrypted before DOCKET_SECRET changed is lost, and its request must not run again. */
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

/** Uses the database's clock, which all processes share. */
const KEPT_SINCE = sql.raw(`now() - interval '${KEPT_HOURS} hours'`)

async function keep(ctx: Ctx, request: NamedRequest, { status, ...answer }: Answer): Promise<void> {
  const encrypted = encrypt(request.cipherKey, JSON.stringify(answer), bindingOf(ctx, request))
  const kept = await execute(
    ctx,
    sql`
    insert into idempotency_key (credential, key_digest, request_digest, status, answer)
    values (${credentialOf(ctx.actor)}, ${digestOf(request.key)}, ${request.digest}, ${status}, ${encrypted})
    on conflict (credential, key_digest) do update
      set request_digest = excluded.request_digest, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
      where idempotency_key.created_at <= ${KEPT_SINCE}`,
  )
  if (kept === 0) throw new Error('a response was stored under a key that another request had locked')
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function bindingOf({ actor }: Ctx, { key, digest }: NamedRequest): Buffer {
  return Buffer.concat([createHash('sha256').update(credentialOf(actor)).digest(), digestOf(key), digest])
}
