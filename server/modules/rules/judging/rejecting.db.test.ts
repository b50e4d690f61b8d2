import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { readComment } from '#server/modules/content/comments/read-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { readPost } from '#server/modules/content/posts/read-post.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { listContent } from '#server/modules/people/list-content.ts'
import { decide, restoreRejected, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene: sceneOfRules, matchesOf, countsOf } = rulesOn(database)

const FERRY = { kind: 'words', words: ['ferry'] }
const TOXIC = { kind: 'signal', name: 'toxicity', atLeast: 0.8 }
const REJECT = { action: { type: 'reject' }, name: 'Ferries' }

/** A community with a moderator, a member who writes, and somebody else. */
async function scene() {
  const made = await sceneOfRules()
  const other = await make.user()
  await make.member({ communityId: made.communityId, userId: other.userId })
  const rejecting = (condition: unknown = FERRY) => made.running(condition, 'live', REJECT)
  const asAuthor = ctxOf(database, asUser(made.author.userId), { source: 'rest' })
  return { ...made, rejecting, asAuthor, asOther: ctxOf(database, asUser(other.userId)) }
}

const onComment = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })
const commentOf = (commentId: string) => prisma.comment.findUniqueOrThrow({ where: { commentId } })
const auditOf = (subjectId: string) => prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })
const eventsOf = (subjectId: string) => prisma.event.findMany({ where: { subjectId }, orderBy: { eventId: 'asc' } })

/** Those that reach endpoints. */
const publishedOf = async (subjectId: string) =>
  (await eventsOf(subjectId)).filter(({ state, isDeskOnly }) => state !== 'cancelled' && !isDeskOnly)

async function score(commentId: string, over: object = {}) {
  const signals = [{ type: 'comment', id: commentId, name: 'toxicity', score: 1, ...over }]
  await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
}

/** What failed once is left out for less. */
const LEFT_OUT_MS = 70_000

async function work(afterMs = 0) {
  while (await judgeSignals({ ...systemCtx(database), now: () => new Date(Date.now() + afterMs) }));
}

