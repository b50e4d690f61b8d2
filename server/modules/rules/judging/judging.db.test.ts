import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { readComment } from '#server/modules/content/comments/read-comment.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readWaiting } from '#server/modules/review/insights/read-waiting.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { archiveRule } from '#server/modules/rules/registry/archive-rule.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene, matchesOf, countsOf } = rulesOn(database)

const SHADOWED = IS_STRESS ? scaled(1_000) : 60

const FERRY = { kind: 'words', words: ['ferry'] }
/** The comment as stored, after its author has edited it. */
async function edit({ userId }: { userId: string }, commentId: string, text: string) {
  await editComment(ctxOf(database, asUser(userId)), { commentId, data: { text } })
  return prisma.comment.findUniqueOrThrow({ where: { commentId } })
}

const queueOf = (reviewer: Ctx, communityId: string) =>
  listReviewQueue(reviewer, { ...ReviewQueueQuery.parse({}), communityId })

test('a live rule holds new comments and posts, and log, event and match name its version', async () => {
  const { communityId, author, comment, running } = await scene()
  const { ruleId } = await running(FERRY)
  const held = await comment('The ferry runs')
  expect(held).toMatchObject({ approvalStatus: 'pending', queuedAt: expect.any(Date) })
  expect(await matchesOf(held.commentId)).toMatchObject([
    { ruleId, version: 1, isLive: true, found: [{ field: 'text', from: 4, to: 9 }] },
  ])
  const rules = [{ ruleId, version: 1 }]
  const act = await prisma.audit.findFirstOrThrow({ where: { subjectId: held.commentId } })
  expect(act).toMatchObject({ action: 'comment.held', after: { approvalStatus: 'pending', version: 1, rules } })
  const event = await prisma.event.findFirstOrThrow({ where: { subjectId: held.commentId } })
  expect(event).toMatchObject({ name: 'desk.comment.didHold', payload: { commentId: held.commentId, rules } })
  expect((await comment('The tram runs')).approvalStatus).toBeNull()

  const postId = await writtenPost(ctxOf(database, asUser(author.userId)), {
    targetType: 'community',
    targetId: communityId,
    data: { title: 'Ferry', text: 'It runs' },
  })
  expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'reviewing' })
  expect(await matchesOf(postId)).toMatchObject([{ ruleId, found: [{ field: 'title', from: 0, to: 5 }] }])
  expect(
    await prisma.tallyDelta.count({ where: { kind: { in: ['held_comments', 'held_posts'] }, subjectId: communityId } }),
  ).toBe(2)
})

test('a change to a rule counts from the next write on, also where another process made it', async () => {
  const { moderator, comment, running } = await scene()
  const rule = await running(FERRY)
  const isHeld = async (text: string) => (await comment(text)).approvalStatus === 'pending'
  expect(await isHeld('ferry')).toBe(true)
  const changed = await changeRule(moderator, { ...rule, condition: Conditions.parse({ ...FERRY, words: ['tram'] }) })
  expect([await isHeld('ferry'), await isHeld('tram')]).toEqual([false, true])
  const paused = await setRuleState(moderator, { ...changed, state: 'paused' })
  expect(await isHeld('tram')).toBe(false)
  const live = await setRuleState(moderator, { ...paused, state: 'live' })
  expect(await isHeld('tram')).toBe(true)
  // As another process does: nothing in this one learns of it but from the database.
  await pool.query(`update rule set state = 'shadow', revision = revision + 1 where rule_id = $1`, [rule.ruleId])
  expect(await isHeld('tram')).toBe(false)
  await archiveRule(moderator, { ...live, revision: live.revision + 1 })
  expect(await matchesOf((await comment('tram')).commentId)).toEqual([])
})

