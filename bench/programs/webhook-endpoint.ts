import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyFor } from '#server/core/secret.ts'
import { addEndpoint, removeEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import type { EndpointWithSecret } from '#server/modules/integrations/webhooks/schema.ts'
import { freePort } from '../../tools/free-port.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { SECRET } from './programs.ts'

const ADMIN = {
  kind: 'admin',
  name: 'bench',
  rank: 1_000,
  permissions: new Set(['MANAGE_CREDENTIALS']),
} as const satisfies Parameters<typeof ctxOf>[1]

/** Adds an endpoint for approvals of comments to a database. Its URL is on this machine, at a free port. */
export async function addBenchEndpoint(databaseUrl: string): Promise<EndpointWithSecret & { port: number }> {
  const port = await freePort()
  const added = await withDatabase(databaseUrl, (database) =>
    addEndpoint(
      ctxOf(database, ADMIN),
      { url: `http://127.0.0.1:${port}`, events: ['v3.comment.didApprove'] },
      { key: keyFor(SECRET, 'webhooks'), allowsLoopback: true },
    ),
  )
  return { ...added, port }
}

export async function removeBenchEndpoint(databaseUrl: string, { endpoint }: EndpointWithSecret): Promise<void> {
  await withDatabase(databaseUrl, (database) => removeEndpoint(ctxOf(database, ADMIN), endpoint))
}

/** What arrives at an endpoint. */
export interface Arrivals {
  count: number
  /** As of performance.now(). */
  lastAt: number
}

/** Adds an endpoint that answers each delivery after `answerMs`, during `work`. */
export async function withEndpoint<Result>(
  databaseUrl: string,
  answerMs: number,
  work: (arrivals: Arrivals) => Promise<Result>,
): Promise<Result> {
  const arrivals: Arrivals = { count: 0, lastAt: performance.now() }
  const added = await addBenchEndpoint(databaseUrl)
  const server = await listen(added.port, async (request, response) => {
    request.resume()
    arrivals.count += 1
    arrivals.lastAt = performance.now()
    await sleep(answerMs)
    response.end()
  })
  try {
    return await work(arrivals)
  } finally {
    server.closeAllConnections()
    server.close()
    await removeBenchEndpoint(databaseUrl, added)
  }
}

async function listen(port: number, onRequest: RequestListener): Promise<Server> {
  const server = createServer(onRequest).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Waits until nothing has arrived for a while. */
export async function untilQuiet(arrivals: Arrivals, quietMs: number): Promise<void> {
  while (performance.now() - arrivals.lastAt < quietMs) await sleep(100)
}
