import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { recordTestEvent } from '#server/testing/events.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createHeldComments } from '#server/testing/held-comments.ts'
import { runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

const SWALLOWED_MS = 30_000
/** Every request ends by then, */
const ENDS_WITHIN_MS = 35_000
/** `/readyz` answers by then, with what a busy machine adds, */
const ANSWERS_WITHIN_MS = 3_000
/** and after the database has returned, the process is ready by then. */
const READY_WITHIN_MS = 20_000

const { database, url: DATABASE_URL } = await testDatabase()
const system = systemCtx(database)
const { accessToken } = await createToken(system, { lifetimeMs: 3_600_000 })
const headers = { authorization: `Bearer ${accessToken}` }

test('a database that swallows all that is sent for 30 s: every request ends, the process is ready soon after, webhooks go on, and a signal ends it', async () => {
  const way = await severableProxy(new URL(DATABASE_URL))
  const program = await runProgram({
    DATABASE_URL: way.url,
    DOCKET_SECRET: TEST_SECRET,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'silent',
  })
  await untilReady(program)
  const receiver = await openReceiver()
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  const { secret } = await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)
  receiver.trust(secret)
  const { communityId, commentIds } = await createHeldComments(database, 60)

  const timed = async (path: string, method: 'GET' | 'POST') => {
    const startedAt = performance.now()
    const answer = await fetch(`${program.url}${path}`, { method, headers })
    return { path, status: answer.status, tookMs: performance.now() - startedAt }
  }
  const list = () => timed(`/api/v3/communities/${communityId}/comments/review-queue`, 'GET')
  const approve = (commentId: string) => timed(`/api/v3/comments/${commentId}/approve`, 'POST')
  const probe = () => timed('/readyz', 'GET')
  expect((await Promise.all([list(), approve(commentIds[0] ?? ''), probe()])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])

  way.swallow()
  const returnsAt = performance.now() + SWALLOWED_MS
  const asked: ReturnType<typeof timed>[] = []
  const probes: Awaited<ReturnType<typeof timed>>[] = []
  for (const commentId of commentIds.slice(1)) {
    if (performance.now() > returnsAt) break
    asked.push(list(), approve(commentId))
    probes.push(await probe())
    await sleep(500)
  }
  await sleep(Math.max(0, returnsAt - performance.now()))
  way.letNewOnesThrough()
  await recordTestEvent(system, 'afterwards', 1)
  const returnedAt = performance.now()
  await eventually('the process is ready again', async () => (await probe()).status).toBe(200)
  const readyAfterMs = performance.now() - returnedAt

  expect(probes.filter(({ status, tookMs }) => status !== 503 || tookMs > ANSWERS_WITHIN_MS)).toEqual([])
  expect((await Promise.all(asked)).filter(({ tookMs }) => tookMs > ENDS_WITHIN_MS)).toEqual([])
  expect(readyAfterMs).toBeLessThan(READY_WITHIN_MS)
  expect((await list()).status).toBe(200)
  expect((await approve(commentIds.at(-1) ?? '')).status).toBe(200)
  await eventually('the event of afterwards is delivered', () =>
    receiver.accepted.some(({ data }) => JSON.stringify(data).includes('afterwards')),
  ).toBe(true)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await receiver.close()
})

test('a signal ends the process while the database swallows all that is sent', async () => {
  const way = await severableProxy(new URL(DATABASE_URL))
  const program = await runProgram({ DATABASE_URL: way.url, DOCKET_SECRET: TEST_SECRET, LOG_LEVEL: 'silent' })
  await untilReady(program)
  way.swallow()
  await sleep(2_000)
  program.process.kill('SIGTERM')
  const startedAt = performance.now()
  await program.ended
  expect(performance.now() - startedAt).toBeLessThan(45_000)
})