test('a published comment that its author edits into what a rule holds waits for review, and is gone for others until then', async () => {
  const { communityId, moderator, author, postId, comment, running } = await scene()
  const { ruleId } = await running(FERRY)
  const { commentId, createdAt } = await comment('The tram runs')
  const edited = await edit(author, commentId, 'The ferry runs')
  expect(edited).toMatchObject({ approvalStatus: 'pending', version: 2, createdAt, data: { text: 'The ferry runs' } })
  expect(edited.queuedAt?.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
  const rules = [{ ruleId, version: 1 }]
  expect(await prisma.audit.findMany({ where: { subjectId: commentId }, orderBy: { auditId: 'asc' } })).toMatchObject([
    { action: 'comment.created' },
    { action: 'comment.edited', after: { version: 2 } },
    { action: 'comment.held', after: { approvalStatus: 'pending', version: 2, rules } },
  ])
  const [, gone, held] = await prisma.event.findMany({ where: { subjectId: commentId }, orderBy: { eventId: 'asc' } })
  expect(gone).toMatchObject({
    name: 'v3.comment.didDelete',
    payload: { comments: [{ commentId, data: { text: 'The tram runs' } }] },
  })
  expect(held).toMatchObject({ name: 'desk.comment.didHold', isDeskOnly: true, payload: { commentId, rules } })
  expect(await countsOf('post_comments', postId)).toBe(0)
  expect(await countsOf('held_comments', communityId)).toBe(1)
  const other = await make.user()
  await make.member({ communityId, userId: other.userId })
  const asOther = ctxOf(database, asUser(other.userId))
  await expect(readComment(asOther, { commentId })).rejects.toMatchObject({ code: 'NOT_FOUND' })

  const { comments } = await queueOf(moderator, communityId)
  expect(comments).toMatchObject([
    { commentId, reviewReasons: [{ ruleId, found: [{ field: 'text', from: 4, to: 9 }] }] },
  ])
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved' })
  expect((await readComment(asOther, { commentId })).comments).toMatchObject([{ data: { text: 'The ferry runs' } }])
})

test('a published post that its author edits into what a rule holds waits for review with its attachments', async () => {
  const { communityId, moderator, author, running } = await scene()
  const { ruleId } = await running(FERRY)
  const { fileId } = await prisma.file.create({ data: { fileId: `file-${communityId}`, type: 'image' } })
  const asAuthor = ctxOf(database, asUser(author.userId))
  const postId = await writtenPost(asAuthor, {
    targetType: 'community',
    targetId: communityId,
    data: { text: 'The tram runs' },
    attachments: [{ fileId, type: 'image' }],
  })
  await editPost(asAuthor, { postId, data: { text: 'The ferry runs' } })
  const posts = await prisma.post.findMany({ where: { OR: [{ postId }, { parentPostId: postId }] } })
  expect(posts.map(({ feedType }) => feedType)).toEqual(['reviewing', 'reviewing'])
  expect(new Set(posts.map(({ feedId }) => feedId)).size).toBe(1)
  expect(posts.find((post) => post.postId === postId)).toMatchObject({ version: 2, queuedAt: expect.any(Date) })
  const [, gone, held] = await prisma.event.findMany({ where: { subjectId: postId }, orderBy: { eventId: 'asc' } })
  expect(gone).toMatchObject({ name: 'v3.post.didDelete', payload: { posts: [{ data: { text: 'The tram runs' } }] } })
  expect(held).toMatchObject({ name: 'desk.post.didHold', isDeskOnly: true })
  expect(await countsOf('community_posts', communityId)).toBe(0)
  expect(await countsOf('held_posts', communityId)).toBe(1)
  expect(await matchesOf(postId)).toMatchObject([{ ruleId, found: [{ field: 'text', from: 4, to: 9 }] }])

  const attached = posts.find((post) => post.postId !== postId)?.postId ?? ''
  await editPost(asAuthor, { postId: attached, data: { text: 'The ferry' } })
  expect(await matchesOf(attached)).toEqual([])
  await decide(moderator, { subjectType: 'post', subjectId: postId, outcome: 'approved' })
  expect(await prisma.post.findUnique({ where: { postId } })).toMatchObject({ feedType: 'published' })
})

test('an edit is held neither by a rule in shadow, nor where a reviewer made it, nor where somebody else did', async () => {
  const { communityId, moderator, author, postId, comment, running } = await scene()
  const tram = await running({ kind: 'words', words: ['tram'] }, 'shadow')
  await running(FERRY)
  const { commentId } = await comment('The bus runs')
  expect((await edit(author, commentId, 'The tram runs')).approvalStatus).toBeNull()
  expect(await matchesOf(commentId)).toMatchObject([{ ruleId: tram.ruleId, isLive: false }])
  await editComment(moderator, { commentId, data: { text: 'The ferry runs' } })
  expect(await prisma.comment.findUnique({ where: { commentId } })).toMatchObject({ version: 3, approvalStatus: null })

  const own = { referenceType: 'post', referenceId: postId, data: { text: 'The bus runs' } }
  const ofReviewer = await writtenComment(moderator, own)
  await editComment(moderator, { commentId: ofReviewer, data: { text: 'The ferry runs' } })
  expect(await countsOf('held_comments', communityId)).toBe(0)
})

test('of an edit and an approval at once, what is published afterwards is what a person approved', async () => {
  const { moderator, author, comment, running } = await scene()
  await running(FERRY)
  await prisma.networkSettings.updateMany({ data: { isAllowEditCommentWhenReviewingEnabled: true } })
  for (let round = 0; round < scaled(5); round++) {
    const { commentId } = await comment('The ferry runs')
    const version = 1
    const [approval] = await Promise.allSettled([
      decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved', version }),
      edit(author, commentId, 'The ferry runs, see https://example.com'),
    ])
    const stored = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
    expect(stored.approvalStatus).toBe('pending')
    expect(stored.version).toBe(approval.status === 'fulfilled' ? 3 : 2)
  }
})

test('a live rule that highlights holds nothing, and shows reviewers of what is held by others where it fired', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const watched = await running(FERRY, 'live', { action: { type: 'highlight' }, name: 'Watched' })
  const { commentId: publicId } = await comment('The ferry runs')
  expect(await prisma.comment.findUnique({ where: { commentId: publicId } })).toMatchObject({ approvalStatus: null })
  expect(await matchesOf(publicId)).toMatchObject([{ ruleId: watched.ruleId, isLive: true }])
  expect(await prisma.audit.count({ where: { subjectId: publicId, action: 'comment.held' } })).toBe(0)

  const holding = await running({ kind: 'words', words: ['boat'] })
  const { commentId } = await comment('The boat and the ferry run')
  const { item } = await readItem(moderator, { subjectType: 'comment', subjectId: commentId })
  expect(item.reviewReasons).toMatchObject([{ ruleId: holding.ruleId }])
  expect(item.highlights).toMatchObject([
    { ruleId: watched.ruleId, name: 'Watched', found: [{ field: 'text', from: 17, to: 22 }] },
  ])
  const held = await prisma.audit.findFirstOrThrow({ where: { subjectId: commentId, action: 'comment.held' } })
  expect(held.after).toMatchObject({ rules: [{ ruleId: holding.ruleId }] })
  const { comments } = await queueOf(moderator, communityId)
  expect(comments).toMatchObject([{ commentId, reviewReasons: [{ ruleId: holding.ruleId }] }])
  expect(comments[0]?.reviewReasons).toHaveLength(1)
})

