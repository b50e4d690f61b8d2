import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { execute, sql } from '#server/core/db.ts'
import { keyFor } from '#server/core/secret.ts'
import { addClassifier } from '#server/modules/integrations/classifiers/change-classifiers.ts'
import { listClassifiers } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import { ClassifierFields } from '#server/modules/integrations/classifiers/schema.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { openClassifierStub } from '#server/testing/classifier-stub.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startAskingClassifiers } from '#server/worker/ask-classifiers.ts'
import { startSequencer } from '#server/worker/sequencer.ts'

const ITEMS_A_SECOND = 500
const SECONDS = 20
const DEADLINE_MS = 500
const DOWN_FROM = 8
const UP_AGAIN_AT = 12

const { database, prisma, make } = await testDatabase()
const system = systemCtx(database)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const queue = await openDeliveryQueue(system)
const sequencer = startSequencer(system, keyFor('a secret for tests, long enough to be one', 'audit'), { queue })
afterAll(async () => {
  await sequencer.stop()
  await queue.close()
})

test(`a classifier that is asked about ${ITEMS_A_SECOND} items a second, lets 20 % time out, answers late and out of order and fails for a while loses nothing and counts nothing twice`, async () => {
  const stub = await openClassifierStub()
  const fields = { name: 'A', url: stub.url, kinds: ['comment'], deadlineMs: DEADLINE_MS, batchSize: 25 }
  const { secret } = await addClassifier(admin, ClassifierFields.parse(fields), testWebhooks)
  stub.trust(secret)
  let requests = 0
  let isDown = false
  stub.answerWith(async (items) => {
    requests += 1
    if (isDown) return { status: 503, body: '' }
    if (requests % 5 === 0) return 'hangs'
    // Late for the deadline, or at least after later ones.
    await sleep(requests % 31 === 0 ? DEADLINE_MS * 1.5 : (requests * 37) % 80)
    return stub.scored(requests % 7 === 0 ? [...items, ...items] : items)
  })
  const processes = [0, 1].map(() =>
    startAskingClassifiers(system, { key: testWebhooks.key, outside: { allowsLoopback: true } }),
  )
  const { communityId } = await make.community({ needApprovalOnCommentCreation: false })
  const { postId } = await make.post({ communityId })
  const { userId } = await make.user()

  const startedAt = performance.now()
  for (let second = 0; second < SECONDS; second += 1) {
    if (second === DOWN_FROM) isDown = true
    if (second === UP_AGAIN_AT) {
      await eventually('the circuit breaker is open', async () => (await listClassifiers(admin))[0]?.state).toBe('open')
      isDown = false
    }
    await write(second, { communityId, postId, userId })
    await sleep(Math.max(0, startedAt + (second + 1) * 1_000 - performance.now()))
  }
  const behind = (await listClassifiers(admin))[0]?.waiting
  await untilFinished(ITEMS_A_SECOND * SECONDS)
  // The last request of all may be one that timed out. Once every request is answered, the classifier is working again.
  stub.answerWith(stub.scored)
  await write(SECONDS, { communityId, postId, userId })
  const total = ITEMS_A_SECOND * (SECONDS + 1)
  await untilFinished(total)
  const tookMs = Math.round(performance.now() - startedAt)
  await Promise.all(processes.map((task) => task.stop()))

  const [classifier] = await listClassifiers(admin)
  const signals = await prisma.signal.count({ where: { name: 'stub' } })
  console.log({ total, tookMs, requests, behind, asked: stub.asked.flatMap(({ items }) => items).length, classifier })
  expect(classifier).toMatchObject({ state: 'working', waiting: 0, dropped: 0 })
  expect((classifier?.answered ?? 0) + (classifier?.failed ?? 0)).toBe(total)
  expect(signals).toBe(classifier?.answered)
  // How many were given up after five attempts that timed out depends on the machine.
  expect(classifier?.answered).toBeGreaterThan(0)
  await stub.close()
})

/** Until so many items have been answered or given up. Cuts the longest waits between attempts short, those beyond a lease. */
async function untilFinished(count: number): Promise<void> {
  const countFinished = async () => {
    const dueAt = new Date(system.now().getTime() + 20_000)
    await prisma.classifierItem.updateMany({ where: { dueAt: { gt: dueAt } }, data: { dueAt: system.now() } })
    const [classifier] = await listClassifiers(admin)
    return (classifier?.answered ?? 0) + (classifier?.failed ?? 0)
  }
  await eventually('all items are answered or given up', countFinished).toBe(count)
}

/** What the writes of a second store, in one statement. */
async function write(
  second: number,
  { communityId, postId, userId }: { communityId: string; postId: string; userId: string },
) {
  await execute(
    system,
    sql`
    with written as (
      insert into comment (comment_id, target_type, community_id, reference_type, reference_id, user_id, data_types, data, created_at, updated_at)
      select new_internal_id(), 'community', ${communityId}, 'post', ${postId}, ${userId}, '{text}',
        jsonb_build_object('text', 'Comment ' || ${second}::int || ' ' || n), ${system.now()}, ${system.now()}
      from generate_series(1, ${ITEMS_A_SECOND}::int) n
      returning comment_id)
    insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
    select 'v3.comment.didCreate', false, 'comment', comment_id, ${communityId}, '{}', 'released', ${system.now()}, ${system.now()}
    from written`,
  )
}
