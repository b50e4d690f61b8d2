import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { type ImportRecord, importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { SEVERITY_MINUTES } from '#server/modules/rules/severity/schema.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene, matchesOf } = rulesOn(database)
const system = systemCtx(database)

const FERRY = { kind: 'words', words: ['ferry'] }

let made = 0

/** A comment of somebody in a community, as a file has it. */
function commentRecord(of: { communityId: string; postId: string; userId: string }, text: string, over: object = {}) {
  const { communityId, postId, userId } = of
  const place = { targetType: 'community', targetId: communityId, referenceType: 'post', referenceId: postId }
  const commentId = `imported-${++made}`
  return { type: 'comment', commentId, userId, ...place, data: { text }, approvalStatus: 'pending', ...over } as const
}

async function imported(...records: object[]): Promise<void> {
  expect(await importRecords(system, records as ImportRecord[])).toMatchObject({ refused: 0 })
}

/** What a worker does some time after an import, until nothing is left. */
/** When a row that failed is tried again. */
const later = { ...systemCtx(database), now: () => new Date(Date.now() + 70_000) }

async function work(ctx = system): Promise<void> {
  await prisma.unjudgedImport.updateMany({ data: { addedAt: new Date(Date.now() - 120_000) } })
  while (await judgeImported(ctx));
}

async function sceneOfImport() {
  const place = await scene()
  const of = { communityId: place.communityId, postId: place.postId, userId: place.author.userId }
  return { ...place, of, record: (text: string, over: object = {}) => commentRecord(of, text, over) }
}

const commentOf = (commentId: string) => prisma.comment.findUniqueOrThrow({ where: { commentId } })
const left = () => prisma.unjudgedImport.count()

test('imported items waiting for review get the reasons, the labels and the urgency of live rules, and nothing else', async () => {
  const { communityId, moderator, of, record, running } = await sceneOfImport()
  const action = { type: 'hold', severity: 'high', label: 'Boats' }
  const { ruleId } = await running(FERRY, 'live', { action })
  await running(FERRY, 'shadow')
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'highlight' } })
  const earlier = record('A tram', { createdAt: '2026-01-01T00:00:00Z' })
  const waiting = record('The ferry and the boat', { createdAt: '2026-01-01T06:00:00Z' })
  const open = record('The ferry runs', { approvalStatus: null })
  const post = {
    ...{ type: 'post', postId: `imported-${++made}`, postedUserId: of.userId, feedType: 'reviewing' },
    ...{ targetType: 'community', targetId: communityId, data: { title: 'Ferry', text: 'late' } },
  }
  await imported(earlier, waiting, open, post)
  const before = await commentOf(waiting.commentId)
  const events = await prisma.event.count()
  await work()

  const { item } = await readItem(moderator, { subjectType: 'comment', subjectId: waiting.commentId })
  expect(item).toMatchObject({
    reviewReasons: [{ ruleId, version: 1, label: 'Boats', severity: 'high', found: [{ from: 4, to: 9 }] }],
    highlights: [{ found: [{ from: 18, to: 22 }] }],
  })
  const { item: ofPost } = await readItem(moderator, { subjectType: 'post', subjectId: post.postId })
  expect(ofPost.reviewReasons).toMatchObject([{ ruleId, found: [{ field: 'title', from: 0, to: 5 }] }])
  expect(await commentOf(waiting.commentId)).toEqual(before)
  const minutesOf = (subjectId: string) =>
    prisma.reviewItem.findFirst({ where: { subjectId }, select: { ruleMinutes: true } })
  const high = { ruleMinutes: SEVERITY_MINUTES.high }
  expect([await minutesOf(waiting.commentId), await minutesOf(post.postId)]).toEqual([high, high])
  expect([await matchesOf(open.commentId), await matchesOf(earlier.commentId)]).toEqual([[], []])
  expect(await prisma.event.count()).toBe(events)
  const { items } = await listDeskQueue(moderator, DeskQueueInput.parse({ communityId, order: 'urgent' }))
  expect(items.map(({ subjectId }) => subjectId).indexOf(waiting.commentId)).toBeLessThan(
    items.map(({ subjectId }) => subjectId).indexOf(earlier.commentId),
  )
})

test('no rule rejects or reports what was imported, or mutes its author', async () => {
  const { communityId, author, record, running } = await sceneOfImport()
  await running(FERRY, 'live', { action: { type: 'reject', muteMinutes: 60 } })
  await running(FERRY, 'live', { action: { type: 'flag' } })
  const { ruleId } = await running(FERRY, 'live', { action: { type: 'hold', muteMinutes: 60 } })
  const [waiting, open] = [record('The ferry runs'), record('The ferry runs', { approvalStatus: null })]
  await imported(waiting, open)
  await work()

  expect(await commentOf(waiting.commentId)).toMatchObject({
    approvalStatus: 'pending',
    isDeleted: false,
    flagCount: 0,
  })
  expect(await commentOf(open.commentId)).toMatchObject({ approvalStatus: null, isDeleted: false, flagCount: 0 })
  expect(await matchesOf(waiting.commentId)).toMatchObject([{ ruleId, isLive: true }])
  expect(await matchesOf(open.commentId)).toEqual([])
  expect(await prisma.mute.count({ where: { communityId, userId: author.userId } })).toBe(0)
})

