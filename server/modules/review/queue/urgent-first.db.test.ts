import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { clearFlags, flag } from '#server/modules/content/flags/flag.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { type NewSignal, NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput, type QueueItem } from '#server/modules/review/queue/schema.ts'
import { setTarget } from '#server/modules/review/targets/set-target.ts'
import { urgencyOf, urgentAt } from '#server/modules/review/urgency/schema.ts'
import { SEVERITY_MINUTES } from '#server/modules/rules/severity/schema.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { everyPage } from '#server/testing/every-page.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin())
const settings = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))

const HELD = IS_STRESS ? 10_000 : 400
const HOUR = 60
const MINUTE_MS = 60_000
const NOW = Date.parse('2026-11-20T12:10:00Z')
/** The queue that is compared with the documented amounts is read at this time; what rules and people do takes place now. */
const then = { ...admin, now: () => new Date(NOW) }
const random = randomNumbers()

const onComment = (subjectId: string) => ({ subjectType: 'comment', subjectId }) as const

function score(id: string, value: number, over: Partial<Record<keyof NewSignal, string>> = {}) {
  const signals = [{ type: 'comment', id, name: 'toxicity', score: value, ...over }]
  return recordSignals(admin, NewSignals.parse({ signals }))
}

/** Nobody but reviewers sees what is held. */
async function flagBySomebody(commentId: string, communityId: string) {
  await flag(ctxOf(database, await make.reviewerOf(communityId)), flaggableComment, {
    id: commentId,
    flag: { reason: 'Spam or scams' },
  })
}

const listed = (ctx: Ctx, asked: object, afterPage?: (page: number) => Promise<unknown>) =>
  everyPage(ctx, { ...asked, order: 'urgent' }, afterPage)

const idsOf = (items: { subjectId: string }[]) => items.map(({ subjectId }) => subjectId)
/** In minutes. */
function sumOf(item: QueueItem) {
  const { waitedMs, targetMs, ruleMs, signalMs, flagsMs, reachMs, totalMs } = urgencyOf(item, NOW)
  return {
    waited: waitedMs / MINUTE_MS,
    target: targetMs / MINUTE_MS,
    rule: ruleMs / MINUTE_MS,
    signal: signalMs / MINUTE_MS,
    flags: flagsMs / MINUTE_MS,
    reach: reachMs / MINUTE_MS,
    total: totalMs / MINUTE_MS,
  }
}

const sumsOf = async (ctx: Ctx, commentId: string) => sumOf((await readItem(ctx, onComment(commentId))).item)

interface Written {
  id: string
  isPost: boolean
  communityId: string
  postId: string
  heldAt: Date
  writtenAt: Date
  flags: number
  rule: number | null
  score: number | undefined
}

/** What an item is worth besides waiting, in minutes, by the amounts of docs/desk.md. */
function worthOf({ flags, rule, score = 0, ...item }: Written, { reached }: Amounts): number {
  const signal = score > 0.5 ? Math.round((score - 0.5) * 960) : 0
  const reach = !item.isPost && item.postId === reached ? 3 * HOUR : 0
  return (rule ?? 0) + signal + reach + Math.min(flags, 8) * HOUR
}

const targetOf = ({ communityId }: Written, { targets }: Amounts) => targets.get(communityId) ?? 4 * HOUR
const isSevere = (item: Written) => worthOf(item, busy.amounts) >= 4 * HOUR

interface Amounts {
  targets: Map<string, number>
  /** A post that 12,000 people saw. */
  reached: string
}

