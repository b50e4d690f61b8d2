import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput, TESTED_RULES_LIMIT } from '#server/modules/review/backtests/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const { database, prisma, pool, make } = await testDatabase()

// A batch also ends after two seconds, which a busy machine may need for a few items.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

async function scene() {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const ruleOn = (condition: unknown, over: object = {}) =>
    createRule(moderator, NewRule.parse({ communityId, name: 'Rule', kinds: ['comment', 'post'], condition, ...over }))
  const decided = async (text: string, outcome: 'approved' | 'rejected', over: object = {}) => {
    const { commentId } = await make.heldComment({ communityId, data: { text }, ...over })
    await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome })
    return commentId
  }
  return { communityId, moderator, ruleOn, decided }
}

const FERRY = { kind: 'words', words: ['ferry'] }

interface TestedAlone extends Partial<Pick<BacktestInput, 'communityId' | 'cursor' | 'limit'>> {
  ruleId: string
}

/** A batch of several rules, and what it says of one. */
const testAll = (ctx: Ctx, input: object) => backtest(ctx, BacktestInput.parse(input))
async function testOne(ctx: Ctx, { ruleId, ...input }: TestedAlone) {
  const { rules, together: _, ...batch } = await testAll(ctx, { ruleIds: [ruleId], ...input })
  const [rule] = rules
  if (rule === undefined) throw new Error('no rule was tested')
  return { ...rule, ...batch }
}

test('counts what the rule would catch of what is pending, and of the decided by what people decided, with samples, and changes nothing', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  const rejected = await decided('A ferry', 'rejected')
  const approved = await decided('My ferry', 'approved')
  await decided('A tram', 'rejected')
  await decided('A bus', 'approved')
  const pending = await make.heldComment({ communityId, data: { text: 'A pending ferry' } })
  await make.heldPost({ communityId, data: { title: 'Pending', text: 'A tram' } })
  const post = await make.heldPost({ communityId, data: { title: 'Ferry', text: 'It runs' } })
  await decide(moderator, { subjectType: 'post', subjectId: post.postId, outcome: 'rejected' })
  const { ruleId } = await ruleOn(FERRY)

  const watch = await watchTables(pool)
  const batch = await testOne(moderator, { ruleId })
  expect(await watch.changes()).toEqual([])
  expect(batch).toMatchObject({
    version: 1,
    judged: { rejected: 3, approved: 2, pending: 2 },
    caught: { rejected: 2, approved: 1, pending: 1 },
    missing: 0,
    failed: 0,
    total: 7,
    costMs: expect.any(Number),
  })
  expect(batch).not.toHaveProperty('next')
  expect(batch.samples).toMatchObject([
    { subjectId: pending.commentId, outcome: 'pending', text: 'A pending ferry', at: pending.queuedAt?.toISOString() },
    { subjectId: post.postId, outcome: 'rejected', title: 'Ferry', found: [{ field: 'title', from: 0, to: 5 }] },
    { subjectId: approved, outcome: 'approved', text: 'My ferry', found: [{ field: 'text', from: 3, to: 8 }] },
    { subjectId: rejected, outcome: 'rejected', text: 'A ferry' },
  ])
  const ofPosts = await ruleOn(FERRY, { kinds: ['post'] })
  expect(await testOne(moderator, ofPosts)).toMatchObject({
    judged: { rejected: 1, approved: 0, pending: 1 },
    total: 2,
  })
})

test('samples have the part of a long text that was found', async () => {
  const { moderator, ruleOn, decided } = await scene()
  await decided(`${'Hello there. '.repeat(800)}My ferry`, 'rejected')
  const { samples } = await testOne(moderator, await ruleOn(FERRY))
  expect(samples.map(({ text, found: [one] }) => [text.length < 60, text.slice(one?.from, one?.to)])).toEqual([
    [true, 'ferry'],
  ])
})

test('samples of an outcome have different texts', async () => {
  const { moderator, ruleOn, decided } = await scene()
  for (const text of ['A ferry', 'A ferry', 'My ferry', 'A ferry']) await decided(text, 'rejected')
  await decided('A ferry', 'approved')
  const { samples, caught } = await testOne(moderator, await ruleOn(FERRY))
  expect(caught).toEqual({ rejected: 4, approved: 1, pending: 0 })
  expect(samples.map(({ outcome, text }) => `${outcome} ${text}`).sort()).toEqual([
    'approved A ferry',
    'rejected A ferry',
    'rejected My ferry',
  ])
})