test('a live rule rejects a new comment at once, as the log and the event of a rejection say', async () => {
  const { communityId, postId, comment, rejecting, asAuthor, asOther } = await scene()
  const { ruleId } = await rejecting()
  const rejected = await comment('The ferry runs')
  const { commentId } = rejected
  expect(rejected).toMatchObject({ approvalStatus: 'rejected', isDeleted: true, queuedAt: null, version: 1 })
  expect(await matchesOf(commentId)).toMatchObject([
    { ruleId, version: 1, isLive: true, found: [{ field: 'text', from: 4, to: 9 }] },
  ])
  expect(await auditOf(commentId)).toMatchObject([
    { action: 'comment.created', actorKind: 'user', after: { version: 1 } },
    {
      action: 'comment.rejected',
      actorKind: 'system',
      actorId: 'rules',
      after: { approvalStatus: 'rejected', version: 1, rules: [{ ruleId, version: 1 }] },
    },
  ])
  const events = await eventsOf(commentId)
  expect(events).toMatchObject([
    {
      name: 'v3.comment.didDelete',
      isDeskOnly: false,
      payload: { comments: [{ commentId, approvalStatus: 'rejected', isDeleted: true }] },
    },
    { name: 'desk.comment.didMatch', isDeskOnly: true, payload: { commentId, rules: [{ ruleId, version: 1 }] } },
  ])
  expect(JSON.stringify(events[0]?.payload)).not.toContain(ruleId)
  expect([await countsOf('held_comments', communityId), await countsOf('post_comments', postId)]).toEqual([0, 0])

  const { comments } = await readComment(asAuthor, { commentId })
  expect(comments).toMatchObject([{ approvalStatus: 'rejected', isDeleted: true }])
  expect(comments[0]).toHaveProperty('reviewReasons', undefined)
  await expect(readComment(asOther, { commentId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a live rule rejects a new post with its attachments at once', async () => {
  const { communityId, rejecting, moderator, asAuthor, asOther } = await scene()
  const { ruleId } = await rejecting()
  const { fileId } = await prisma.file.create({ data: { fileId: `file-${communityId}`, type: 'image' } })
  const attachments = [{ fileId, type: 'image' }]
  const data = { text: 'The ferry runs' }
  const postId = await writtenPost(asAuthor, { targetType: 'community', targetId: communityId, data, attachments })
  const posts = await prisma.post.findMany({ where: { OR: [{ postId }, { parentPostId: postId }] } })
  expect(posts.map(({ feedType }) => feedType)).toEqual(['declined', 'declined'])
  expect(await auditOf(postId)).toMatchObject([
    { action: 'post.created', actorKind: 'user' },
    { action: 'post.rejected', actorId: 'rules', after: { feedType: 'declined', rules: [{ ruleId, version: 1 }] } },
  ])
  expect(await publishedOf(postId)).toMatchObject([{ name: 'v3.post.didDecline', payload: { posts: [{ postId }] } }])
  expect([await countsOf('held_posts', communityId), await countsOf('community_posts', communityId)]).toEqual([0, 0])
  expect((await readPost(asAuthor, { postId })).posts[0]).toHaveProperty('reviewReasons', undefined)
  expect((await readPost(moderator, { postId })).posts).toMatchObject([
    { reviewReasons: [{ ruleId, name: 'Ferries' }] },
  ])
  await expect(readPost(asOther, { postId })).rejects.toMatchObject({ code: 'NOT_FOUND' })

  const { item, decided, isWaiting } = await readItem(moderator, { subjectType: 'post', subjectId: postId })
  expect({ isWaiting, decided }).toMatchObject({ isWaiting: false, decided: { isByRules: true, isRestorable: true } })
  expect(item.reviewReasons).toMatchObject([{ ruleId, found: [{ field: 'text', from: 4, to: 9 }] }])
})

test('where one rule holds and another rejects, it is rejected, and both matches are recorded', async () => {
  const { comment, running, rejecting, moderator } = await scene()
  const holding = await running({ kind: 'length', atLeast: 1 })
  const { ruleId } = await rejecting()
  const shadow = await running(FERRY, 'shadow', REJECT)
  const { commentId, approvalStatus } = await comment('The ferry runs')
  expect(approvalStatus).toBe('rejected')
  const matches = await matchesOf(commentId)
  expect(new Map(matches.map((match) => [match.ruleId, match.isLive]))).toEqual(
    new Map([
      [holding.ruleId, true],
      [ruleId, true],
      [shadow.ruleId, false],
    ]),
  )
  const { item } = await readItem(moderator, onComment(commentId))
  expect(item.reviewReasons).toMatchObject([{ ruleId }])
  expect((await comment('The tram runs')).approvalStatus).toBe('pending')
})

test('in shadow it rejects nothing, and the record says what it would have rejected', async () => {
  const { comment, running, moderator } = await scene()
  const { ruleId } = await running(FERRY, 'shadow', REJECT)
  expect((await comment('The ferry runs')).approvalStatus).toBeNull()
  const { counts } = await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))
  expect(counts).toMatchObject({ live: { items: 0 }, shadow: { items: 1 } })
})

test('an edit is rejected where it is public and where it is pending, and closes its reports', async () => {
  const { communityId, postId, author, asAuthor, asOther, comment, running, rejecting } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await rejecting()
  await prisma.networkSettings.updateMany({ data: { isAllowEditCommentWhenReviewingEnabled: true } })
  const [published, pending] = [await comment('The tram runs'), await comment('The boat runs')]
  await flag(asOther, flaggableComment, { id: published.commentId, flag: { reason: 'Others' } })
  for (const { commentId } of [published, pending]) {
    await editComment(asAuthor, { commentId, data: { text: 'The ferry runs' } })
    expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'rejected', isDeleted: true, version: 2 })
    expect((await auditOf(commentId)).slice(-2)).toMatchObject([
      { action: 'comment.edited', actorId: author.userId, after: { version: 2 } },
      { action: 'comment.rejected', actorId: 'rules', after: { version: 2 } },
    ])
    expect((await publishedOf(commentId)).at(-1)).toMatchObject({ name: 'v3.comment.didDelete' })
  }
  expect((await auditOf(pending.commentId)).at(-1)?.before).toEqual({ approvalStatus: 'pending' })
  expect(
    await prisma.reviewItem.findFirst({ where: { kind: 'reported', subjectId: published.commentId } }),
  ).toMatchObject({
    closedAt: expect.any(Date),
  })
  expect([await countsOf('held_comments', communityId), await countsOf('post_comments', postId)]).toEqual([0, 0])
  await expect(editComment(asAuthor, { commentId: published.commentId, data: { text: 'x' } })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
})