/** Held comments and posts of three communities with different targets, many with equal sums. */
async function busyQueue() {
  const spaces = await Promise.all([make.community(), make.community(), make.community()])
  const targets = new Map(spaces.slice(0, 2).map(({ communityId }, index) => [communityId, [30, 2_880][index] ?? 0]))
  for (const [communityId, withinMinutes] of targets)
    await setTarget(settings, { communityId, withinMinutes, sharePercent: 90 })
  const { userId } = await make.user()
  const posts = await Promise.all(spaces.map(({ communityId }) => make.post({ communityId, postedUserId: userId })))
  const reached = posts[0]?.postId ?? ''
  await prisma.post.update({ where: { postId: reached }, data: { reach: 12_000 } })

  const items = Array.from({ length: HELD }, (_, index): Written => {
    const space = index % 3
    const heldAt = new Date(Math.floor(NOW / 3_600_000) * 3_600_000 - random.below(60) * 3_600_000)
    return {
      id: `${reached}-${index}`,
      isPost: index % 10 === 0,
      communityId: spaces[space]?.communityId ?? '',
      postId: posts[space]?.postId ?? '',
      heldAt,
      writtenAt: new Date(heldAt.getTime() - random.below(40) * 3_600_000),
      flags: random.oneOf([0, 0, 1, 3, 20]),
      rule: random.oneOf([null, null, 120, 240, 480]),
      score: random.oneOf([null, null, 0.2, 0.75, random.fraction()]) ?? undefined,
    }
  })
  await pool.query(
    `with item as (select * from jsonb_to_recordset($1::jsonb) as item(id text, "isPost" boolean, "communityId" text, "postId" text,
       "heldAt" timestamptz, "writtenAt" timestamptz, flags int, rule smallint)),
     comments as (
       insert into comment (comment_id, community_id, target_type, reference_type, reference_id, user_id, approval_status, data, flag_count,
         queued_at, created_at)
       select id, "communityId", 'community', 'post', "postId", $2, 'pending', jsonb_build_object('text', 'Some words of ' || id), flags, "heldAt", "writtenAt"
       from item where not "isPost")
     insert into post (post_id, community_id, target_type, posted_user_id, feed_type, data, flag_count, queued_at, created_at)
     select id, "communityId", 'community', $2, 'reviewing', jsonb_build_object('text', 'Some words of ' || id), flags, "heldAt", "writtenAt" from item where "isPost"`,
    [JSON.stringify(items), userId],
  )
  await heldByRules(items)
  for (const type of ['comment', 'post'] as const) {
    const ofType = items.filter(({ isPost }) => isPost === (type === 'post'))
    await keepReportsOf(
      database,
      type,
      ofType.map(({ id }) => id),
    )
  }
  const scored = items.filter((item) => item.score !== undefined)
  for (let index = 0; index < scored.length; index += 100)
    await recordSignals(
      admin,
      NewSignals.parse({
        signals: scored
          .slice(index, index + 100)
          .map(({ id, isPost, score }) => ({ type: isPost ? 'post' : 'comment', id, name: 'toxicity', score })),
      }),
    )
  return { spaces, posts, userId, items, amounts: { targets, reached } }
}

/** As rules of each severity hold them. */
async function heldByRules(items: Written[]) {
  const at = new Date(NOW)
  for (const [severity, minutes] of Object.entries(SEVERITY_MINUTES)) {
    const rule = { position: 1, name: severity, ownerId: 'somebody', createdAt: at, updatedAt: at }
    const { ruleId } = await prisma.rule.create({ data: rule })
    const kinds = ['comment', 'post']
    const action = { type: 'hold', severity }
    const version = {
      ruleId,
      version: 1,
      kinds,
      condition: { kind: 'links' },
      action,
      createdBy: 'somebody',
      createdAt: at,
    }
    await prisma.ruleVersion.create({ data: version })
    await prisma.ruleMatch.createMany({
      data: items
        .filter((item) => item.rule === minutes)
        .map(({ id, isPost, heldAt }) => ({
          ...{ ruleId, version: 1, isLive: true, found: [], createdAt: heldAt },
          ...{ subjectType: isPost ? ('post' as const) : ('comment' as const), subjectId: id },
        })),
    })
  }
}

const busy = await busyQueue()