test('goes through the history in batches, each item once, until the rule changes', async () => {
  const { moderator, ruleOn, decided } = await scene()
  for (let index = 0; index < 5; index += 1) await decided(`A ferry ${index}`, 'rejected')
  // As a bulk action decides: at one moment.
  await prisma.decision.updateMany({ data: { decidedAt: new Date() } })
  const rule = await ruleOn(FERRY)
  const batches: Awaited<ReturnType<typeof testOne>>[] = []
  let cursor: string | undefined
  do {
    const batch = await testOne(moderator, { ...rule, cursor, limit: 2 })
    batches.push(batch)
    cursor = batch.next
  } while (cursor !== undefined)
  expect(batches.map(({ judged, total }) => [judged.rejected, total])).toEqual([
    [2, 5],
    [2, undefined],
    [1, undefined],
  ])
  const sampled = batches.flatMap(({ samples }) => samples.map(({ subjectId }) => subjectId))
  expect(new Set(sampled).size).toBe(5)

  await changeRule(moderator, { ...rule, condition: Conditions.parse({ ...FERRY, words: ['tram'] }) })
  expect(await testOne(moderator, { ...rule, cursor: batches[0]?.next, limit: 2 }).catch(failureOf)).toBe('CHANGED')
  expect(await testOne(moderator, { ...rule, cursor: 'made up' }).catch(failureOf)).toBe('INVALID_REQUEST')
})

test('goes through pending comments, pending posts and decisions in batches, each item once, also those of one moment', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  for (const text of ['A ferry', 'Another ferry', 'One more ferry']) {
    await make.heldComment({ communityId, data: { text } })
    // Samples have different texts.
    await make.heldPost({ communityId, data: { text: `Posted: ${text}` } })
    await decided(`Decided: ${text}`, 'approved')
  }
  const atOnce = new Date()
  await prisma.comment.updateMany({ where: { communityId, approvalStatus: 'pending' }, data: { queuedAt: atOnce } })
  await prisma.post.updateMany({ where: { communityId, feedType: 'reviewing' }, data: { queuedAt: atOnce } })
  const rule = await ruleOn(FERRY)
  const sampled: string[] = []
  let [cursor, judged]: [string | undefined, number] = [undefined, 0]
  do {
    const batch = await testOne(moderator, { ...rule, cursor, limit: 2 })
    judged += batch.judged.pending + batch.judged.approved
    sampled.push(
      ...batch.samples.map(({ subjectType, outcome, subjectId }) => `${outcome} ${subjectType} ${subjectId}`),
    )
    cursor = batch.next
  } while (cursor !== undefined)
  expect(judged).toBe(9)
  expect(new Set(sampled).size).toBe(9)
  expect(sampled.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
    ...Array(3).fill('pending comment'),
    ...Array(3).fill('pending post'),
    ...Array(3).fill('approved comment'),
  ])
})

test('judges authors as they were when they wrote', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  const { userId } = await make.user()
  const now = Date.now()
  const daysAgo = (days: number) => new Date(now - days * 86_400_000)
  await prisma.user.update({ where: { userId }, data: { createdAt: daysAgo(10) } })
  await decided('First', 'rejected', { userId, createdAt: daysAgo(9.5) })
  await decided('Second', 'approved', { userId, createdAt: daysAgo(2) })
  await prisma.ban.create({ data: { scope: 'community', communityId, userId, createdAt: daysAgo(5) } })
  for (const [condition, caught] of [
    [{ kind: 'accountAge', underDays: 1 }, ['First']],
    [{ kind: 'contributions', fewerThan: 1 }, ['First']],
    [{ kind: 'bans' }, ['Second']],
    [{ kind: 'decisions', outcome: 'rejected' }, []],
    [{ kind: 'rate', by: 'author', moreThan: 1, withinMinutes: 1_440 }, []],
  ] as const) {
    const { ruleId } = await ruleOn(condition)
    const { samples } = await testOne(moderator, { ruleId })
    expect(samples.map(({ text }) => text)).toEqual(caught)
  }
})

test('is for those who manage the rule and review what it judges, in one community', async () => {
  const { communityId, moderator, ruleOn } = await scene()
  const rule = await ruleOn(FERRY)
  const other = await scene()
  expect(await testOne(other.moderator, rule).catch(failureOf)).toBe('NOT_FOUND')
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  expect(await testOne(manager, rule).catch(failureOf)).toBe('FORBIDDEN')
  const elsewhere = { ...rule, communityId: other.communityId }
  expect(await testOne(moderator, elsewhere).catch(failureOf)).toBe('INVALID_PARAMETERS')

  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const { ruleId } = await createRule(admin, NewRule.parse({ ...rule, communityId: null }))
  expect(await testOne(admin, { ruleId }).catch(failureOf)).toBe('INVALID_PARAMETERS')
  expect(await testOne(admin, { ruleId, communityId })).toMatchObject({ total: 0 })
})

