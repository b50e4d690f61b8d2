import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { previewBulk } from '#server/modules/review/bulk/preview-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { listClaimTimes, setClaimTime } from '#server/modules/review/claims/claim-times.ts'
import { clearEndedClaims } from '#server/modules/review/claims/clear-ended-claims.ts'
import type { Claimed } from '#server/modules/review/claims/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { decideItems } from '#server/modules/review/decisions/decide-items.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)
const codeOf = (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error))
const detailsOf = (error: unknown) => (error instanceof DomainError ? error.details : Promise.reject(error))
const comment = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })
const random = randomNumbers()
const DAY_MS = 86_400_000

/** A person who moderates the community, by name. */
async function moderator(communityId: string, displayName: string, over: Partial<Ctx> = {}) {
  const { userId } = await make.reviewerOf(communityId)
  await prisma.user.update({ where: { userId }, data: { displayName } })
  return { userId, ctx: as(asUser(userId), over) }
}

/** A held comment, and two moderators with the same clock. */
async function twoAtOneItem() {
  const { communityId, commentId } = await make.heldComment()
  const clock = clockAt('2026-11-20T12:00:00Z')
  const [ana, ben] = await Promise.all([
    moderator(communityId, 'Ana', { now: clock.now }),
    moderator(communityId, 'Ben', { now: clock.now }),
  ])
  return { item: comment(commentId), communityId, clock, ana, ben }
}

/** Comments with one text, held in one community, and two of its moderators. */
async function group(count: number) {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const [ana, ben] = await Promise.all([moderator(communityId, 'Ana'), moderator(communityId, 'Ben')])
  const items = await addGroup({ communityId, userId }, count)
  return { communityId, items, ana, ben }
}

async function addGroup(author: { communityId: string; userId: string }, count: number) {
  const data = { text: `Buy ${randomUUID()}` }
  const made = await Promise.all(Array.from({ length: count }, () => make.heldComment({ ...author, data })))
  return made
    .map(({ commentId }) => comment(commentId))
    .sort((one, other) => (one.subjectId < other.subjectId ? -1 : 1))
}

const listed = async (ctx: Ctx, over: object = {}) =>
  (await listDeskQueue(ctx, DeskQueueInput.parse({ limit: 100, ...over }))).items
const mine = async (ctx: Ctx) => (await listed(ctx, { view: 'mine' })).map(({ subjectId }) => subjectId)
const claimOn = async (ctx: Ctx, item: { subjectType: 'comment' | 'post'; subjectId: string }) =>
  (await readItem(ctx, item)).item.claim

test('a claimed item is in the claimant’s own list, and everybody who reviews it sees whose it is', async () => {
  const { item, ana, ben, communityId } = await twoAtOneItem()
  const { communityId: other } = await make.community()
  const outsider = await moderator(other, 'Eve')

  const claimed = await claim(ana.ctx, item)

  const until = '2026-11-21T12:00:00.000Z'
  expect(claimed).toEqual({ items: [item], until, others: [], own: 0, isCut: false })
  const expected = { by: { userId: ana.userId, displayName: 'Ana' }, until }
  expect(await claimOn(ben.ctx, item)).toEqual(expected)
  expect((await listed(ben.ctx, { communityId })).map((row) => row.claim)).toEqual([expected])
  expect(await Promise.all([mine(ana.ctx), mine(ben.ctx), mine(outsider.ctx)])).toEqual([[item.subjectId], [], []])
  expect((await Promise.all([ana, ben].map(({ ctx }) => countQueue(ctx)))).map((counts) => counts.mine)).toEqual([1, 0])
  expect((await countMatching(ana.ctx, DeskFilter.parse({ view: 'mine' }))).count).toBe(1)
})

