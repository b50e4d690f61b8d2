import { randomUUID } from 'node:crypto'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { type Database, openDatabase } from '#server/core/database/open-database.ts'
import { createLogger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { createStaff } from '#server/modules/accounts/access/create-staff.ts'
import { SECRET } from '../programs/programs.ts'
import { LARGEST_COMMUNITY, REVIEWER } from './network.ts'

/** As many connections as the program opens. */
export const CONNECTIONS = 16
const TOKEN_LIFETIME_MS = 24 * 3_600_000

/** The benchmark's credentials: an access token of the community's reviewer, and a desk account with the same role. */
export interface Credentials {
  token: string
  email: string
  password: string
}

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

export function issueToken(url: string, userId: string): Promise<string> {
  return withDatabase(url, async (database) => {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    return (await createToken(ctx, { userId, lifetimeMs: TOKEN_LIFETIME_MS })).accessToken
  })
}

export async function issueCredentials(url: string): Promise<Credentials> {
  const token = await issueToken(url, REVIEWER)
  return withDatabase(url, async (database) => {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    const [email, password] = [`${randomUUID()}@bench.example`, randomUUID()]
    await createStaff(ctx, {
      email,
      password,
      name: 'Bench',
      roleId: 'community-moderator',
      communityId: LARGEST_COMMUNITY,
    })
    return { token, email, password }
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
