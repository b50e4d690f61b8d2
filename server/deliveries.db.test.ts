import { expect, test } from 'vitest'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { expectOrder, recordTestEvent, recordTestEventsBy } from '#server/testing/events.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createHeldComments } from '#server/testing/held-comments.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

const { database, url: DATABASE_URL, prisma, make } = await testDatabase()
const system = systemCtx(database)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const { accessToken } = await createToken(system, { lifetimeMs: 3_600_000 })

/** A tenth of the decided comments, half of the decided posts, and the number of undone decisions. */
const SHARE = IS_STRESS ? scaled(10) : 4

async function run(over: Record<string, string> = {}): Promise<Program> {
  const program = await runProgram({ DATABASE_URL, DOCKET_SECRET: TEST_SECRET, WEBHOOK_ALLOW_LOOPBACK: '1', ...over })
  await untilReady(program)
  return program
}

/** The only endpoint, and how many of its deliveries are not done. */
async function receiverAlone() {
  await prisma.webhookEndpoint.updateMany({ data: { removedAt: new Date() } })
  const receiver = await openReceiver()
  const { endpoint, secret } = await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)
  receiver.trust(secret)
  const { endpointId } = endpoint
  const waiting = () => prisma.delivery.count({ where: { endpointId, state: 'waiting' } })
  return { ...receiver, waiting }
}

test(`${10 * SHARE} decisions and ${2 * SHARE} posts over REST and at the desk, by two workers: one event each, none for what was undone`, async () => {
  const [program] = await Promise.all([run(), run({ DOCKET_ROLES: 'worker' })])
  const receiver = await receiverAlone()
  const { communityId, commentIds } = await createHeldComments(database, 11 * SHARE)
  const { userId } = await make.user()
  const reviewer = await make.reviewerOf(communityId)
  const desk = ctxOf(database, reviewer, { undoWindowMs: 2_000 })
  const undoing = ctxOf(database, reviewer, { undoWindowMs: 3_600_000 })
  const postIds = Array.from({ length: 2 * SHARE }, (_, index) => `held-post-${index}`)
  await prisma.post.createMany({
    data: postIds.map((postId) => ({
      postId,
      postedUserId: userId,
      communityId,
      feedType: 'reviewing' as const,
      data: { text: postId },
      queuedAt: new Date(),
    })),
  })

  const overRest = async (path: string) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await fetch(`${program.url}/api/v3/${path}`, { method: 'POST', headers })
    expect(answer.status).toBe(200)
  }
  const acts = [
    ...commentIds
      .slice(0, 5 * SHARE)
      .map((id, index) => () => overRest(`comments/${id}/${index % 2 ? 'approve' : 'decline'}`)),
    ...commentIds.slice(5 * SHARE, 10 * SHARE).map((subjectId, index) => async () => {
      await decide(desk, { subjectType: 'comment', subjectId, outcome: index % 2 ? 'approved' : 'rejected' })
    }),
    ...commentIds.slice(10 * SHARE).map((subjectId) => async () => {
      await undoDecision(undoing, await decide(undoing, { subjectType: 'comment', subjectId, outcome: 'approved' }))
    }),
    ...postIds.slice(0, SHARE).map((id) => () => overRest(`posts/${id}/approve`)),
    ...postIds.slice(SHARE).map((subjectId) => async () => {
      await decide(desk, { subjectType: 'post', subjectId, outcome: 'approved' })
    }),
  ]
  await Promise.all(
    // Fewer than the test's own connections: nobody waits for one.
    Array.from({ length: 5 }, async () => {
      for (let act = acts.pop(); act !== undefined; act = acts.pop()) await act()
    }),
  )

  const arrivals = () => [...new Map(receiver.accepted.map((arrival) => [arrival.id, arrival])).values()]
  await eventually('an event of each is delivered', () => arrivals().length).toBeGreaterThanOrEqual(12 * SHARE)
  await eventually('all deliveries are recorded', receiver.waiting).toBe(0)
  const decided = arrivals().flatMap(({ data }) =>
    [data.comments, data.posts]
      .flatMap((list) => (Array.isArray(list) ? list : []))
      .map((one) => one.commentId ?? one.postId),
  )
  expect(decided.toSorted()).toEqual([...commentIds.slice(0, 10 * SHARE), ...postIds].toSorted())
  const byEvent = Map.groupBy(arrivals(), ({ event }) => event)
  expect(Object.fromEntries([...byEvent].map(([event, those]) => [event, those.length]))).toEqual({
    'v3.comment.didApprove': 5 * SHARE,
    'v3.comment.didDelete': 5 * SHARE,
    'v3.post.didApprove': 2 * SHARE,
  })
  expect(receiver.refused).toEqual([])
  await receiver.close()
})

// The daily suite kills one in crashes.db.test.ts.
test.runIf(IS_STRESS)(
  'a worker killed with -9 during deliveries: another takes them over, in order, with the same ids',
  async () => {
    const [killed] = await Promise.all([run(), run()])
    const receiver = await receiverAlone()
    receiver.behave('hangs')
    await recordTestEventsBy(system, 10, 4)
    await eventually('some deliveries have begun', () => receiver.tried.length).toBeGreaterThanOrEqual(8)

    killed.process.kill('SIGKILL')
    await killed.ended
    receiver.behave('well')
    const ids = () => new Set(receiver.accepted.map(({ id }) => id)).size
    await eventually('all events are delivered', ids).toBe(40)
    expectOrder(receiver)
    expect(new Set(receiver.tried.map(({ id }) => id)).size).toBe(40)
    await eventually('all deliveries are recorded', receiver.waiting).toBe(0)
    await receiver.close()
  },
)

test.runIf(IS_STRESS)(
  'the database becomes unavailable during deliveries and returns: nothing is lost, and no event gets a second id',
  async () => {
    const way = await severableProxy(new URL(DATABASE_URL))
    const program = await run({ DATABASE_URL: way.url, LOG_LEVEL: 'silent' })
    const receiver = await receiverAlone()
    await recordTestEventsBy(system, 20, 5)
    await eventually('some events are delivered', () => receiver.accepted.length).toBeGreaterThanOrEqual(10)
    await way.cut()
    await eventually('the process is not ready', async () => (await fetch(`${program.url}/readyz`)).status).toBe(503)
    await way.mend()
    const ids = () => new Set(receiver.accepted.map(({ id }) => id)).size
    await eventually('all events are delivered', ids).toBe(100)
    expectOrder(receiver)
    expect(new Set(receiver.tried.map(({ id }) => id)).size).toBe(100)
    await receiver.close()
    await way.cut()
  },
)

test.runIf(IS_STRESS)(
  'when one of the sealing processes is killed, another continues and skips no number',
  async () => {
    const programs = await Promise.all([run(), run()])
    for (const program of programs) {
      const recording = Promise.all(Array.from({ length: 50 }, (_, n) => recordTestEvent(system, 'sealed', n)))
      program.process.kill('SIGKILL')
      await Promise.all([recording, program.ended])
      if (program === programs[0]) {
        const { eventId } = await recordTestEvent(system, 'after', 0)
        const numbered = () => prisma.event.count({ where: { eventId: BigInt(eventId), seq: { not: null } } })
        await eventually('the other one numbers the next event', numbered).toBe(1)
      }
    }
    await run()
    await eventually('all events are numbered', () => prisma.event.count({ where: { seq: null } })).toBe(0)
    const numbers = await prisma.event.findMany({ orderBy: { seq: 'asc' }, select: { seq: true } })
    expect(numbers.map(({ seq }) => Number(seq))).toEqual(numbers.map((_, index) => index + 1))
  },
)