test('claims and releases are logged and published with the item', async () => {
  const { item, communityId, ana } = await twoAtOneItem()
  await claim(ana.ctx, item)
  await release(ana.ctx, item)

  const audit = await prisma.audit.findMany({ where: { subjectId: item.subjectId }, orderBy: { auditId: 'asc' } })
  expect(audit).toMatchObject([
    { action: 'comment.claimed', actorId: ana.userId, communityId, after: { claimedBy: ana.userId } },
    { action: 'comment.released', actorId: ana.userId, communityId, after: { claimedBy: null } },
  ])
  const events = await prisma.event.findMany({ where: { subjectId: item.subjectId }, orderBy: { eventId: 'asc' } })
  expect(events).toMatchObject([
    { name: 'desk.comment.didClaim', isDeskOnly: true, state: 'released', communityId },
    { name: 'desk.comment.didRelease', isDeskOnly: true, state: 'released', communityId },
  ])
  expect(await mine(ana.ctx)).toEqual([])
})

test('posts are claimed as comments are; messages and people aren’t held, so only their reports can be', async () => {
  const { postId, communityId } = await make.heldPost()
  const [ana, ben] = await Promise.all([moderator(communityId, 'Ana'), moderator(communityId, 'Ben')])
  const post = { subjectType: 'post' as const, subjectId: postId }
  await claim(ana.ctx, post)
  expect(await mine(ana.ctx)).toEqual([postId])
  const decision = { ...post, outcome: 'approved' as const, version: 1 }
  expect(await decide(ben.ctx, decision).catch(detailsOf)).toMatchObject({
    claimedBy: ana.userId,
    claimedByName: 'Ana',
  })
  expect(await decide(ben.ctx, { ...decision, despiteClaimOf: ana.userId })).toMatchObject({ version: 2 })
  expect(await claim(ana.ctx, { subjectType: 'message', subjectId: 'm' }).catch(codeOf)).toBe('INVALID_PARAMETERS')
})

test('the second of two claimants learns who has it, and only the claimant can release it', async () => {
  const { item, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)

  const details = { version: 1, claimedBy: ana.userId, claimedByName: 'Ana', claimedUntil: '2026-11-21T12:00:00.000Z' }
  expect(await claim(ben.ctx, item).catch(detailsOf)).toEqual(details)
  expect(await release(ben.ctx, item)).toEqual({ items: [] })
  expect(await mine(ana.ctx)).toEqual([item.subjectId])
  await release(ana.ctx, item)
  expect((await claim(ben.ctx, item)).items).toEqual([item])
})

