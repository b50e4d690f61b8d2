import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import { SESSION_OPTIONS } from '#server/core/db.ts'
import type { Waves } from './record-statements.ts'

export interface BarePlan {
  databaseUrl: string
  connections: number
  waves: Waves
  answer: object
}

/**
 * The least that could answer: `node:http` and `pg`, the statements of one recorded request in the same order and at the same
 * time, and `JSON.stringify` of the same answer. No routes, no checks, no names.
 */
process.once('message', async (plan: BarePlan) => {
  const pool = new pg.Pool({
    connectionString: plan.databaseUrl,
    max: plan.connections,
    options: SESSION_OPTIONS,
  })
  const server = createServer(async (_request, response) => {
    for (const wave of plan.waves) await Promise.all(wave.map((statement) => pool.query(statement)))
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
