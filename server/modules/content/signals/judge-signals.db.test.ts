import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { type NewSignal, NewSignals } from '#server/modules/content/signals/schema.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput } from '#server/modules/review/backtests/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene, matchesOf, countsOf } = rulesOn(database)

const TOXIC = { kind: 'signal', name: 'toxicity', atLeast: 0.8 }

/** A classifier sends a score. */
function score(id: string, value: number, over: Partial<Record<keyof NewSignal, string>> = {}) {
  const signals = [{ type: 'comment', id, name: 'toxicity', score: value, ...over }]
  return recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
}

/** What a worker does until nothing is left. */
/** When a row that failed is tried again. */
const later = { ...systemCtx(database), now: () => new Date(Date.now() + 70_000) }

async function work(ctx = systemCtx(database)) {
  while (await judgeSignals(ctx));
}

const commentOf = (commentId: string) => prisma.comment.findUniqueOrThrow({ where: { commentId } })
const unjudged = (subjectId: string) => prisma.signal.count({ where: { subjectId, isJudged: false } })

test('a score that a live rule asks for holds a public comment, and log, events and counts say so', async () => {
  const { communityId, moderator, postId, comment, running } = await scene()
  const { ruleId } = await running({ kind: 'all', conditions: [TOXIC, { kind: 'words', words: ['ferry'] }] })
  const { commentId } = await comment('The ferry runs')
  await score(commentId, 0.79)
  await work()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: null, version: 1 })

  await score(commentId, 0.93)
  await work()
  const held = await commentOf(commentId)
  expect(held).toMatchObject({ approvalStatus: 'pending', version: 2 })
  expect(await matchesOf(commentId)).toMatchObject([
    { ruleId, version: 1, isLive: true, found: [{ field: 'text', from: 4, to: 9 }] },
  ])
  expect(await prisma.audit.findFirst({ where: { subjectId: commentId, action: 'comment.held' } })).toMatchObject({
    actorKind: 'system',
    actorId: 'rules',
    after: { approvalStatus: 'pending', version: 2, rules: [{ ruleId, version: 1 }] },
  })
  const events = await prisma.event.findMany({ where: { subjectId: commentId }, orderBy: { eventId: 'asc' } })
  expect(events.map(({ name }) => name)).toEqual([
    'v3.comment.didCreate',
    'v3.comment.didDelete',
    'desk.comment.didHold',
  ])
  expect([await countsOf('held_comments', communityId), await countsOf('post_comments', postId)]).toEqual([1, 0])
  const { item } = await readItem(moderator, { subjectType: 'comment', subjectId: commentId })
  expect(item.reviewReasons).toMatchObject([{ ruleId, name: 'Rule' }])
})

test('a published post is held with its attachments', async () => {
  const { communityId, author, running } = await scene()
  await running(TOXIC)
  const input = { targetType: 'community', targetId: communityId, data: { text: 'Look' }, attachments: [] }
  const postId = await writtenPost(ctxOf(database, asUser(author.userId), { source: 'rest' }), input)
  const { postId: childId } = await make.post({ communityId, postedUserId: author.userId })
  await prisma.post.update({ where: { postId: childId }, data: { parentPostId: postId } })
  await score(postId, 1, { type: 'post' })
  await work()
  const posts = await prisma.post.findMany({ where: { postId: { in: [postId, childId] } } })
  expect(posts.map(({ feedType }) => feedType)).toEqual(['reviewing', 'reviewing'])
  expect(await countsOf('held_posts', communityId)).toBe(1)
})

test('a rule in shadow records what it would hold, and a pending item gets the reason', async () => {
  const { comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await running(TOXIC, 'shadow')
  const live = await running({ ...TOXIC, atLeast: 0.95 })
  const [publicOne, pending] = [await comment('The ferry runs'), await comment('The boat runs')]
  await score(publicOne.commentId, 0.9)
  await score(pending.commentId, 0.99)
  await work()
  expect(await commentOf(publicOne.commentId)).toMatchObject({ approvalStatus: null, version: 1 })
  expect(await matchesOf(publicOne.commentId)).toMatchObject([{ isLive: false }])
  expect(await commentOf(pending.commentId)).toMatchObject({ approvalStatus: 'pending', version: pending.version })
  expect((await matchesOf(pending.commentId)).map(({ isLive }) => isLive).sort()).toEqual([false, true, true])
  expect(await matchesOf(pending.commentId)).toContainEqual(expect.objectContaining({ ruleId: live.ruleId }))
})

test('desks learn once that a pending item has gained a reason, and not of a rule in shadow', async () => {
  const { communityId, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await running(TOXIC, 'shadow')
  await running({ ...TOXIC, atLeast: 0.95 }, 'live', { action: { type: 'highlight' } })
  const { commentId } = await comment('The boat runs')
  const told = () =>
    prisma.event.findMany({
      where: { subjectId: commentId, name: 'desk.comment.didGainReason' },
      select: { isDeskOnly: true, communityId: true },
    })
  await score(commentId, 0.9)
  await work()
  expect(await told()).toEqual([])

  for (const seconds of [1, 2]) {
    await score(commentId, 0.99, { measuredAt: new Date(Date.now() + seconds * 1_000).toISOString() })
    await work()
    expect(await told()).toEqual([{ isDeskOnly: true, communityId }])
  }
})

test('a score holds neither what a person decided on, nor what was deleted, nor what a reviewer wrote', async () => {
  const { communityId, moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await running(TOXIC)
  const approved = await comment('The boat runs')
  await decide(moderator, { subjectType: 'comment', subjectId: approved.commentId, outcome: 'approved' })
  const gone = await comment('The ferry runs')
  await prisma.comment.update({ where: { commentId: gone.commentId }, data: { isDeleted: true } })
  const { userId } = await make.reviewerOf(communityId)
  const byReviewer = await comment('I run the ferry', userId)
  for (const { commentId } of [approved, gone, byReviewer]) await score(commentId, 1)
  await work()
  const states = await Promise.all([approved, gone, byReviewer].map(({ commentId }) => commentOf(commentId)))
  expect(states.map(({ approvalStatus }) => approvalStatus)).toEqual(['approved', null, null])
  expect(await matchesOf(byReviewer.commentId)).toEqual([])
  expect(await unjudged(byReviewer.commentId)).toBe(0)
})

test('what a person decided on is judged again by the scores of what its author then made of it', async () => {
  const { author, moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await running(TOXIC)
  const { commentId } = await comment('The boat runs')
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved' })
  await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text: 'The ferry runs' } })
  await score(commentId, 1)
  await work()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'pending' })
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved' })
  await score(commentId, 0.9, { measuredAt: new Date(Date.now() + 1_000).toISOString() })
  await work()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'approved' })
})