test('a claim ends after a day and not before, or after the time of its community; claiming again starts a new day', async () => {
  const { item, communityId, clock, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  clock.advance(DAY_MS - 1)
  expect(await claim(ben.ctx, item).catch(codeOf)).toBe('CHANGED')
  await claim(ana.ctx, item)
  clock.advance(DAY_MS - 1)
  expect(await mine(ana.ctx)).toEqual([item.subjectId])
  clock.advance(1)
  expect(await mine(ana.ctx)).toEqual([])
  expect(await claimOn(ana.ctx, item)).toBeUndefined()
  expect((await countQueue(ana.ctx)).mine).toBe(0)

  const admin = as(asAdmin(['MANAGE_NETWORK_SETTINGS']), { now: clock.now })
  await setClaimTime(admin, { communityId, minutes: 30 })
  expect(await listClaimTimes(admin)).toMatchObject([{ communityId, minutes: 30 }])
  await claim(ben.ctx, item)
  clock.advance(30 * 60_000)
  expect(await mine(ben.ctx)).toEqual([])
  await setClaimTime(admin, { communityId, minutes: null })
  expect(await listClaimTimes(admin)).toEqual([])
  const audit = await prisma.audit.findMany({ where: { subjectId: communityId }, orderBy: { auditId: 'asc' } })
  expect(audit.map(({ action, after }) => [action, after])).toEqual([
    ['community.claimTimeSet', { claimMinutes: 30 }],
    ['community.claimTimeSet', { claimMinutes: null }],
  ])
  expect(await setClaimTime(ana.ctx, { communityId, minutes: 30 }).then(undefined, codeOf)).toBe('FORBIDDEN')
  expect(await setClaimTime(admin, { communityId: 'none', minutes: 30 }).then(undefined, codeOf)).toBe('NOT_FOUND')
})

test('the worker clears claims whose time has passed, and no others', async () => {
  const { item, clock, ana, communityId } = await twoAtOneItem()
  const { commentId: later } = await make.heldComment({ communityId })
  await claim(ana.ctx, item)
  clock.advance(1)
  await claim(ana.ctx, comment(later))
  clock.advance(DAY_MS - 1)
  await clearEndedClaims({ ...systemCtx(database), now: clock.now })
  const rows = await prisma.reviewItem.findMany({ where: { communityId }, orderBy: { claimedUntil: 'asc' } })
  expect(rows.map(({ subjectId, claimedBy }) => [subjectId, claimedBy])).toEqual([
    [later, ana.userId],
    [item.subjectId, null],
  ])
})

test('nobody can claim what they don’t review, what they wrote, or what is decided', async () => {
  const { item, communityId, ana } = await twoAtOneItem()
  const { communityId: elsewhere } = await make.community()
  const outsider = await moderator(elsewhere, 'Eve')
  const { commentId: own } = await make.heldComment({ communityId, userId: ana.userId })
  for (const act of [claim, release]) {
    expect(await act(outsider.ctx, item).then(undefined, codeOf)).toBe('NOT_FOUND')
    expect(await act(outsider.ctx, { ...item, isGroup: true })).toMatchObject({ items: [] })
  }
  expect(await claim(ana.ctx, comment(own)).catch(codeOf)).toBe('FORBIDDEN')
  expect(await claim(as(asAdmin()), item).catch(codeOf)).toBe('FORBIDDEN')
  await decide(ana.ctx, { ...item, outcome: 'approved', version: 1 })
  expect(await claim(ana.ctx, item).catch(codeOf)).toBe('CHANGED')
})

test('a claim has no effect once its claimant may no longer decide on the item', async () => {
  const { item, communityId, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  await prisma.communityUser.updateMany({ where: { communityId, userId: ana.userId }, data: { roles: [] } })

  expect(await claimOn(ben.ctx, item)).toBeUndefined()
  expect(await decide(ben.ctx, { ...item, outcome: 'approved', version: 1 })).toMatchObject({ version: 2 })
})

test('a decision on somebody else’s claim fails and names them, unless the moderator has seen by whom it is claimed', async () => {
  const { item, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  const decision = { ...item, outcome: 'rejected' as const, version: 1 }

  expect(await decide(ben.ctx, decision).catch(detailsOf)).toMatchObject({
    claimedBy: ana.userId,
    claimedByName: 'Ana',
  })
  expect(await decide(ben.ctx, { ...decision, despiteClaimOf: ben.userId }).catch(codeOf)).toBe('CHANGED')
  expect(await decide(ben.ctx, { ...decision, despiteClaimOf: ana.userId })).toMatchObject({ outcome: 'rejected' })
})

test('apps decide over REST as if nothing were claimed', async () => {
  const { item, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  const rest = { ...ben.ctx, source: 'rest' as const }
  expect(await decide(rest, { ...item, outcome: 'approved', version: 1 })).toMatchObject({ version: 2 })
})

test('an undo restores the claim that the decision ended', async () => {
  const { item, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  const { decisionId } = await decide(ben.ctx, {
    ...item,
    outcome: 'rejected',
    version: 1,
    despiteClaimOf: ana.userId,
  })
  expect(await mine(ana.ctx)).toEqual([])
  expect((await countQueue(ana.ctx)).mine).toBe(0)
  await undoDecision(ben.ctx, { decisionId })
  expect(await mine(ana.ctx)).toEqual([item.subjectId])
  expect((await claimOn(ben.ctx, item))?.by.displayName).toBe('Ana')
})

test('an escalated item stays claimed, and in the claimant’s list', async () => {
  const { item, ana, ben } = await twoAtOneItem()
  await claim(ana.ctx, item)
  await escalate(ben.ctx, { ...item, note: 'What do you think?' })
  const [row] = await listed(ana.ctx, { view: 'mine' })
  expect(row).toMatchObject({
    ...item,
    escalation: { note: 'What do you think?' },
    claim: { by: { displayName: 'Ana' } },
  })
})

/** Lets the first act wait in its middle, with the content locked, and the second one for the first. */
async function inTurn<First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
  { subjectId }: Subject,
) {
  const paused = await database.pool.connect()
  await paused.query('begin')
  await paused.query('select from review_item where subject_id = $1 for no key update', [subjectId])
  const earlier = first()
  try {
    await waitForLockWaiter(database, 1)
    const later = second()
    await waitForLockWaiter(database, 2)
    await paused.query('commit')
    return await Promise.allSettled([earlier, later])
  } finally {
    paused.release(true)
  }
}

describe('of a claim and a decision on one item at once', () => {
  const approve =
    ({ ctx }: { ctx: Ctx }, item: Subject) =>
    () =>
      decide(ctx, { ...item, outcome: 'approved' })

  test('a claim that is first is named to the decision, which changes nothing', async () => {
    const { item, ana, ben } = await twoAtOneItem()
    const [claimed, decided] = await inTurn(() => claim(ana.ctx, item), approve(ben, item), item)
    expect(claimed).toMatchObject({ status: 'fulfilled' })
    expect(decided).toMatchObject({ reason: { code: 'CHANGED', details: { claimedByName: 'Ana' } } })
    expect(await mine(ana.ctx)).toEqual([item.subjectId])
  })

  test('a claim that is first keeps its item out of a decision on several', async () => {
    const { item, ana, ben } = await twoAtOneItem()
    const asSeen = { ...item, version: 1, outcome: 'approved' } as const
    const several = [asSeen, { ...asSeen, subjectId: 'of nobody' }]
    const together = () => decideItems(ben.ctx, several, { from: 'waiting' })
    const [claimed, decided] = await inTurn(() => claim(ana.ctx, item), together, item)
    expect(claimed.status).toBe('fulfilled')
    const claimedByAna = { failure: { code: 'CHANGED', details: { claimedByName: 'Ana' } } }
    expect(decided).toMatchObject({ value: [claimedByAna, { failure: { code: 'NOT_FOUND' } }] })
    expect(await mine(ana.ctx)).toEqual([item.subjectId])
  })

  test('a decision that is first leaves nothing to claim', async () => {
    const { item, ana, ben } = await twoAtOneItem()
    const [decided, claimed] = await inTurn(approve(ben, item), () => claim(ana.ctx, item), item)
    expect(decided).toMatchObject({ status: 'fulfilled' })
    expect(claimed).toMatchObject({ reason: { code: 'CHANGED' } })
    expect(await mine(ana.ctx)).toEqual([])
  })
})

test('claiming a group claims all its items but those of colleagues, which are counted by name, and one’s own', async () => {
  const { items, communityId, ana, ben } = await group(4)
  const [first, ...rest] = items
  if (!first) throw new Error('there are four')
  const { data } = await prisma.comment.findUniqueOrThrow({ where: { commentId: first.subjectId } })
  await make.heldComment({ communityId, userId: ana.userId, data: data as object })
  await claim(ben.ctx, first)

  const claimed = await claim(ana.ctx, { ...first, isGroup: true })

  expect(claimed).toMatchObject({ items: rest, others: [{ displayName: 'Ben', count: 1 }], own: 1, isCut: false })
  expect((await mine(ana.ctx)).sort()).toEqual(rest.map(({ subjectId }) => subjectId))
  expect(await release(ana.ctx, { ...first, isGroup: true })).toEqual({ items: rest })
  expect(await mine(ben.ctx)).toEqual([first.subjectId])
})

test('a decision on a group leaves out what colleagues have claimed, and names them, also if they claim it after the preview', async () => {
  const { items, ana, ben } = await group(4)
  const [first, second, ...rest] = items
  if (!first || !second) throw new Error('there are four')
  await claim(ana.ctx, first)

  const preview = await previewBulk(ben.ctx, { alike: [second] })
  const left = preview.items.filter(({ error }) => error)
  expect(left).toMatchObject([{ ...first, error: 'CLAIMED', claimedByName: 'Ana' }])
  const chosen = await previewBulk(ben.ctx, { items: items.map((item) => ({ ...item, version: 1 })) })
  expect(chosen.items.map(({ error }) => error)).toEqual(['CLAIMED', undefined, undefined, undefined])

  await claim(ana.ctx, second)
  const progress = await decideAll(ben.ctx, [second, ...rest])
  expect(progress).toMatchObject({ done: 2, refused: [{ ...second, failure: 'CLAIMED' }] })
  expect((await mine(ana.ctx)).sort()).toEqual([first.subjectId, second.subjectId])
})

async function decideAll(ctx: Ctx, items: { subjectType: 'comment'; subjectId: string }[]): Promise<BulkProgress> {
  const bulkId = randomUUID()
  const seen = await previewBulk(ctx, { items: items.map((item) => ({ ...item, version: 1 })) })
  const versions = new Map(seen.items.map(({ subjectId, version }) => [subjectId, version]))
  const at = items.map((item) => ({ ...item, version: versions.get(item.subjectId) ?? 1 }))
  await startBulk(ctx, { bulkId, outcome: 'approved', items: at })
  return finish(ctx, bulkId)
}

async function finish(ctx: Ctx, bulkId: string): Promise<BulkProgress> {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

const ROUNDS = scaled(20)
const isHeads = () => random.below(2) === 0

test(`three moderators claim, release, decide one by one and in groups, and undo at once, ${ROUNDS} times: nothing is decided twice, no claim is lost, and every answer is true`, async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const people = await Promise.all(['Ana', 'Ben', 'Cem'].map((name) => moderator(communityId, name)))
  const tally = { claimed: 0, refused: 0, leftOut: 0, decided: 0 }

  for (let round = 0; round < ROUNDS; round += 1) {
    const items = await addGroup({ communityId, userId }, 5)
    const some = () => random.oneOf(items)
    const answers: Answer[] = []

    async function act({ ctx, userId: who }: (typeof people)[number]): Promise<void> {
      const of = <Of extends Answer>(answer: Of) => answers.push(answer)
      const tryTo = [
        async () => of({ who, claimed: await claim(ctx, some()) }),
        async () => of({ who, claimed: await claim(ctx, { ...some(), isGroup: true }) }),
        async () => of({ who, released: (await release(ctx, { ...some(), isGroup: isHeads() })).items }),
        async () => {
          const item = some()
          const { version, claim } = (await readItem(ctx, item)).item
          const knows = claim && isHeads() ? claim.by.userId : undefined
          const { decisionId } = await decide(ctx, { ...item, outcome: 'approved', version, despiteClaimOf: knows })
          of({ who, decided: item.subjectId, despite: knows })
          if (isHeads()) await undoDecision(ctx, { decisionId })
        },
        async () => {
          const progress = await decideAll(ctx, items)
          of({ who, bulk: progress })
          if (isHeads()) {
            await undoBulk(ctx, { bulkId: progress.bulkId })
            await finish(ctx, progress.bulkId)
          }
        },
      ]
      for (let turn = 0; turn < 3; turn += 1) {
        await random
          .oneOf(tryTo)()
          .catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error
            if (error.details && 'claimedBy' in error.details) of({ who, refusedFor: String(error.details.claimedBy) })
            else expect(error.code).toBe('CHANGED')
          })
      }
    }
    await Promise.all(people.map(act))
    const logs = await Promise.all(items.map(({ subjectId }) => replay(subjectId)))
    const names = Object.fromEntries(people.map((person, index) => [['Ana', 'Ben', 'Cem'][index], person.userId]))
    for (const answer of answers) expectTrue(answer, new Map(logs.map((log) => [log.subjectId, log])), names)

    tally.claimed += answers.filter((answer) => 'claimed' in answer && answer.claimed.items.length > 0).length
    tally.refused += answers.filter((answer) => 'refusedFor' in answer).length
    tally.leftOut += answers.filter((answer) => 'bulk' in answer && answer.bulk.refused.length > 0).length
    tally.decided += logs.filter(({ isDecided }) => isDecided).length
  }
  // The rounds were about something.
  expect(Object.values(tally).every((count) => count > 0)).toBe(true)
})

type Answer = { who: string } & (
  | { claimed: Claimed }
  | { released: { subjectId: string }[] }
  | { refusedFor: string }
  | { decided: string; despite: string | undefined }
  | { bulk: BulkProgress }
)

interface Log {
  subjectId: string
  /** Who ever claimed it, and who ever decided on it. */
  claimants: Set<string>
  deciders: string[]
  isDecided: boolean
}

/**
 * What the log says of an item, step by step: it is claimed only while nobody else has it, released only by its claimant, decided only while
 * it is pending, and undone only while it is decided; and what it ends with is what is stored.
 */
async function replay(subjectId: string): Promise<Log> {
  const rows = await prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })
  const log: Log = { subjectId, claimants: new Set(), deciders: [], isDecided: false }
  let claimant: string | null = null
  for (const { action, actorId } of rows) {
    const step = `${action} by ${actorId}`
    const who = actorId ?? ''
    if (action === 'comment.undone') {
      expect([step, log.isDecided]).toEqual([step, true])
      log.isDecided = false
      continue
    }
    expect([step, log.isDecided]).toEqual([step, false])
    if (action === 'comment.claimed') {
      expect([step, claimant ?? who]).toEqual([step, who])
      claimant = who
      log.claimants.add(who)
    } else if (action === 'comment.released') {
      expect([step, claimant]).toEqual([step, who])
      claimant = null
    } else {
      log.isDecided = true
      log.deciders.push(`${who} despite ${claimant === who ? null : claimant}`)
    }
  }
  const item = await prisma.reviewItem.findFirstOrThrow({ where: { subjectId, kind: 'held' } })
  expect([item.claimedBy, item.state]).toEqual([claimant, log.isDecided ? 'approved' : 'waiting'])
  const standing = await prisma.decision.count({ where: { subjectId, undoneAt: null } })
  expect(standing).toBe(log.isDecided ? 1 : 0)
  return log
}

