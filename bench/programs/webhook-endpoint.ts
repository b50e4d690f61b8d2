import { once } from 'node:events'
import { keyFor } from '#server/core/secret.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { freePort } from '#server/testing/free-port.ts'
import { createReceiver, type Received } from '../../docs/examples/receiver.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { SECRET } from './programs.ts'

const ADMIN = {
  kind: 'admin',
  name: 'bench',
  rank: 1_000,
  permissions: new Set(['MANAGE_CREDENTIALS']),
} as const satisfies Parameters<typeof ctxOf>[1]

/** During `work`, approvals of comments are delivered to an integrator's receiver on this machine, which checks each signature. */
export async function withEndpoint<Result>(
  databaseUrl: string,
  onDelivery: (received: Received) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  const port = await freePort()
  const { secret } = await withDatabase(databaseUrl, (database) =>
    addEndpoint(
      ctxOf(database, ADMIN),
      { url: `http://127.0.0.1:${port}`, events: ['v3.comment.didApprove'] },
      { key: keyFor(SECRET, 'webhooks'), allowsLoopback: true },
    ),
  )
  const server = createReceiver(secret, onDelivery).listen(port, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
