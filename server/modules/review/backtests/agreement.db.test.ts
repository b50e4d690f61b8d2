import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput, TESTED_RULES_LIMIT } from '#server/modules/review/backtests/schema.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { RANDOM_CONDITION, RANDOM_ITEM } from '#server/testing/random-rules.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'
import { isMetBy } from '#server/testing/rules-oracle.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'

const { database } = await testDatabase()
const { prisma, pool } = database
const { scene } = rulesOn(database)

/** 100,000 with a STRESS_SCALE of 1,000. */
const ITEMS = scaled(100)
const RULES = IS_STRESS ? 200 : 40
/** Written before they are looked at. */
const CHUNK = 500
/** Judged in one call. */
const BATCH = 50

test(`of ${ITEMS} items, live rules hold, rules in shadow record and backtests count exactly those that ${RULES} rules mean in plain words`, async () => {
  const { communityId, moderator, author, postId } = await scene()
  const rules = await storeRules(communityId, author.userId, fc.sample(RANDOM_CONDITION, { numRuns: RULES, seed: 18 }))
  const mentioned = await storePeople(4, 'mentioned')
  const written: WrittenItem[] = []
  for (let from = 0; from < ITEMS; from += CHUNK) {
    const items = fc
      .sample(RANDOM_ITEM, { numRuns: Math.min(CHUNK, ITEMS - from), seed: 18 + from })
      .filter(({ texts }) => texts.every(({ text }) => text))
    const authors = await storePeople(items.length, `author ${from}`, communityId)
    const chunk: WrittenItem[] = []
    for (const [index, item] of items.entries())
      chunk.push(await write(item, { communityId, postId, author: authors[index] ?? '', mentioned, index }, rules))
    await expectMatches(chunk, rules)
    await decideAll(communityId, chunk, written.length)
    written.push(...chunk)
  }

  for (let first = 0; first < rules.length; first += TESTED_RULES_LIMIT) {
    const ruleIds = rules.slice(first, first + TESTED_RULES_LIMIT).map(({ ruleId }) => ruleId)
    await expectCaught(moderator, ruleIds, written.toReversed())
  }
})

/** What a backtest of the rules counts, batch by batch. */
async function expectCaught(moderator: Ctx, ruleIds: string[], newestFirst: WrittenItem[]): Promise<void> {
  let cursor: string | undefined
  let from = 0
  do {
    const batch = await backtest(moderator, BacktestInput.parse({ ruleIds, cursor, limit: BATCH }))
    const items = newestFirst.slice(from, from + BATCH)
    const met = (ruleId: string) => items.filter((item) => item.met.has(ruleId))
    expect(batch.rules.map(({ ruleId, caught }) => [ruleId, caught])).toEqual(
      ruleIds.map((ruleId) => [ruleId, outcomesOf(met(ruleId))]),
    )
    const inAny = items.filter((item) => ruleIds.some((ruleId) => item.met.has(ruleId)))
    expect(batch.together).toMatchObject({ judged: outcomesOf(items), caught: outcomesOf(inAny) })
    for (const { ruleId, samples } of batch.rules)
      for (const { subjectId } of samples) expect(met(ruleId).map((item) => item.subjectId)).toContain(subjectId)
    from += BATCH
    cursor = batch.next
  } while (cursor !== undefined)
  expect(from).toBeGreaterThan(newestFirst.length)
}

interface StoredRule {
  ruleId: string
  condition: Condition
  isLive: boolean
}

interface WrittenItem {
  subjectType: 'comment' | 'post'
  subjectId: string
  author: string
  outcome: 'approved' | 'rejected'
  /** The rules whose conditions it meets, as the oracle says. */
  met: Set<string>
}

const outcomesOf = (items: WrittenItem[]) => ({
  rejected: items.filter(({ outcome }) => outcome === 'rejected').length,
  approved: items.filter(({ outcome }) => outcome === 'approved').length,
})

/** Of an author who joined just now and wrote nothing before. */
const KNOWN: Partial<Facts> = {
  author: { accountAgeDays: 0, contributions: 0, approved: 0, rejected: 0, bans: 0, membership: 'member' },
  rates: [1, 60].map((withinMinutes) => ({ by: 'author', withinMinutes, count: 1 })),
  similarity: undefined,
  signals: {},
}

interface Where {
  communityId: string
  postId: string
  author: string
  mentioned: string[]
  index: number
}