function expectTrue(answer: Answer, logs: Map<string, Log>, names: Record<string, string>): void {
  const { who } = answer
  const claimedBy = (by: string) => [...logs.values()].filter(({ claimants }) => claimants.has(by)).length
  const released = 'released' in answer ? answer.released : []
  const changed = 'claimed' in answer ? answer.claimed.items : released
  for (const { subjectId } of changed) expect(logs.get(subjectId)?.claimants).toContain(who)
  if ('claimed' in answer)
    for (const { displayName, count } of answer.claimed.others) {
      expect(names[displayName]).not.toBe(who)
      expect(claimedBy(names[displayName] ?? '')).toBeGreaterThanOrEqual(count)
    }
  if ('refusedFor' in answer)
    expect([answer.refusedFor === who, claimedBy(answer.refusedFor) > 0]).toEqual([false, true])
  if ('decided' in answer) {
    const possible = [`${who} despite null`, `${who} despite ${answer.despite}`]
    expect(logs.get(answer.decided)?.deciders.filter((one) => possible.includes(one))).not.toEqual([])
  }
  if ('bulk' in answer) expectTrueBulk(who, answer.bulk, logs)
}

function expectTrueBulk(who: string, { done, refused, total }: BulkProgress, logs: Map<string, Log>): void {
  expect(done + refused.length).toBe(total)
  for (const { subjectId, failure } of refused) {
    const log = logs.get(subjectId)
    const others = [...(log?.claimants ?? [])].filter((by) => by !== who)
    const isTrue = failure === 'CLAIMED' ? others.length > 0 : failure === 'CHANGED' && log?.deciders.length !== 0
    expect([failure, isTrue]).toEqual([failure, true])
  }
}