test(`${SHADOWED} writes that are judged in shadow leave every table but the matches as writes without rules do`, async () => {
  const [judged, other] = [await scene(), await scene()]
  await judged.running(FERRY, 'shadow')
  await judged.running({ kind: 'length', atLeast: 1 }, 'shadow')
  await judged.running({ kind: 'rate', by: 'author', moreThan: 5, withinMinutes: 60 }, 'shadow')
  await judged.running({ kind: 'not', condition: { kind: 'links' } }, 'shadow', { kinds: ['post'] })
  const watch = await watchTables(pool)
  const changedBy = async ({ communityId, author, comment }: Awaited<ReturnType<typeof scene>>) => {
    await watch.changes()
    for (let index = 0; index < SHADOWED; index++) {
      const text = index % 2 === 0 ? 'The ferry runs' : 'The tram runs'
      const data = { title: 'A post', text }
      const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
      if (index % 3 === 0) await writtenPost(asAuthor, { targetType: 'community', targetId: communityId, data })
      else {
        const { commentId } = await comment(text)
        if (index % 3 === 1) await edit(author, commentId, `${text} again`)
      }
    }
    const changes = (await watch.changes()).filter(({ table }) => table !== 'rule_match')
    return Object.fromEntries(
      changes.map(({ table, removed, added }) => [table, [withoutIds(removed), withoutIds(added)]]),
    )
  }
  const without = await changedBy(other)
  expect(await changedBy(judged)).toEqual(without)
  expect(Object.keys(without)).toEqual(expect.arrayContaining(['audit', 'comment', 'event', 'post', 'tally_delta']))
  expect(await prisma.ruleMatch.count({ where: { isLive: false } })).toBeGreaterThan(SHADOWED)
  await watch.restore()
})

/** A checksum of rows but for what differs between any two writes: ids, numbers, times and digests. */
function withoutIds(rows: string[]): string {
  const alike = rows.map((row) => row.replaceAll(/[\w+/=-]*\d[\w+/=:.-]*/g, '#')).sort()
  return `${rows.length} ${createHash('sha256').update(alike.join('\n')).digest('hex')}`
}