test('a post is rejected as its author edits it, published or pending', async () => {
  const { communityId, asAuthor, running, rejecting } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await rejecting()
  for (const text of ['The tram runs', 'The boat runs']) {
    const postId = await writtenPost(asAuthor, { targetType: 'community', targetId: communityId, data: { text } })
    await editPost(asAuthor, { postId, data: { text: 'The ferry runs' } })
    expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'declined', version: 2 })
    expect((await publishedOf(postId)).at(-1)).toMatchObject({ name: 'v3.post.didDecline' })
    await editPost(asAuthor, { postId, data: { text: 'The tram runs again' } })
    expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'declined', version: 3 })
  }
  expect([await countsOf('held_posts', communityId), await countsOf('community_posts', communityId)]).toEqual([0, 0])
})

test('a reviewer restores what a rule rejected, undoes that, and the record counts it as overturned', async () => {
  const { communityId, postId, moderator, comment, rejecting, asOther, asAuthor } = await scene()
  const { ruleId } = await rejecting()
  const { commentId } = await comment('The ferry runs')
  const subject = onComment(commentId)
  const before = await readItem(moderator, subject)
  expect(before).toMatchObject({
    isWaiting: false,
    item: { version: 1, allowed: [] },
    decided: {
      outcome: 'rejected',
      decidedByName: 'Ferries',
      isByRules: true,
      isReversible: false,
      isRestorable: true,
    },
  })
  expect(before.history.map(({ what, by }) => `${what} ${what === 'rejected' ? by : ''}`)).toEqual([
    'written ',
    'rejected Ferries',
  ])
  await expect(restoreRejected(asOther, { ...subject, version: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(restoreRejected(asAuthor, { ...subject, version: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(restoreRejected(moderator, { ...subject, version: 2 })).rejects.toMatchObject({ code: 'CHANGED' })

  const first = await restoreRejected(moderator, { ...subject, version: 1, clientKey: 'restore' })
  expect(await restoreRejected(moderator, { ...subject, version: 1, clientKey: 'restore' })).toEqual(first)
  expect(await countsOf('post_comments', postId)).toBe(1)
  const undone = await undoDecision(moderator, first)
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'rejected', isDeleted: true, version: 3 })
  expect([await countsOf('post_comments', postId), await countsOf('held_comments', communityId)]).toEqual([0, 0])

  await restoreRejected({ ...moderator, undoWindowMs: 0 }, { ...subject, version: undone.version })
  expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'approved', isDeleted: false, version: 4 })
  expect((await readComment(asOther, { commentId })).comments).toMatchObject([{ data: { text: 'The ferry runs' } }])
  expect((await auditOf(commentId)).map(({ action }) => action)).toEqual([
    'comment.created',
    'comment.rejected',
    'comment.restored',
    'comment.undone',
    'comment.restored',
  ])
  expect(await publishedOf(commentId)).toMatchObject([
    { name: 'v3.comment.didDelete' },
    { name: 'v3.comment.didApprove' },
  ])
  const record = await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))
  expect(record).toMatchObject({ counts: { live: { items: 1, approved: 1 } }, items: [{ outcome: 'approved' }] })

  const after = await readItem(moderator, subject)
  expect(after).toMatchObject({ decided: { outcome: 'approved', isReversible: true } })
  expect(after.history.map(({ what }) => what)).toEqual(['written', 'rejected', 'restored', 'undone', 'restored'])
  await reverseDecision(moderator, { ...subject, version: 4 })
  await expect(restoreRejected(moderator, { ...subject, version: 5 })).rejects.toMatchObject({ code: 'CHANGED' })
})