test('rules that ask for no signal judge nothing again, and where none run nothing is left to judge', async () => {
  const { comment, running } = await scene()
  const { commentId } = await comment('The ferry runs')
  await score(commentId, 1)
  expect(await unjudged(commentId)).toBe(0)

  await running({ kind: 'words', words: ['ferry'] })
  await score(commentId, 0.99, { measuredAt: new Date(Date.now() + 1_000).toISOString() })
  expect(await unjudged(commentId)).toBe(1)
  await work()
  expect(await unjudged(commentId)).toBe(0)
  expect(await matchesOf(commentId)).toEqual([])
})

test('a score of the text before an edit counts neither for rules nor for a backtest', async () => {
  const { author, moderator, comment, running } = await scene()
  const rule = await running(TOXIC)
  const { commentId } = await comment('The ferry runs')
  const measuredAt = new Date(Date.now() - 1).toISOString()
  await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text: 'The ferry is late' } })
  await score(commentId, 1, { measuredAt })
  await work()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: null })

  await score(commentId, 0.9)
  await work()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'pending' })
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'rejected' })
  const test = async () => (await backtest(moderator, BacktestInput.parse({ ruleIds: [rule.ruleId] }))).rules
  expect(await test()).toMatchObject([{ judged: { rejected: 1 }, caught: { rejected: 1 } }])
  await prisma.comment.update({ where: { commentId }, data: { editedAt: new Date(Date.now() + 60_000) } })
  expect(await test()).toMatchObject([{ judged: { rejected: 1 }, caught: { rejected: 0 } }])
})

test(`two workers at once hold each of ${scaled(20)} comments once, while newer scores arrive`, async () => {
  const { communityId, comment, running } = await scene()
  await running(TOXIC)
  const ids: string[] = []
  for (let index = 0; index < scaled(20); index += 1) ids.push((await comment(`The ferry ${index} runs`)).commentId)
  await Promise.all(ids.map((id) => score(id, 0.9)))
  const newer = new Date(Date.now() + 1_000).toISOString()
  await Promise.all([work(), work(), ...ids.map((id) => score(id, 1, { measuredAt: newer }))])
  await work()
  const held = await prisma.comment.findMany({ where: { commentId: { in: ids } } })
  expect(held.map(({ approvalStatus, version }) => `${approvalStatus} ${version}`)).toEqual(ids.map(() => 'pending 2'))
  expect(await countsOf('held_comments', communityId)).toBe(ids.length)
  const holds = await prisma.audit.count({ where: { subjectId: { in: ids }, action: 'comment.held' } })
  expect(holds).toBe(ids.length)
  expect(await prisma.signal.count({ where: { subjectId: { in: ids }, isJudged: false } })).toBe(0)
})

test('what fails for one item is judged later, and the others are held', async () => {
  const { comment, running } = await scene()
  await running(TOXIC)
  const [failing, other] = [await comment('The ferry runs'), await comment('The boat runs')]
  await pool.query(`
    create function refuse_hold() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`)
  await pool.query(`
    create trigger refuse_hold before update on comment for each row
    when (new.comment_id = '${failing.commentId}') execute function refuse_hold()`)
  for (const { commentId } of [failing, other]) await score(commentId, 1)
  await work()
  expect(await commentOf(other.commentId)).toMatchObject({ approvalStatus: 'pending' })
  expect(await commentOf(failing.commentId)).toMatchObject({ approvalStatus: null, version: 1 })
  expect([await matchesOf(failing.commentId), await unjudged(failing.commentId)]).toEqual([[], 1])

  await pool.query('drop function refuse_hold cascade')
  await work(later)
  expect(await commentOf(failing.commentId)).toMatchObject({ approvalStatus: 'pending', version: 2 })
})