/** Writes it as its author does: every second as a comment, the others as posts. */
async function write(
  item: Facts,
  { communityId, postId, author, mentioned, index }: Where,
  rules: StoredRule[],
): Promise<WrittenItem> {
  const ctx = ctxOf(database, asUser(author), { source: 'rest' })
  const data = Object.fromEntries(item.texts.map(({ field, text }) => [field, text]))
  const isComment = index % 2 === 0
  const media = isComment ? item.media.filter((type) => type === 'image' || type === 'video') : item.media
  const userIds = mentioned.slice(0, item.mentions)
  const content = { data, mentionees: [{ type: 'user' as const, userIds }] }
  const attachments = media.map((type) => ({ type, fileId: 'none' }))
  const subjectId = isComment
    ? await writtenComment(ctx, { ...content, attachments, referenceType: 'post', referenceId: postId })
    : await writtenPost(ctx, { ...content, attachments, targetType: 'community', targetId: communityId })
  const facts = { ...item, ...KNOWN, media, mentions: userIds.length }
  const met = rules.filter(({ condition }) => isMetBy(condition, facts)).map(({ ruleId }) => ruleId)
  const outcome = index % 3 === 0 ? 'approved' : 'rejected'
  return { subjectType: isComment ? 'comment' : 'post', subjectId, author, outcome, met: new Set(met) }
}

/** What rules recorded, live and in shadow, and what is held. */
async function expectMatches(items: WrittenItem[], rules: StoredRule[]): Promise<void> {
  const subjectIds = items.map(({ subjectId }) => subjectId)
  const matches = await prisma.ruleMatch.findMany({ where: { subjectId: { in: subjectIds } } })
  const live = new Set(rules.filter(({ isLive }) => isLive).map(({ ruleId }) => ruleId))
  const expected = items.flatMap(({ subjectId, met }) =>
    [...met].map((ruleId) => `${subjectId} ${ruleId} ${live.has(ruleId)}`),
  )
  expect(matches.map(({ subjectId, ruleId, isLive }) => `${subjectId} ${ruleId} ${isLive}`).sort()).toEqual(
    expected.sort(),
  )
  const { rows } = await pool.query<{ id: string }>(HELD, [subjectIds])
  const toBeHeld = items.filter(({ met }) => [...met].some((ruleId) => live.has(ruleId)))
  expect(rows.map(({ id }) => id).sort()).toEqual(toBeHeld.map(({ subjectId }) => subjectId).sort())
}

const HELD = `
  select comment_id as id from comment where comment_id = any($1) and approval_status = 'pending'
  union all select post_id from post where post_id = any($1) and feed_type = 'reviewing'`

/** After everything was written: an earlier decision is a fact about its author. */
const BEGAN_AT = Date.now() + 86_400_000

/** As people who look at everything would, one after the other; before these, `place` others. */
async function decideAll(communityId: string, items: WrittenItem[], place: number): Promise<void> {
  await prisma.decision.createMany({
    data: items.map(({ subjectType, subjectId, author, outcome }, index) => ({
      ...{ subjectType, subjectId, communityId, authorId: author, outcome },
      ...{ decidedByName: 'x', source: 'desk' as const, version: 2, eventId: 1n },
      heldAt: new Date(BEGAN_AT),
      decidedAt: new Date(BEGAN_AT + place + index),
    })),
  })
}

/** Also with conditions that can't be written any more, every fourth live. */
async function storeRules(communityId: string, ownerId: string, conditions: Condition[]): Promise<StoredRule[]> {
  const now = new Date()
  const rules = conditions.map((condition, index) => ({
    ruleId: `random ${index}`,
    condition,
    isLive: index % 4 === 0,
  }))
  await prisma.rule.createMany({
    data: rules.map(({ ruleId, isLive }, position) => ({
      ...{ ruleId, communityId, position, name: 'Random', ownerId },
      state: isLive ? ('live' as const) : ('shadow' as const),
      createdAt: now,
      updatedAt: now,
    })),
  })
  await prisma.ruleVersion.createMany({
    data: rules.map(({ ruleId, condition }) => ({
      ruleId,
      version: 1,
      kinds: ['comment', 'post'],
      condition: JSON.parse(JSON.stringify(condition)),
      action: { type: 'hold' },
      createdBy: ownerId,
      createdAt: now,
      usedAt: now,
    })),
  })
  return rules
}

/** People, or members of a community. */
async function storePeople(count: number, name: string, communityId?: string): Promise<string[]> {
  const userIds = Array.from({ length: count }, (_, index) => `${name} ${index}`)
  await prisma.user.createMany({ data: userIds.map((userId) => ({ userId })) })
  if (communityId !== undefined) {
    const data = userIds.map((userId) => ({ communityId, userId, membership: 'member' as const }))
    await prisma.communityUser.createMany({ data })
  }
  return userIds
}
