import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import { digestOf } from '#server/core/ids.ts'

/** Marks a token of which only the digest is known, in rows that were not looked up by their token. */
const KNOWN_BY_DIGEST = 'sha256:'

/** What `staff_session.token` stores of a session token: enough to find the session by its cookie, but not to forge a cookie. */
export function sessionDigest(token: string): string {
  return digestOf(token).toString('hex')
}

/**
 * Makes a store of sessions keep only digests of their tokens. A lookup by token returns that token in the rows; other rows hold a mark in
 * its place that can end those sessions, but can't open them.
 */
export function withSessionDigests<Options extends object>(
  open: (options: Options) => DBAdapter<Options>,
): (options: Options) => DBAdapter<Options> {
  return (options) => {
    const store = open(options)
    return {
      ...digesting(store),
      transaction: (act) => store.transaction((inside) => act(digesting(inside))),
      ...(store.createSchema && { createSchema: store.createSchema }),
    }
  }
}

function digesting<Options extends object>(store: DBTransactionAdapter<Options>): DBTransactionAdapter<Options> {
  return {
    ...store,
    create: (asked) => create((stored) => store.create(stored), asked),
    // The one way to open a session: only its token works.
    findOne: (asked) => ask((stored) => store.findOne(stored), asked, sessionDigest),
    findMany: (asked) => ask((stored) => store.findMany(stored), asked),
    count: (asked) => ask((stored) => store.count(stored), asked),
    update: (asked) => ask((stored) => store.update(stored), asked),
    updateMany: (asked) => ask((stored) => store.updateMany(stored), asked),
    delete: (asked) => ask((stored) => store.delete(stored), asked),
    deleteMany: (asked) => ask((stored) => store.deleteMany(stored), asked),
    consumeOne: (asked) => ask((stored) => store.consumeOne(stored), asked),
    incrementOne: (asked) => ask((stored) => store.incrementOne(stored), asked),
  }
}

async function create<Input extends { model: string; data: object }, Answer>(
  act: (asked: Input) => Promise<Answer>,
  asked: Input,
): Promise<Answer> {
  const token = 'token' in asked.data ? asked.data.token : undefined
  if (asked.model !== 'session' || typeof token !== 'string') return act(asked)
  const digest = sessionDigest(token)
  return shown(await act({ ...asked, data: { ...asked.data, token: digest } }), new Map([[digest, token]]))
}

interface Asked {
  model: string
  where?: Where[] | undefined
}

async function ask<Input extends Asked, Answer>(
  act: (asked: Input) => Promise<Answer>,
  asked: Input,
  toDigest = digestOfMarked,
): Promise<Answer> {
  if (asked.model !== 'session') return act(asked)
  const tokens = new Map<string, string>()
  const digest = (token: unknown) => {
    if (typeof token !== 'string') return ''
    tokens.set(toDigest(token), token)
    return toDigest(token)
  }
  const where = asked.where?.map((condition) => {
    if (condition.field !== 'token') return condition
    const { value } = condition
    return { ...condition, value: Array.isArray(value) ? value.map(digest) : digest(value) }
  })
  return shown(await act({ ...asked, ...(where && { where }) }), tokens)
}

function digestOfMarked(token: string): string {
  return token.startsWith(KNOWN_BY_DIGEST) ? token.slice(KNOWN_BY_DIGEST.length) : sessionDigest(token)
}

/** Rows with their tokens, where the lookup was by token. */
function shown<Answer>(answer: Answer, tokens: Map<string, string>): Answer {
  if (Array.isArray(answer)) return answer.map((row) => shown(row, tokens)) as Answer
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return answer
  const digest = String(answer.token)
  return { ...answer, token: tokens.get(digest) ?? `${KNOWN_BY_DIGEST}${digest}` }
}
