import { randomUUID } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { SECRET } from '../programs/programs.ts'

/** As many connections as the program opens. */
const CONNECTIONS = 16
const TOKEN_LIFETIME_MS = 24 * 3_600_000

export async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url, connections: CONNECTIONS, onError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A token of this user, or an admin token. */
export function issueToken(url: string, userId?: string): Promise<string> {
  return withDatabase(url, async (database) => {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    return (await createToken(ctx, { userId, lifetimeMs: TOKEN_LIFETIME_MS })).accessToken
  })
}

/** The context of a REST call. */
export function ctxOf({ pool }: Database, actor: Actor): Ctx {
  return {
    actor,
    db: pool,
    pool,
    source: 'rest',
    requestId: randomUUID(),
    log: createLogger('silent'),
    auditKey: keyFor(SECRET, 'audit'),
    now: () => new Date(),
    networkId: 'docket',
    undoWindowMs: 0,
  }
}
