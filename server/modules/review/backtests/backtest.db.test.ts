import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { type BacktestBatch, BacktestInput } from '#server/modules/review/backtests/schema.ts'
import { decide } from '#server/modules/review/queue/decide.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { RANDOM_CONDITION, RANDOM_ITEM } from '#server/testing/random-rules.ts'
import { isMetBy } from '#server/testing/rules-oracle.ts'
import { scaled } from '#server/testing/scaled.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const { database } = await testDatabase()
const { prisma, pool } = database
const make = factoriesOf(database)
const codeOf = (error: unknown) => (error instanceof DomainError ? error.code : error)

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
const input = (over: object) => BacktestInput.parse(over)

test('counts what the rule would have caught, by what people decided, with samples, and changes nothing', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  const rejected = await decided('A ferry', 'rejected')
  const approved = await decided('My ferry', 'approved')
  await decided('A tram', 'rejected')
  await decided('A bus', 'approved')
  await make.heldComment({ communityId, data: { text: 'A pending ferry' } })
  const post = await make.heldPost({ communityId, data: { title: 'Ferry', text: 'It runs' } })
  await decide(moderator, { subjectType: 'post', subjectId: post.postId, outcome: 'rejected' })
  const { ruleId } = await ruleOn(FERRY)

  const watch = await watchTables(pool)
  const batch = await backtest(moderator, input({ ruleId }))
  expect(await watch.changes()).toEqual([])
  expect(batch).toMatchObject({
    version: 1,
    judged: { rejected: 3, approved: 2 },
    caught: { rejected: 2, approved: 1 },
    missing: 0,
    failed: 0,
    total: 5,
    costMs: expect.any(Number),
  })
  expect(batch).not.toHaveProperty('next')
  expect(batch.samples).toMatchObject([
    { subjectId: post.postId, outcome: 'rejected', title: 'Ferry', found: [{ field: 'title', from: 0, to: 5 }] },
    { subjectId: approved, outcome: 'approved', text: 'My ferry', found: [{ field: 'text', from: 3, to: 8 }] },
    { subjectId: rejected, outcome: 'rejected', text: 'A ferry' },
  ])
  const ofPosts = await ruleOn(FERRY, { kinds: ['post'] })
  expect(await backtest(moderator, input(ofPosts))).toMatchObject({ judged: { rejected: 1, approved: 0 }, total: 1 })
})

test('goes through the history in batches, each item once, until the rule changes', async () => {
  const { moderator, ruleOn, decided } = await scene()
  for (let index = 0; index < 5; index += 1) await decided('A ferry', 'rejected')
  // As a bulk action decides: at one moment.
  await prisma.decision.updateMany({ data: { decidedAt: new Date() } })
  const rule = await ruleOn(FERRY)
  const batches: BacktestBatch[] = []
  let cursor: string | undefined
  do {
    const batch = await backtest(moderator, input({ ...rule, cursor, limit: 2 }))
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
  expect(await backtest(moderator, input({ ...rule, cursor: batches[0]?.next, limit: 2 })).catch(codeOf)).toBe(
    'CHANGED',
  )
  expect(await backtest(moderator, input({ ...rule, cursor: 'made up' })).catch(codeOf)).toBe('INVALID_REQUEST')
})

test('judges authors as they were when they wrote', async () => {
  const { communityId, moderator, ruleOn, decided } = await scene()
  const { userId } = await make.user()
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
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
    const { samples } = await backtest(moderator, input({ ruleId }))
    expect(samples.map(({ text }) => text)).toEqual(caught)
  }
})

test('is for those who manage the rule and review what it judges, in one community', async () => {
  const { communityId, moderator, ruleOn } = await scene()
  const rule = await ruleOn(FERRY)
  const other = await scene()
  expect(await backtest(other.moderator, input(rule)).catch(codeOf)).toBe('NOT_FOUND')
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  expect(await backtest(manager, input(rule)).catch(codeOf)).toBe('FORBIDDEN')
  const elsewhere = input({ ...rule, communityId: other.communityId })
  expect(await backtest(moderator, elsewhere).catch(codeOf)).toBe('INVALID_PARAMETERS')

  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const { ruleId } = await createRule(admin, NewRule.parse({ ...rule, communityId: null }))
  expect(await backtest(admin, input({ ruleId })).catch(codeOf)).toBe('INVALID_PARAMETERS')
  expect(await backtest(admin, input({ ruleId, communityId }))).toMatchObject({ total: 0 })
})

test('catches what the conditions say in plain words', async () => {
  const { moderator, ruleOn, decided } = await scene()
  const items = fc.sample(RANDOM_ITEM, { numRuns: scaled(30), seed: 18 })
  const texts: string[] = []
  for (const [index, { texts: written }] of items.entries()) {
    const text = written.map(({ text }) => text).join(' ')
    texts.push(text)
    await decided(text, index % 3 === 0 ? 'approved' : 'rejected')
  }
  const { ruleId } = await ruleOn(FERRY, { kinds: ['comment'] })
  for (const condition of fc.sample(RANDOM_CONDITION, { numRuns: scaled(12), seed: 19 })) {
    const stored = JSON.parse(JSON.stringify(condition))
    await prisma.ruleVersion.update({ where: { ruleId_version: { ruleId, version: 1 } }, data: { condition: stored } })
    const expected = { rejected: 0, approved: 0 }
    for (const [index, text] of texts.entries())
      if (isMetBy(condition, factsOf(text))) expected[index % 3 === 0 ? 'approved' : 'rejected'] += 1
    expect((await backtest(moderator, input({ ruleId, limit: 500 }))).caught).toEqual(expected)
  }
}, 60_000)

/** Of a comment by somebody who wrote nothing else and isn't a member. */
const factsOf = (text: string) => ({
  texts: [{ field: 'text' as const, text }],
  mentions: 0,
  media: [],
  author: { accountAgeDays: 0, contributions: 0, approved: 0, rejected: 0, bans: 0, membership: 'notMember' as const },
  rates: [1, 60].map((withinMinutes) => ({ by: 'author' as const, withinMinutes, count: 1 })),
  signals: {},
})