test('reviewers see which rules hold an item, and where they fired; its author and events do not', async () => {
  const { communityId, moderator, author, comment, running } = await scene()
  const action = { type: 'hold', label: ' Boats ' }
  const { ruleId } = await running(FERRY, 'live', { name: 'Ferries', action })
  await running(FERRY, 'shadow')
  await running({ kind: 'length', atLeast: 1 }, 'live', { name: 'Everything' })
  const found = [{ field: 'text', from: 2, to: 7 }]
  const reasons = [
    { type: 'rule', ruleId, version: 1, name: 'Ferries', label: 'Boats', found },
    { type: 'rule', ruleId: expect.any(String), version: 1, name: 'Everything', found: [] },
  ]
  const { commentId } = await comment('A ferry')
  const writer = ctxOf(database, asUser(author.userId))
  const postId = await writtenPost(writer, {
    targetType: 'community',
    targetId: communityId,
    data: { text: 'A ferry' },
  })

  const queue = await listReviewQueue(moderator, { ...ReviewQueueQuery.parse({}), communityId })
  expect(queue.comments).toMatchObject([{ commentId, reviewReasons: reasons }])
  expect(queue.comments[0]?.reviewReasons?.[1]).not.toHaveProperty('label')
  expect((await buildPostsEnvelope(moderator, [postId])).posts).toMatchObject([{ postId, reviewReasons: reasons }])
  for (const subjectId of [commentId, postId]) {
    const subject = { subjectType: subjectId === postId ? ('post' as const) : ('comment' as const), subjectId }
    expect((await readItem(moderator, subject)).item).toMatchObject({ subjectId, reviewReasons: reasons })
  }

  const [own] = (await buildCommentsEnvelope(writer, [commentId])).comments
  const [ownPost] = (await buildPostsEnvelope(writer, [postId])).posts
  const shown = { own, ownPost, events: await prisma.event.findMany({ where: { communityId, isDeskOnly: false } }) }
  expect([own?.commentId, ownPost?.postId]).toEqual([commentId, postId])
  expect(JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    'Reasons',
  )

  // An edit moves what was found. What others change isn't judged: then it isn't known where it is.
  const edits = [
    { by: writer, text: 'Take a ferry', foundThen: [{ field: 'text', from: 7, to: 12 }] },
    { by: moderator, text: 'Ferry it is', foundThen: [] },
  ]
  for (const [index, { by, text, foundThen }] of edits.entries()) {
    const later = { ...by, now: () => new Date(Date.now() + (index + 1) * 1_000) }
    await editComment(later, { commentId, data: { text } })
    const reviewReasons = [{ ...reasons[0], found: foundThen }, reasons[1]]
    const { item } = await readItem(moderator, { subjectType: 'comment', subjectId: commentId })
    expect(item).toMatchObject({ reviewReasons })
    expect((await buildCommentsEnvelope(moderator, [commentId])).comments).toMatchObject([{ reviewReasons }])
  }

  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved' })
  expect((await buildCommentsEnvelope(moderator, [commentId])).comments[0]).toHaveProperty('reviewReasons', undefined)
})

test('rules judge neither what reviewers of the community write, nor content outside it', async () => {
  const { moderator, comment, running } = await scene()
  await running(FERRY)
  const reviewerId = moderator.actor.kind === 'user' ? moderator.actor.userId : ''
  expect((await comment('ferry', reviewerId)).approvalStatus).toBeNull()
  const elsewhere = await scene()
  const written = await elsewhere.comment('ferry')
  expect([written.approvalStatus, await matchesOf(written.commentId)]).toEqual([null, []])
})

test('a rule that can no longer be compiled is paused once, says so, and stops neither writes nor other rules', async () => {
  const { comment, running } = await scene()
  const broken = await running({ kind: 'links' }, 'draft')
  const { ruleId } = await running(FERRY)
  const condition = { kind: 'pattern', pattern: '(a', isCaseSensitive: false }
  await prisma.ruleVersion.updateMany({ where: { ruleId: broken.ruleId }, data: { condition } })
  await prisma.rule.update({ where: { ruleId: broken.ruleId }, data: { state: 'live' } })

  const written = await Promise.all([comment('The ferry'), comment('A ferry')])
  expect(written.map(({ approvalStatus }) => approvalStatus)).toEqual(['pending', 'pending'])
  for (const { commentId } of written) expect(await matchesOf(commentId)).toMatchObject([{ ruleId }])
  expect(await prisma.rule.findUnique({ where: { ruleId: broken.ruleId } })).toMatchObject({ state: 'paused' })
  const acts = await prisma.audit.findMany({ where: { subjectId: broken.ruleId, action: 'rule.failed' } })
  expect(acts).toMatchObject([
    { actorKind: 'system', actorId: 'rules', after: { state: 'paused', version: 1, reason: 'error' } },
  ])
  expect(await prisma.event.count({ where: { subjectId: broken.ruleId, name: 'desk.rule.didChange' } })).toBe(2)
})

