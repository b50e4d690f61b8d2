import pg from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import { SESSION_OPTIONS } from '#server/core/database/open-database.ts'
import { findActor } from '#server/modules/accounts/access/find-actor.ts'
import { CONNECTIONS, ctxOf, withDatabase } from '../data/bench-people.ts'
import type { Floor } from '../floors/floor.ts'
import { notRead } from '../floors/reads-all.ts'
import { recordStatements, type Waves } from '../measure/record-statements.ts'
import { type Program, startBareServer } from './programs.ts'

/** What a baseline answers. */
export interface Answered {
  databaseUrl: string
  answer: object
  /** The user of that answer, if each request is about a different one. */
  aboutUser?: string | undefined
}

const FIXED_PLANS = `${SESSION_OPTIONS} -c plan_cache_mode=force_generic_plan`

/** The bare server that runs the floor's statement, its plan made once. Throws if the answer says what the statement doesn't read. */
export async function startFloor(floor: Floor, { databaseUrl, ...answered }: Answered): Promise<Program> {
  const missing = notRead(answered.answer, await tryOut(databaseUrl, floor))
  if (missing.length > 0) throw new Error(`The floor ${floor.name} does not read ${missing.join(', ')}`)
  return startBareServer({ databaseUrl, connections: CONNECTIONS, waves: [[floor]], options: FIXED_PLANS, ...answered })
}

/** The rows of a statement whose changes are rolled back. */
async function tryOut(databaseUrl: string, floor: Floor): Promise<unknown[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(floor)
    await client.query('rollback')
    return rows
  } finally {
    await client.end()
  }
}

/** The bare server that runs the statements of one request of ours. It flatters: what they cost, it costs too. For reads alone. */
export async function startReplay(
  act: (ctx: Ctx) => Promise<unknown>,
  { token, databaseUrl, answer }: Answered & { token: string },
): Promise<Program> {
  const waves = await record(databaseUrl, token, act)
  return startBareServer({ databaseUrl, connections: CONNECTIONS, waves, options: SESSION_OPTIONS, answer })
}

function record(databaseUrl: string, token: string, act: (ctx: Ctx) => Promise<unknown>): Promise<Waves> {
  return withDatabase(databaseUrl, async (database) => {
    // The token's last use is written once a minute; done first, so that it isn't recorded.
    await withDatabase(databaseUrl, ({ pool }) => findActor(pool, { kind: 'token', secret: token }))
    const { waves } = await recordStatements(database, async () =>
      act(ctxOf(database, await findActor(database.pool, { kind: 'token', secret: token }))),
    )
    return waves
  })
}