test('support staff see of a person that a rule rejected something, until people decide', async () => {
  const { moderator, author, comment, rejecting } = await scene()
  await rejecting()
  const { commentId } = await comment('The ferry runs')
  const agent = ctxOf(database, asAdmin(['VIEW_HISTORY']))
  const seen = async () => (await listContent(agent, { userId: author.userId, limit: 1 })).items
  expect(await seen()).toMatchObject([{ state: 'rejected', rejectedByRulesAt: expect.any(String) }])
  await restoreRejected(moderator, { ...onComment(commentId), version: 1 })
  const [restored] = await seen()
  expect(restored).toMatchObject({ state: 'published', decision: { outcome: 'approved' } })
  expect(restored).not.toHaveProperty('rejectedByRulesAt')
})

test('a post is restored with its attachments', async () => {
  const { communityId, moderator, rejecting, asAuthor } = await scene()
  await rejecting()
  const { fileId } = await prisma.file.create({ data: { fileId: `restored-${communityId}`, type: 'image' } })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'The ferry runs' } }
  const postId = await writtenPost(asAuthor, { ...input, attachments: [{ fileId, type: 'image' }] })
  const subject = { subjectType: 'post' as const, subjectId: postId }
  const { decisionId } = await restoreRejected(moderator, { ...subject, version: 1 })
  const feeds = async () => {
    const posts = await prisma.post.findMany({ where: { OR: [{ postId }, { parentPostId: postId }] } })
    return posts.map(({ feedType }) => feedType)
  }
  expect(await feeds()).toEqual(['published', 'published'])
  expect(await countsOf('community_posts', communityId)).toBe(1)
  expect(await readItem(moderator, subject)).toMatchObject({ decided: { outcome: 'approved' } })
  await undoDecision(moderator, { decisionId })
  expect(await feeds()).toEqual(['declined', 'declined'])
  expect(await countsOf('community_posts', communityId)).toBe(0)
})

test('rejects restoring what people rejected, and says who rejected it', async () => {
  const { moderator, comment, running } = await scene()
  await running(FERRY)
  const { commentId } = await comment('The ferry runs')
  await decide(moderator, { ...onComment(commentId), outcome: 'rejected' })
  const failed = restoreRejected(moderator, { ...onComment(commentId), version: 2 })
  await expect(failed).rejects.toMatchObject({ code: 'CHANGED', details: { decision: 'rejected', version: 2 } })
})

test(`of two reviewers who restore at once, one does, in each of ${scaled(5)} rounds`, async () => {
  const { communityId, postId, moderator, comment, rejecting } = await scene()
  await rejecting()
  const colleague = ctxOf(database, await make.reviewerOf(communityId))
  for (let round = 1; round <= scaled(5); round++) {
    const { commentId } = await comment('The ferry runs')
    const tries = [moderator, colleague].map((ctx) => restoreRejected(ctx, { ...onComment(commentId), version: 1 }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'CHANGED', details: { decision: 'approved' } })
    expect(await countsOf('post_comments', postId)).toBe(round)
  }
})

test('a late score rejects what is public or pending, once with two workers, and nothing that people decided on', async () => {
  const { communityId, postId, moderator, comment, running, rejecting } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  const { ruleId } = await rejecting(TOXIC)
  const decided = await comment('The boat runs')
  await decide(moderator, { ...onComment(decided.commentId), outcome: 'approved' })
  const open = [await comment('The tram runs'), await comment('The boat is late')]
  await escalate(moderator, { ...onComment(open[1]?.commentId ?? ''), note: 'What do you think?' })
  for (const { commentId } of [decided, ...open]) await score(commentId)
  await Promise.all([work(), work()])
  expect(await commentOf(decided.commentId)).toMatchObject({ approvalStatus: 'approved' })
  for (const { commentId } of open) {
    expect(await commentOf(commentId)).toMatchObject({ approvalStatus: 'rejected', isDeleted: true, version: 2 })
    const acts = (await auditOf(commentId)).filter(({ action }) => action === 'comment.rejected')
    expect(acts).toMatchObject([{ actorId: 'rules', after: { rules: [{ ruleId, version: 1 }] } }])
  }
  expect([await countsOf('held_comments', communityId), await countsOf('post_comments', postId)]).toEqual([0, 1])
  expect(await countQueue(moderator)).toMatchObject({ total: 0, escalated: 0 })
})

