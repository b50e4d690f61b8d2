import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import pg from 'pg'
import type { Waves } from '../measure/record-statements.ts'

export interface BarePlan {
  databaseUrl: string
  connections: number
  waves: Waves
  answer: object
  /** The user of the recorded request, if each request is about a different one: replaced by the user in the body. */
  aboutUser?: string | undefined
  /** PostgreSQL's settings for these statements, as in PGOPTIONS. */
  options: string
}

/**
 * The minimal server: `node:http` and `pg`, the given statements in the same order and with the same concurrency, and `JSON.stringify` of
 * the same response. No routes, no validation, no permissions. The statements are those of one recorded request, or the one of a floor.
 */
process.once('message', async (plan: BarePlan) => {
  const pool = new pg.Pool({
    connectionString: plan.databaseUrl,
    max: plan.connections,
    options: plan.options,
    // As the program's.
    pipeline: true,
  })
  const server = createServer(async (request, response) => {
    await replay(pool, await wavesFor(plan, request))
    const body = JSON.stringify(plan.answer)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  process.send?.(server.address())
})

async function wavesFor({ waves, aboutUser }: BarePlan, request: IncomingMessage): Promise<Waves> {
  if (aboutUser === undefined) return waves
  const { userIds } = (await json(request)) as { userIds: string[] }
  const valueFor = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueFor)
    return typeof value === 'string' ? value.replaceAll(aboutUser, userIds[0] ?? '') : value
  }
  return waves.map((wave) => wave.map((statement) => ({ ...statement, values: statement.values.map(valueFor) })))
}

async function replay(pool: pg.Pool, waves: Waves): Promise<void> {
  for (const wave of waves) await Promise.all(wave.map((statement) => pool.query(statement)))
}