test('rules look at imported scores, and at what the author wrote before as the whole import has it', async () => {
  const { record, running } = await sceneOfImport()
  const toxic = await running({ kind: 'signal', name: 'toxicity', atLeast: 0.8 })
  const often = await running({ kind: 'rate', by: 'author', moreThan: 1, withinMinutes: 10 })
  const later = record('Second', { createdAt: '2026-01-02T00:05:00Z', metadata: { toxicity: 0.9 } })
  const first = record('First', { createdAt: '2026-01-02T00:00:00Z', metadata: { toxicity: 0.1 } })
  await imported(later)
  await imported(first)
  await work()
  expect((await matchesOf(later.commentId)).map(({ ruleId }) => ruleId).sort()).toEqual(
    [toxic.ruleId, often.ruleId].sort(),
  )
  expect(await matchesOf(first.commentId)).toEqual([])
})

test('while an import goes on, rules wait', async () => {
  const { record, running } = await sceneOfImport()
  await running(FERRY)
  const waiting = record('The ferry runs')
  await imported(waiting)
  expect(await judgeImported(system)).toBe(false)
  expect([await matchesOf(waiting.commentId), await left()]).toEqual([[], 1])

  await imported(record('The tram runs'))
  const longAgo = new Date(Date.now() - 3_700_000)
  await prisma.unjudgedImport.updateMany({ where: { subjectId: waiting.commentId }, data: { addedAt: longAgo } })
  await judgeImported(system)
  expect([(await matchesOf(waiting.commentId)).length, await left()]).toEqual([1, 1])
  await work()
})

test('nothing is noted where no rules run, and rules don’t judge what reviewers wrote', async () => {
  const { communityId, of, record, running } = await sceneOfImport()
  await imported(record('The ferry runs'))
  expect(await left()).toBe(0)

  await running(FERRY)
  const { userId } = await make.reviewerOf(communityId)
  const byReviewer = commentRecord({ ...of, userId }, 'The ferry runs')
  await imported(byReviewer)
  expect(await left()).toBe(1)
  await work()
  expect([await matchesOf(byReviewer.commentId), await left()]).toEqual([[], 0])
})

test('what people decided on, edited or deleted since gets no reasons of what it said before', async () => {
  const { author, moderator, record, running } = await sceneOfImport()
  const { ruleId } = await running(FERRY)
  const [decided, edited, deleted] = [record('The ferry runs'), record('The ferry runs'), record('The ferry runs')]
  await imported(decided, edited, deleted)
  await decide(moderator, { subjectType: 'comment', subjectId: decided.commentId, outcome: 'approved' })
  await editComment(ctxOf(database, asUser(author.userId)), { commentId: edited.commentId, data: { text: 'A ferry' } })
  await prisma.comment.delete({ where: { commentId: deleted.commentId } })
  await work()
  expect(await matchesOf(decided.commentId)).toEqual([])
  expect(await matchesOf(edited.commentId)).toMatchObject([{ ruleId, found: [{ from: 2, to: 7 }] }])
  expect(await left()).toBe(0)
})

test('two workers and people who decide at the same time leave each item judged once', async () => {
  const { moderator, record, running } = await sceneOfImport()
  const { ruleId } = await running(FERRY)
  const records = Array.from({ length: scaled(30) }, (_, index) => record(`The ferry ${index} runs`))
  await imported(...records)
  const decided = records.filter((_, index) => index % 3 === 0)
  const input = { subjectType: 'comment', outcome: 'rejected' } as const
  await Promise.all([
    work(),
    work(),
    ...decided.map(({ commentId }) => decide(moderator, { ...input, subjectId: commentId })),
  ])
  await work()
  const ids = records.map(({ commentId }) => commentId)
  const stored = await prisma.comment.findMany({ where: { commentId: { in: ids } }, orderBy: { commentId: 'asc' } })
  const matches = await prisma.ruleMatch.findMany({ where: { ruleId }, orderBy: { subjectId: 'asc' } })
  const pending = stored.filter(({ approvalStatus }) => approvalStatus === 'pending')
  expect(pending).toHaveLength(records.length - decided.length)
  expect(matches.map(({ subjectId }) => subjectId)).toEqual(expect.arrayContaining(pending.map((one) => one.commentId)))
  expect(new Set(matches.map(({ subjectId }) => subjectId)).size).toBe(matches.length)
  expect(await left()).toBe(0)
})

test('a batch that is interrupted is judged again, and a rule that fails is paused and stops neither import nor rules', async () => {
  const { record, running } = await sceneOfImport()
  const broken = await running({ kind: 'links' }, 'draft')
  const { ruleId } = await running(FERRY)
  const condition = { kind: 'pattern', pattern: '(a', isCaseSensitive: false }
  await prisma.ruleVersion.updateMany({ where: { ruleId: broken.ruleId }, data: { condition } })
  await prisma.rule.update({ where: { ruleId: broken.ruleId }, data: { state: 'live' } })
  const waiting = record('The ferry runs')
  await imported(waiting)
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  )
  await pool.query('create trigger refuse before delete on unjudged_import for each row execute function refuse()')
  try {
    await work()
  } finally {
    await pool.query('drop function refuse cascade')
  }
  expect([await matchesOf(waiting.commentId), await left()]).toEqual([[], 1])

  await work(later)
  expect((await matchesOf(waiting.commentId)).map((match) => match.ruleId)).toEqual([ruleId])
  expect(await prisma.rule.findUnique({ where: { ruleId: broken.ruleId } })).toMatchObject({ state: 'paused' })
})
