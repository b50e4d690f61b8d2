import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'

const { database, prisma, pool } = await testDatabase()
const { scene: sceneOfRules, matchesOf } = rulesOn(database)

const FERRY = { kind: 'words', words: ['ferry'] }
const FLAG = { action: { type: 'flag' }, name: 'Ferries' }

async function scene() {
  const made = await sceneOfRules()
  const flagging = (condition: unknown = FERRY, over: object = {}) =>
    made.running(condition, 'live', { ...FLAG, ...over })
  const reports = async () => {
    const input = DeskQueueInput.parse({ view: 'reported', communityId: made.communityId })
    return (await listDeskQueue(made.moderator, input)).items
  }
  const asAuthor = ctxOf(database, asUser(made.author.userId), { source: 'rest' })
  return { ...made, flagging, reports, asAuthor }
}

const commentOf = (commentId: string) => prisma.comment.findUniqueOrThrow({ where: { commentId } })
const flagsOn = (subjectId: string) => prisma.flag.findMany({ where: { subjectId } })

async function score(commentId: string) {
  const signals = [{ type: 'comment', id: commentId, name: 'toxicity', score: 1 }]
  await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
  while (await judgeSignals(systemCtx(database)));
}

test('a live rule reports a public comment with its name as the reason, and marks the words', async () => {
  const { communityId, moderator, comment, flagging, reports } = await scene()
  const { ruleId } = await flagging()
  const { commentId, approvalStatus } = await comment('The ferry runs')
  expect(approvalStatus).toBeNull()
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: null, isDeleted: false, flagCount: 1 })
  expect(await flagsOn(commentId)).toMatchObject([{ userId: ruleId, ruleVersion: 1, reason: 'Ferries' }])
  expect(await prisma.community.findUnique({ where: { communityId } })).toMatchObject({ hasFlaggedComment: true })
  const acts = await prisma.audit.findMany({ where: { subjectId: commentId }, orderBy: { auditId: 'asc' } })
  const rules = [{ ruleId, version: 1 }]
  expect(acts).toMatchObject([
    { action: 'comment.created' },
    { action: 'comment.flagged', actorKind: 'system', actorId: 'rules', after: { rules } },
  ])
  const events = await prisma.event.findMany({ where: { subjectId: commentId }, orderBy: { eventId: 'asc' } })
  expect(events).toMatchObject([
    { name: 'v3.comment.didCreate' },
    { name: 'v3.comment.didFlag', payload: { comments: [{ commentId, flagCount: 1 }] } },
    { name: 'desk.comment.didMatch', isDeskOnly: true, payload: { commentId, rules } },
  ])
  expect(events[1]?.payload).not.toHaveProperty('flaggedUserId')

  expect(await reports()).toMatchObject([{ subjectId: commentId, reasons: ['Ferries'], flagCount: 1 }])
  const { item, flags } = await readItem(moderator, { subjectType: 'comment', subjectId: commentId, isReported: true })
  expect(item.reviewReasons).toMatchObject([{ ruleId, version: 1, found: [{ field: 'text', from: 4, to: 9 }] }])
  expect(flags).toMatchObject([{ by: { userId: ruleId, displayName: 'Ferries' }, ruleVersion: 1, isCleared: false }])
})

test('a post is reported as a rule flags it when written or edited, once per rule', async () => {
  const { communityId, asAuthor, flagging, reports } = await scene()
  const { ruleId: ferries } = await flagging()
  const { ruleId: long } = await flagging({ kind: 'length', atLeast: 30 }, { name: 'Long' })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'The tram runs' } }
  const postId = await writtenPost(asAuthor, input)
  expect(await reports()).toEqual([])
  for (const text of ['The ferry runs', 'The ferry runs again, and it is on time'])
    await editPost(asAuthor, { postId, data: { text } })
  const acts = await prisma.audit.findMany({
    where: { subjectId: postId, action: 'post.flagged' },
    orderBy: { auditId: 'asc' },
  })
  expect(acts).toMatchObject([{ after: { rules: [{ ruleId: ferries }] } }, { after: { rules: [{ ruleId: long }] } }])
  expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'published', flagCount: 2 })
  expect(await reports()).toMatchObject([{ subjectId: postId, reasons: ['Ferries', 'Long'] }])
})