/** The most urgent first, by the documented amounts alone. */
function expected(matches: (item: Written) => boolean): string[] {
  const heldAt = (item: Written) => item.heldAt.getTime()
  const zeroAt = (item: Written) =>
    heldAt(item) + (targetOf(item, busy.amounts) - worthOf(item, busy.amounts)) * MINUTE_MS
  const dayOf = (item: Written) => item.heldAt.toISOString().slice(0, 10)
  const byDayAndWorth = (a: Written, b: Written) =>
    dayOf(b).localeCompare(dayOf(a)) || worthOf(b, busy.amounts) - worthOf(a, busy.amounts) || heldAt(a) - heldAt(b)
  const byUrgency = (a: Written, b: Written) =>
    Number(isSevere(b)) - Number(isSevere(a)) || (isSevere(a) ? byDayAndWorth(a, b) : zeroAt(a) - zeroAt(b))
  const sorted = busy.items.filter(matches).sort((a, b) => byUrgency(a, b) || (a.id < b.id ? -1 : 1))
  return sorted.map(({ id }) => id)
}

const day = new Date(NOW - 2 * 86_400_000).toISOString().slice(0, 10)
const [space] = busy.spaces
const filters: [string, object, (item: Written) => boolean][] = [
  ['nothing', {}, () => true],
  ['a community', { communityId: space?.communityId }, ({ communityId }) => communityId === space?.communityId],
  ['posts', { kind: 'post' }, ({ isPost }) => isPost],
  ['a post', { postId: busy.amounts.reached }, ({ isPost, postId }) => !isPost && postId === busy.amounts.reached],
  ['flags', { isFlagged: true }, ({ flags }) => flags > 0],
  ['an author', { authorId: busy.userId }, () => true],
  ['a text', { text: 'some' }, () => true],
  ['a day', { startDate: day, endDate: day }, ({ writtenAt }) => writtenAt.toISOString().startsWith(day)],
  [
    'a post on days',
    { postId: busy.amounts.reached, startDate: day },
    ({ isPost, postId, writtenAt }) =>
      !isPost && postId === busy.amounts.reached && writtenAt.toISOString().slice(0, 10) >= day,
  ],
  ['held for a time', { heldForMinutes: 1_810 }, ({ heldAt }) => NOW - heldAt.getTime() >= 1_810 * MINUTE_MS],
  ['held for less', { heldUnderMinutes: 1_210 }, ({ heldAt }) => NOW - heldAt.getTime() < 1_210 * MINUTE_MS],
]

/** By what `Why first` shows; the day of severe items is shown as when they were held. */
const bySum = (now: number) => (a: QueueItem, b: QueueItem) => {
  const [one, other] = [urgencyOf(a, now), urgencyOf(b, now)]
  const byDay = one.isSevere ? b.heldAt.slice(0, 10).localeCompare(a.heldAt.slice(0, 10)) : 0
  const byTime = one.isSevere ? Date.parse(a.heldAt) - Date.parse(b.heldAt) : 0
  return (
    Number(other.isSevere) - Number(one.isSevere) ||
    byDay ||
    other.totalMs - one.totalMs ||
    byTime ||
    (a.subjectId < b.subjectId ? -1 : 1)
  )
}

describe('the shown sums are exactly the order', () => {
  test.each(filters)('filtered by %s', async (_, filter, matches) => {
    const ids = new Set(busy.items.map(({ id }) => id))
    const items = (await listed(then, { ...filter, limit: 97 })).filter(({ subjectId }) => ids.has(subjectId))
    expect(idsOf(items)).toEqual(expected(matches))
    expect(items).toEqual(items.toSorted(bySum(NOW)))
  })
})

test('the lines of a sum are the documented amounts, and those of the item read by itself are the same', async () => {
  const byId = new Map(busy.items.map((item) => [item.id, item]))
  const items = await listed(admin, { communityId: space?.communityId, kind: 'comment' })
  const [first, last] = [items[0], items.at(-1)]
  const [written, waiting] = [first, last].map((item) => byId.get(item?.subjectId ?? ''))
  if (!first || !written || !last || !waiting) throw new Error('nothing is listed')
  expect(isSevere(waiting)).toBe(false)
  const { totalMs: sumMs, waitedMs } = urgencyOf(last, NOW)
  expect(sumMs - waitedMs).toBe((worthOf(waiting, busy.amounts) - targetOf(waiting, busy.amounts)) * MINUTE_MS)
  const { totalMs } = urgencyOf(first, NOW)
  expect(isSevere(written)).toBe(true)
  expect(totalMs).toBe(worthOf(written, busy.amounts) * MINUTE_MS)
  const { item } = await readItem(admin, onComment(first.subjectId))
  expect(urgencyOf(item, NOW)).toEqual(urgencyOf(first, NOW))
})