test(`of a decision and a late score at once, one counts, and the moderator learns of the rule, in ${scaled(5)} rounds`, async () => {
  const { moderator, comment, running, rejecting } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  await rejecting(TOXIC)
  for (let round = 0; round < scaled(5); round++) {
    const { commentId } = await comment('The boat runs')
    await score(commentId)
    const [decision] = await Promise.allSettled([
      decide(moderator, { ...onComment(commentId), outcome: 'approved', version: 1 }),
      work(),
    ])
    const isFirst = decision.status === 'fulfilled'
    expect(await commentOf(commentId)).toMatchObject({ approvalStatus: isFirst ? 'approved' : 'rejected', version: 2 })
    if (!isFirst)
      expect(decision.reason).toMatchObject({
        code: 'CHANGED',
        details: { decision: 'rejected', decidedByName: 'Ferries' },
      })
  }
})

test('a rejection that fails in the middle leaves nothing of the comment, and one by a late score is repeated', async () => {
  const { comment, rejecting, asAuthor, postId } = await scene()
  await rejecting({ kind: 'any', conditions: [FERRY, TOXIC] })
  const published = await comment('The tram runs')
  await score(published.commentId)
  await pool.query(`
    create function refuse_rejection() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`)
  await pool.query(`
    create trigger refuse_rejection before insert on event for each row
    when (new.name = 'v3.comment.didDelete') execute function refuse_rejection()`)
  const count = await prisma.comment.count()
  await work()
  const input = { referenceType: 'post', referenceId: postId, data: { text: 'The ferry runs' } }
  await expect(writtenComment(asAuthor, input)).rejects.toThrow('killed')
  expect(await commentOf(published.commentId)).toMatchObject({ approvalStatus: null, version: 1 })
  expect([await prisma.comment.count(), await matchesOf(published.commentId)]).toEqual([count, []])

  await pool.query('drop function refuse_rejection cascade')
  await work(LEFT_OUT_MS)
  expect(await commentOf(published.commentId)).toMatchObject({ approvalStatus: 'rejected', version: 2 })
})

test('of writes and a pause of the rule at once, each is either rejected with its match or public without one', async () => {
  const { moderator, comment, rejecting } = await scene()
  const rule = await rejecting()
  const [paused, ...written] = await Promise.all([
    setRuleState(moderator, { ...rule, state: 'paused' }),
    ...Array.from({ length: 6 }, () => comment('The ferry runs')),
  ])
  expect(paused.state).toBe('paused')
  for (const { commentId, approvalStatus } of written) {
    const isRejected = approvalStatus === 'rejected'
    expect(await matchesOf(commentId)).toHaveLength(isRejected ? 1 : 0)
    expect((await auditOf(commentId)).some(({ action }) => action === 'comment.rejected')).toBe(isRejected)
  }
  expect((await comment('The ferry runs')).approvalStatus).toBeNull()
})

test('what is rejected again names the rules that did so last', async () => {
  const { comment, rejecting, running, moderator, asAuthor } = await scene()
  await rejecting()
  const { commentId } = await comment('The ferry runs')
  const subject = onComment(commentId)
  await restoreRejected({ ...moderator, undoWindowMs: 0 }, { ...subject, version: 1 })
  await running({ kind: 'words', words: ['tram'] }, 'live', { ...REJECT, name: 'Trams' })
  await editComment(asAuthor, { commentId, data: { text: 'The tram runs' } })
  expect(await readItem(moderator, subject)).toMatchObject({ decided: { decidedByName: 'Trams', isByRules: true } })
})