test('a dismissed report counts as kept in the record, and opens again once its author edits it into what the rule finds', async () => {
  const { moderator, comment, flagging, reports, asAuthor } = await scene()
  const { ruleId } = await flagging()
  const { commentId } = await comment('The ferry runs')
  const [report] = await reports()
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  const version = report?.version ?? 0
  await decide({ ...moderator, undoWindowMs: 0 }, { ...subject, outcome: 'dismissed', version })
  expect(await commentOf(commentId)).toMatchObject({ flagCount: 0, isDeleted: false })
  expect(await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))).toMatchObject({
    counts: { live: { items: 1, approved: 1, rejected: 0 } },
  })
  await score(commentId)
  expect(await reports()).toEqual([])

  await editComment(asAuthor, { commentId, data: { text: 'The ferry is late' } })
  expect(await reports()).toMatchObject([{ subjectId: commentId, flagCount: 1 }])
  const [again] = await reports()
  await decide(moderator, { ...subject, outcome: 'deleted', version: again?.version ?? 0 })
  expect(await commentOf(commentId)).toMatchObject({ isDeleted: true })
  expect(await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))).toMatchObject({
    counts: { live: { items: 1, approved: 0, rejected: 1 } },
  })
})

test('what is held or rejected is not reported, and neither is what a rule in shadow finds', async () => {
  const { comment, running, flagging, reports } = await scene()
  const { ruleId } = await flagging()
  await running({ kind: 'words', words: ['boat'] })
  await running({ kind: 'words', words: ['tram'] }, 'live', { action: { type: 'reject' } })
  await running({ kind: 'words', words: ['bus'] }, 'shadow', FLAG)
  for (const text of ['A ferry and a boat', 'A ferry and a tram', 'A bus']) {
    const { commentId } = await comment(text)
    expect((await commentOf(commentId)).flagCount).toBe(0)
    const matches = await matchesOf(commentId)
    expect(matches.some((match) => match.ruleId === ruleId && match.isLive)).toBe(text.includes('ferry'))
  }
  expect(await reports()).toEqual([])
})

test('a late score reports a public comment once with two workers', async () => {
  const { comment, flagging, reports } = await scene()
  await flagging({ kind: 'signal', name: 'toxicity', atLeast: 0.8 })
  const { commentId } = await comment('The ferry runs')
  await Promise.all([score(commentId), score(commentId)])
  expect(await reports()).toMatchObject([{ subjectId: commentId, flagCount: 1, reasons: ['Ferries'] }])
  expect(await prisma.audit.count({ where: { subjectId: commentId, action: 'comment.flagged' } })).toBe(1)
})

test('of a dismissal and an edit that the rule finds at once, neither loses a flag', async () => {
  const { moderator, comment, flagging, reports, asAuthor } = await scene()
  await flagging()
  const { commentId } = await comment('The ferry runs')
  const [report] = await reports()
  const dismissal = { subjectType: 'comment' as const, subjectId: commentId, outcome: 'dismissed' as const }
  const [, edited] = await Promise.allSettled([
    decide(moderator, { ...dismissal, version: report?.version ?? 0 }),
    editComment(asAuthor, { commentId, data: { text: 'The ferry is late' } }),
  ])
  const open = (await flagsOn(commentId)).filter(({ clearedAt }) => clearedAt === null)
  // Dismissed first, the edit is flagged again; edited first, the dismissal was of an older version.
  expect([edited.status, open.length]).toEqual(['fulfilled', 1])
  expect((await commentOf(commentId)).flagCount).toBe(1)
  expect(await reports()).toMatchObject([{ subjectId: commentId }])
})

test('a flag that fails leaves nothing of the comment', async () => {
  const { comment, flagging } = await scene()
  await flagging()
  await pool.query(`
    create function refuse_flag() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`)
  await pool.query('create trigger refuse_flag before insert on flag for each row execute function refuse_flag()')
  const count = await prisma.comment.count()
  try {
    await expect(comment('The ferry runs')).rejects.toThrow('killed')
  } finally {
    await pool.query('drop function refuse_flag cascade')
  }
  expect(await prisma.comment.count()).toBe(count)
})