test('the order stays the same while time passes', async () => {
  const items = await listed(admin, { communityId: space?.communityId, limit: 100 })
  expect(items.toSorted(bySum(NOW + 30 * 86_400_000))).toEqual(items)
})

test('rules, scores and flags of what is written count, the most severe rule and the highest score of each', async () => {
  const { communityId, moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await running({ kind: 'words', words: ['ferry'] }, 'live', { action: { type: 'hold', severity: 'high' } })
  await running({ kind: 'words', words: ['ferry', 'boat'] }, 'live', { action: { type: 'hold', severity: 'low' } })
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'highlight', severity: 'high' } })
  await running({ kind: 'words', words: ['boat'] }, 'shadow', { action: { type: 'hold', severity: 'high' } })
  const [boat, ferry] = [await comment('A boat'), await comment('A ferry')]
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ target: 240, rule: 240, signal: 0, flags: 0 })
  expect(await sumsOf(moderator, ferry.commentId)).toMatchObject({ rule: 480 })

  await score(boat.commentId, 0.5)
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ signal: 0 })
  await score(boat.commentId, 1)
  await score(boat.commentId, 0.9, { name: 'spam' })
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ signal: 480 })
  await score(boat.commentId, 0.1)
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ signal: 384 })
  await flagBySomebody(boat.commentId, communityId)
  await flagBySomebody(boat.commentId, communityId)
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ signal: 384, flags: 120 })
  expect(idsOf(await listed(moderator, { communityId }))).toEqual([boat.commentId, ferry.commentId])
  await clearFlags(moderator, flaggableComment, { id: boat.commentId })
  expect(await sumsOf(moderator, boat.commentId)).toMatchObject({ flags: 0 })
})

test('a post counts like a comment, its attachments with it', async () => {
  const { communityId, author, moderator, running } = await scene()
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'hold', severity: 'high' } })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'A boat' }, attachments: [] }
  const postId = await writtenPost(ctxOf(database, asUser(author.userId), { source: 'rest' }), input)
  await score(postId, 0.75, { type: 'post' })
  const { item } = await readItem(moderator, { subjectType: 'post', subjectId: postId })
  expect(sumOf(item)).toMatchObject({ rule: 480, signal: 240 })
})

test('what is held again counts from the start: its rules, and the target of now', async () => {
  const { communityId, author, moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'hold', severity: 'high' } })
  await running({ kind: 'words', words: ['ferry'] }, 'live', { action: { type: 'hold', severity: 'low' } })
  const { commentId } = await comment('A boat')
  await setTarget(settings, { communityId, withinMinutes: 60, sharePercent: 90 })
  expect(await sumsOf(moderator, commentId)).toMatchObject({ target: 240, rule: 480 })
  await decide(moderator, { ...onComment(commentId), outcome: 'approved' })
  await score(commentId, 1)
  await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text: 'A ferry' } })
  expect(await sumsOf(moderator, commentId)).toMatchObject({ target: 60, rule: 120, signal: 480 })
})

test('a rule that holds by a score counts, also for a pending item', async () => {
  const { moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'hold', severity: 'low' } })
  await running({ kind: 'signal', name: 'toxicity', atLeast: 0.8 }, 'live', {
    action: { type: 'hold', severity: 'high' },
  })
  const [pending, open] = [await comment('A boat'), await comment('A ferry')]
  await score(pending.commentId, 0.9)
  await score(open.commentId, 0.9)
  while (await judgeSignals(systemCtx(database)));
  for (const { commentId } of [pending, open])
    expect(await sumsOf(moderator, commentId)).toMatchObject({ rule: 480, signal: 384 })
})

