import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as benchDatabases from '../data/bench-database.ts'
import * as benchPeople from '../data/bench-people.ts'
import { LARGEST_COMMUNITY, REVIEWER } from '../data/network.ts'
import { withCostMeter } from '../measure/costs.ts'
import type { Target } from '../measure/load.ts'
import * as deskSessions from './desk-sessions.ts'
import * as programs from './programs.ts'

/** What the benchmark needs of a checkout of Docket: its own modules, so that each fills and runs its own database. */
export type Checkout = Pick<typeof benchDatabases, 'startBenchServer' | 'benchDatabase'> &
  Pick<typeof benchPeople, 'issueToken' | 'withDatabase'> &
  Pick<typeof deskSessions, 'makeDeskSessions'> &
  Pick<typeof programs, 'withDocket'>

export const HERE: Checkout = { ...benchDatabases, ...benchPeople, ...deskSessions, ...programs }

const MODULES = ['data/bench-database.ts', 'data/bench-people.ts', 'programs/desk-sessions.ts', 'programs/programs.ts']

/** Another checkout, from 8ab253d on, after `npm ci` there. It has its own PostgreSQL, in its .docket/bench. */
export async function otherCheckout(folder: string): Promise<Checkout> {
  if (process.env.DATABASE_URL) throw new Error('--against needs two PostgreSQL servers: unset DATABASE_URL')
  const found = await Promise.all(MODULES.map((path) => importFrom(folder, path)))
  return Object.assign({}, ...found)
}

/** A module of another checkout's bench: older ones have all of them in one folder. */
function importFrom(folder: string, path: string): Promise<object> {
  const file = resolve(folder, 'bench', path)
  const older = resolve(folder, 'bench', basename(path))
  return import(pathToFileURL(existsSync(file) ? file : older).href)
}

export const PEOPLE = 16
/** An author with many held comments. */
export const BUSY_AUTHOR = 'user-50'
const HELD_TAKEN = 200_000

/** One checkout's program on a database, and people who use it. */
export interface Place {
  databaseUrl: string
  origin: string
  /** Measures what requests cost here. */
  costs: Target['costs']
  /** Sessions at the desk of a reviewer of the largest community, and of a network admin. */
  reviewerCookie: string
  adminCookie: string
  /** Tokens of that community's reviewer, of the author with many held comments, and of people who may write there. */
  reviewerToken: string
  busyToken: string
  tokens: string[]
  /** Held comments of that community, for decisions. */
  heldIds: string[]
}

/** Runs a checkout's program on a database that it may change. */
export async function withPlace<Result>(
  checkout: Checkout,
  databaseUrl: string,
  work: (place: Place) => Promise<Result>,
  options: { withPages?: boolean } = {},
): Promise<Result> {
  const people = await addPeople(checkout, databaseUrl)
  return withCostMeter(databaseUrl, (meter) =>
    checkout.withDocket(
      databaseUrl,
      ({ origin, pid }) =>
        work({ databaseUrl, origin, costs: pid === undefined ? undefined : { meter, pid }, ...people }),
      options,
    ),
  )
}

async function addPeople(checkout: Checkout, databaseUrl: string) {
  const [reviewerCookie = '', adminCookie = ''] = await checkout.withDatabase(databaseUrl, async (database) => {
    const one = { count: 1, secret: programs.SECRET }
    return [
      ...(await checkout.makeDeskSessions(database, one)),
      ...(await checkout.makeDeskSessions(database, { ...one, networkRole: 'global-admin' })),
    ]
  })
  const writers = Array.from({ length: PEOPLE }, (_, person) => `user-${person}`)
  const issued: string[] = []
  // One after the other: each has connections of its own.
  for (const userId of [BUSY_AUTHOR, REVIEWER, ...writers]) issued.push(await checkout.issueToken(databaseUrl, userId))
  const [busyToken = '', reviewerToken = '', ...tokens] = issued
  const heldIds = await benchDatabases.withConnections(databaseUrl, async (pool) => {
    const { rows } = await pool.query<{ id: string }>(
      `select comment_id as id from comment where community_id = $1 and approval_status = 'pending' and not is_deleted
       order by comment_id limit $2`,
      [LARGEST_COMMUNITY, HELD_TAKEN],
    )
    return rows.map(({ id }) => id)
  })
  return { reviewerCookie, adminCookie, reviewerToken, busyToken, tokens, heldIds }
}