test('knows of the author how much they wrote, what was decided, their bans and their membership', async () => {
  const { communityId, author, comment, running } = await scene()
  const { userId } = author
  const conditions: Record<string, unknown> = {
    newcomer: { kind: 'contributions', fewerThan: 2 },
    rejected: { kind: 'decisions', outcome: 'rejected' },
    approved: { kind: 'decisions', outcome: 'approved' },
    banned: { kind: 'bans' },
    member: { kind: 'membership', is: 'member' },
    young: { kind: 'accountAge', underDays: 1 },
    fast: { kind: 'rate', by: 'author', moreThan: 2, withinMinutes: 60 },
  }
  const names = new Map<string, string>()
  for (const [name, condition] of Object.entries(conditions))
    names.set((await running(condition, 'shadow')).ruleId, name)
  const firedOn = async () => {
    const matches = await matchesOf((await comment('Text')).commentId)
    return matches.map(({ ruleId }) => names.get(ruleId)).sort()
  }
  expect(await firedOn()).toEqual(['member', 'newcomer', 'young'])
  expect(await firedOn()).toEqual(['member', 'newcomer', 'young'])
  expect(await firedOn()).toEqual(['fast', 'member', 'young'])

  await prisma.user.update({ where: { userId }, data: { createdAt: new Date(Date.now() - 2 * 86_400_000) } })
  await prisma.ban.create({ data: { scope: 'network', userId } })
  await prisma.ban.create({ data: { scope: 'community', communityId: (await make.community()).communityId, userId } })
  const decision = {
    subjectType: 'comment' as const,
    communityId,
    authorId: userId,
    decidedByName: 'x',
    source: 'desk' as const,
  }
  const decided = { ...decision, decidedAt: new Date(), version: 2, eventId: 1n }
  await prisma.decision.createMany({
    data: [
      { ...decided, subjectId: 'a', outcome: 'rejected' },
      { ...decided, subjectId: 'b', outcome: 'approved', undoneAt: new Date() },
      { ...decided, subjectId: 'c', outcome: 'approved', communityId: 'another' },
    ],
  })
  expect(await firedOn()).toEqual(['banned', 'fast', 'member', 'rejected'])
})

test('a community where only a live rule holds still holds new items, until the rule is paused', async () => {
  const { communityId, comment, running } = await scene()
  await prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: false, needApprovalOnPostCreation: false },
  })
  const rule = await running(FERRY)
  const held = await comment('The ferry runs')
  const older = await make.heldComment({ communityId })
  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  const isHolding = async () => {
    const [queue, insights] = await Promise.all([countQueue(reviewer), readWaiting(reviewer, { communityId })])
    return [queue, insights].map(({ communities }) => communities[0]?.isHolding)
  }
  const whyHeld = async (subjectId: string) =>
    (await readItem(reviewer, { subjectType: 'comment', subjectId })).isHolding
  expect(await isHolding()).toEqual([true, true])
  // Nothing is said of why, as its rule says so, or nobody knows.
  expect([await whyHeld(held.commentId), await whyHeld(older.commentId)]).toEqual([undefined, undefined])
  await setRuleState(reviewer, { ruleId: rule.ruleId, revision: rule.revision, state: 'paused' })
  expect(await isHolding()).toEqual([false, false])
  expect(await whyHeld(older.commentId)).toBe(false)
})

test('a burst of one author at the very same moment may pass a rate, and whatever comes next is counted with all of it', async () => {
  const { running, comment } = await scene()
  await running({ kind: 'rate', by: 'author', moreThan: 3, withinMinutes: 10 })
  await Promise.all(Array.from({ length: 6 }, (_, index) => comment(`Burst ${index}`)))
  expect((await comment('The next one')).approvalStatus).toBe('pending')
})