test('an undo restores the sum, with the scores that came in between', async () => {
  const { moderator, comment, running, communityId } = await scene()
  await setTarget(settings, { communityId, withinMinutes: 60, sharePercent: 90 })
  await running({ kind: 'words', words: ['boat'] })
  const { commentId } = await comment('A boat')
  await score(commentId, 0.75)
  const before = await sumsOf(moderator, commentId)
  const { decisionId } = await decide(moderator, { ...onComment(commentId), outcome: 'rejected', reason: 'Spam' })
  await setTarget(settings, { communityId, withinMinutes: 120, sharePercent: 90 })
  await score(commentId, 1, { name: 'spam' })
  await undoDecision(moderator, { decisionId })
  expect(await sumsOf(moderator, commentId)).toEqual({
    ...before,
    signal: 480,
    total: expect.closeTo(before.total + 240),
  })
})

test('scores and flags that come at the same time all count', async () => {
  const { communityId } = await make.community()
  for (let round = 0; round < scaled(10); round += 1) {
    const { commentId } = await make.heldComment({ communityId })
    await score(commentId, 1, { measuredAt: '2026-01-01T00:00:00Z' })
    await Promise.all([
      score(commentId, 0.2),
      score(commentId, 0.75, { name: 'spam' }),
      score(commentId, 0.6, { name: 'insult' }),
      flagBySomebody(commentId, communityId),
      flagBySomebody(commentId, communityId),
    ])
    expect(await sumsOf(admin, commentId)).toMatchObject({ signal: 240, flags: 120 })
  }
})

test('pages name no item twice and leave out none, whatever is flagged, scored, decided and held in between', async () => {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const held = []
  for (let index = 0; index < 40; index += 1)
    held.push(await make.heldComment({ communityId, queuedAt: new Date(NOW - index * 600_000) }))
  const oldestFirst = held.map(({ commentId }) => commentId).toReversed()
  const [decided, listedAlready, flagged, scored] = [20, 2, 30, 39].map((index) => oldestFirst[index] ?? '')
  const items = await listed(moderator, { communityId }, async (page) => {
    if (page !== 0) return
    await decide(moderator, { ...onComment(decided ?? ''), outcome: 'approved' })
    await flagBySomebody(listedAlready ?? '', communityId)
    await flagBySomebody(flagged ?? '', communityId)
    await score(scored ?? '', 0.6)
    await make.heldComment({ communityId, commentId: `new-${communityId}`, queuedAt: new Date(NOW) })
  })
  const ids = idsOf(items)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual([...oldestFirst.filter((id) => id !== decided), `new-${communityId}`].toSorted())
  expect(items.slice(7).map(urgentAt)).toEqual(
    items
      .slice(7)
      .map(urgentAt)
      .toSorted((a, b) => a - b),
  )
})

test('what becomes more urgent than the page one is reading is first when the list is read again', async () => {
  const { communityId } = await make.community()
  const held = []
  for (let index = 0; index < 20; index += 1)
    held.push(await make.heldComment({ communityId, queuedAt: new Date(NOW - index * 60_000) }))
  const last = held[0]?.commentId ?? ''
  const items = await listed(admin, { communityId }, (page) => (page === 0 ? score(last, 1) : Promise.resolve()))
  expect(items).toHaveLength(19)
  expect((await listed(admin, { communityId }))[0]?.subjectId).toBe(last)
})

test('shows nothing of communities that the caller does not review', async () => {
  const moderator = ctxOf(database, await make.reviewerOf(space?.communityId ?? ''))
  const items = await listed(moderator, { limit: 100 })
  expect(new Set(items.map(({ community }) => community?.communityId))).toEqual(new Set([space?.communityId]))
})

test('only waiting items have this order, and its cursors are its own', async () => {
  for (const view of ['mine', 'escalated', 'reported'])
    expect(DeskQueueInput.safeParse({ view, order: 'urgent' }).success).toBe(false)
  const { next: cursor } = await listDeskQueue(admin, DeskQueueInput.parse({ order: 'newest', limit: 1 }))
  const invalid = expect.objectContaining({ code: 'INVALID_PARAMETERS' })
  await expect(listDeskQueue(admin, DeskQueueInput.parse({ order: 'urgent', cursor }))).rejects.toEqual(invalid)
})