test('several rules say together exactly what each says alone, of its own kinds, and what at least one of them caught', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  await decided('A ferry and a tram', 'rejected')
  await decided('A ferry', 'approved')
  await decided('A tram, see https://example.com', 'rejected')
  await decided('A bus', 'rejected')
  const post = await make.heldPost({ communityId, data: { title: 'Ferry', text: 'A tram' } })
  await decide(moderator, { subjectType: 'post', subjectId: post.postId, outcome: 'approved' })
  const network = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const ofNetwork = { communityId: null, name: 'Links', kinds: ['comment'], condition: { kind: 'links' } }
  const rules = [
    await ruleOn({ kind: 'words', words: ['tram'] }, { kinds: ['comment'] }),
    await ruleOn(FERRY),
    await ruleOn({ kind: 'contributions', fewerThan: 1 }, { kinds: ['post'] }),
    await createRule(network, NewRule.parse(ofNetwork)),
  ]
  const ruleIds = rules.map(({ ruleId }) => ruleId)
  const alone = []
  for (const ruleId of ruleIds) alone.push((await testAll(network, { ruleIds: [ruleId], communityId })).rules[0])

  const { rules: several, together, total } = await testAll(network, { ruleIds })
  const withoutCost = (tested: object | undefined) => ({ ...tested, costMs: expect.any(Number) })
  expect(several).toEqual(alone.map(withoutCost))
  expect(several.map(({ judged, caught }) => [judged, caught])).toEqual([
    [
      { rejected: 3, approved: 1, pending: 0 },
      { rejected: 2, approved: 0, pending: 0 },
    ],
    [
      { rejected: 3, approved: 2, pending: 0 },
      { rejected: 1, approved: 2, pending: 0 },
    ],
    [
      { rejected: 0, approved: 1, pending: 0 },
      { rejected: 0, approved: 1, pending: 0 },
    ],
    [
      { rejected: 3, approved: 1, pending: 0 },
      { rejected: 1, approved: 0, pending: 0 },
    ],
  ])
  expect(together).toMatchObject({ judged: { rejected: 3, approved: 2 }, caught: { rejected: 2, approved: 2 } })
  expect(total).toBe(5)
  expect((await testAll(network, { ruleIds, samples: 0 })).rules.flatMap(({ samples }) => samples)).toEqual([])
})

test('a batch of several rules ends the test when one of them changes, or the set does', async () => {
  const { moderator, ruleOn, decided } = await scene()
  for (const text of ['A ferry', 'A tram']) await decided(text, 'rejected')
  const [first, second, third] = [await ruleOn(FERRY), await ruleOn(FERRY), await ruleOn(FERRY)]
  const ruleIds = [first.ruleId, second.ruleId]
  const { next: cursor } = await testAll(moderator, { ruleIds, limit: 1 })
  expect(await testAll(moderator, { ruleIds: [first.ruleId, third.ruleId], cursor }).catch(failureOf)).toBe('CHANGED')
  expect(await testAll(moderator, { ruleIds, cursor })).toMatchObject({ together: { judged: { rejected: 1 } } })
  await changeRule(moderator, { ...second, name: 'Another name' })
  expect(await testAll(moderator, { ruleIds, cursor }).catch(failureOf)).toBe('CHANGED')
})

test('one rule that the caller may not test stops the test of all, and reveals nothing', async () => {
  const { communityId, moderator, ruleOn } = await scene()
  const { ruleId } = await ruleOn(FERRY)
  const other = await scene()
  const foreign = await other.ruleOn(FERRY)
  const tryBoth = (ctx: Ctx, ruleIds: string[]) => testAll(ctx, { ruleIds, communityId }).catch((error) => error)
  const ofForeign = await tryBoth(moderator, [ruleId, foreign.ruleId])
  expect(ofForeign).toMatchObject({ code: 'NOT_FOUND' })
  expect(ofForeign).toEqual(await tryBoth(moderator, [ruleId, 'no such rule']))
  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  expect(await tryBoth(admin, [ruleId, foreign.ruleId])).toMatchObject({ code: 'INVALID_PARAMETERS' })
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  expect(await tryBoth(manager, [ruleId])).toMatchObject({ code: 'FORBIDDEN' })
  for (const ruleIds of [[], [ruleId, ruleId], Array.from({ length: TESTED_RULES_LIMIT + 1 }, String)])
    expect(BacktestInput.safeParse({ ruleIds }).success).toBe(false)
})
