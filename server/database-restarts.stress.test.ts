import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { startEmbeddedPostgres } from '#server/core/embedded/start-embedded-postgres.ts'
import { createLogger } from '#server/core/log.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { expectOrder, recordTestEventsBy } from '#server/testing/events.ts'
import { eventually } from '#server/testing/eventually.ts'
import { runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

/** This test's own server. Committed data outlives its processes, and the test only ends processes. */
async function ownServer(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'docket-restarts-'))
  await chmod(home, 0o755)
  const settings = { fsync: 'off', shared_buffers: '32MB' }
  const server = await startEmbeddedPostgres({ home, settings, say: () => {}, log: createLogger('silent') })
  onTestFinished(async () => {
    await server.stop()
    await rm(home, { recursive: true })
  })
  return server.ownerUrl
}

/** Kills one of its processes with -9: PostgreSQL ends all others, recovers from its log and starts again. */
async function restart(url: string): Promise<void> {
  const [witness, victim] = [new pg.Client(url), new pg.Client(url)]
  for (const client of [witness, victim]) {
    client.on('error', () => {})
    await client.connect()
  }
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => witness.once('end', resolve))
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await ended
}

test('the database restarts during deliveries: nothing is lost, no event gets a second id, and the order is kept', async () => {
  const url = await ownServer()
  const environment = {
    DATABASE_URL: url,
    DOCKET_SECRET: TEST_SECRET,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'silent',
  }
  const program = await runProgram(environment)
  await untilReady(program)
  const database = openDatabase({ url, connections: 4, onError: () => {} })
  onTestFinished(() => database.close())

  const receiver = await openReceiver()
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  const { secret } = await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)
  receiver.trust(secret)
  await recordTestEventsBy(systemCtx(database), 20, 5)
  await eventually('some events are delivered', () => receiver.accepted.length).toBeGreaterThanOrEqual(10)
  await restart(url)

  const ids = () => new Set(receiver.accepted.map(({ id }) => id)).size
  await eventually('all events are delivered', ids).toBe(100)
  expectOrder(receiver)
  expect(new Set(receiver.tried.map(({ id }) => id)).size).toBe(100)
  const waiting = () => database.prisma.delivery.count({ where: { state: { not: 'delivered' } } })
  await eventually('all deliveries are recorded', waiting).toBe(0)
  await receiver.close()
})
