import { describe, expect, test } from 'vitest'
import { type Actor, actorName } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { clearFlags, flag, isFlaggedByMe, unflag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { erasePerson } from '#server/modules/people/erase-person.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import type { ReportOutcome, Subject, SubjectType } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { openConversation } from '#server/modules/review/items/read-report.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { banEverywhere, unbanEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { liftEndedBans } from '#server/modules/spaces/sanctions/lift-ended-bans.ts'
import { asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over = {}) => ctxOf(database, actor, over)
const NOT_FOUND = new DomainError('NOT_FOUND')
const FORBIDDEN = new DomainError('FORBIDDEN')
const CHANGED = { code: 'CHANGED' }

const KINDS = ['comment', 'post', 'message', 'user'] as const
const FLAGGABLE = { comment: flaggableComment, post: flaggablePost, message: flaggableMessage, user: flaggableUser }
/** Each test uses only its own ids here. */
const flaggable = (type: SubjectType) => FLAGGABLE[type] as unknown as typeof flaggableUser

interface Thing {
  subject: Subject
  /** The person who reviews reports there. */
  moderator: Actor & { userId: string }
  /** Somebody who may flag it. */
  reporter: () => Promise<Actor>
}

/** With a role across the network. */
async function networkModerator(
  permissions: Permission[] = ['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_CHANNELS'],
): Promise<Actor & { kind: 'admin'; userId: string }> {
  const { userId } = await make.user()
  return { kind: 'admin', userId, name: 'Moderator', rank: 600, permissions: new Set(permissions) }
}

async function something(type: SubjectType): Promise<Thing> {
  const person = async () => asUser((await make.user()).userId)
  if (type === 'user') {
    const { userId } = await make.user()
    return { subject: { subjectType: type, subjectId: userId }, moderator: await networkModerator(), reporter: person }
  }
  if (type === 'message') {
    const { channelId } = await make.channel()
    const { messageId } = await make.message({ channelId })
    const { userId } = await make.moderatorOf(channelId)
    return {
      subject: { subjectType: type, subjectId: messageId },
      moderator: { kind: 'user', userId, name: 'Moderator' },
      reporter: async () => asUser((await make.channelUser({ channelId })).userId),
    }
  }
  const { communityId } = await make.community()
  const subjectId =
    type === 'comment'
      ? (await make.heldComment({ communityId, approvalStatus: null })).commentId
      : (await make.post({ communityId })).postId
  return { subject: { subjectType: type, subjectId }, moderator: await make.reviewerOf(communityId), reporter: person }
}

const flagAs = (actor: Actor, { subjectType, subjectId }: Subject, over = {}) =>
  flag(as(actor, over), flaggable(subjectType), {
    id: subjectId,
    flag: { reason: 'Spam or scams', detail: 'sells watches' },
  })
const unflagAs = (actor: Actor, { subjectType, subjectId }: Subject) =>
  unflag(as(actor), flaggable(subjectType), { id: subjectId })

/** An item that two people have flagged. */
async function reported(type: SubjectType) {
  const thing = await something(type)
  const reporters = [await thing.reporter(), await thing.reporter()]
  for (const reporter of reporters) await flagAs(reporter, thing.subject)
  const { version } = await reportOf(thing.subject)
  return { ...thing, reporters, version }
}

const reportOf = ({ subjectType, subjectId }: Subject) =>
  prisma.reviewItem.findFirstOrThrow({ where: { kind: 'reported', subjectType, subjectId } })
async function authorOf({ subjectType, subjectId }: Subject): Promise<string> {
  const rows = {
    comment: async () => (await prisma.comment.findUniqueOrThrow({ where: { commentId: subjectId } })).userId,
    post: async () => (await prisma.post.findUniqueOrThrow({ where: { postId: subjectId } })).postedUserId,
    message: async () => (await prisma.message.findUniqueOrThrow({ where: { messageId: subjectId } })).userId,
    user: async () => subjectId,
  }
  return rows[subjectType]()
}
const stateOf = async (subject: Subject) => (await reportOf(subject)).state
const isOpen = async (subject: Subject) => (await stateOf(subject)) === 'waiting'
const rowOf = async ({ subjectType, subjectId }: Subject) => {
  const rows = {
    comment: () => prisma.comment.findUniqueOrThrow({ where: { commentId: subjectId } }),
    post: () => prisma.post.findUniqueOrThrow({ where: { postId: subjectId } }),
    message: () => prisma.message.findUniqueOrThrow({ where: { messageId: subjectId } }),
    user: () => prisma.user.findUniqueOrThrow({ where: { userId: subjectId } }),
  }
  const { flagCount, hashFlag, isDeleted } = await rows[subjectType]()
  return { flagCount, hashFlag, isDeleted }
}
const listed = async (actor: Actor, filter: Partial<DeskQueueInput> = {}) =>
  listDeskQueue(as(actor), DeskQueueInput.parse({ view: 'reported', ...filter }))
/** The row of one item in the list of its type, after checking that the list is as long as its count. */
const shown = async (actor: Actor, { subjectType, subjectId }: Subject) => {
  const { items } = await listed(actor, { kind: subjectType, limit: 100 })
  expect(await counted(actor, { kind: subjectType })).toBe(items.length)
  return items.find((item) => item.subjectId === subjectId)
}
const counted = async (actor: Actor, filter = {}) =>
  (await countMatching(as(actor), DeskFilter.parse({ view: 'reported', ...filter }))).count
const decideReport = (actor: Actor, subject: Subject, version: number, outcome: ReportOutcome) =>
  decide(as(actor), { ...subject, version, outcome })
const actionsOn = async ({ subjectId }: Subject) =>
  (await prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })).map(({ action }) => action)
const eventsOf = ({ subjectId }: Subject) =>
  prisma.event.findMany({ where: { subjectId }, orderBy: { eventId: 'asc' }, select: { name: true, state: true } })

const CLEARED = {
  comment: 'v3.comment.didClearFlag',
  post: 'v3.post.didClearFlag',
  message: 'message.didClearflag',
  user: 'user.didClearFlag',
}
const DELETED = { comment: 'v3.comment.didDelete', post: 'v3.post.didDelete', message: 'v5.message.didDelete' }

describe.each(KINDS)('the report of a %s', (type) => {
  test('opens with the first flag, shows all of them, closes with the last one and can open again', async () => {
    const { subject, moderator, reporter } = await something(type)
    const [first, second] = [await reporter(), await reporter()]
    const clock = clockAt('2026-11-20T12:00:00Z')
    await flagAs(first, subject, { now: clock.now })
    clock.advance(60_000)
    await flagAs(second, subject, { now: clock.now })
    await flagAs(second, subject, { now: clock.now })

    const report = await reportOf(subject)
    expect(report).toMatchObject({
      flagCount: 2,
      openedAt: new Date('2026-11-20T12:00:00Z'),
      placedAt: new Date('2026-11-20T12:01:00Z'),
      closedAt: null,
    })
    expect(await shown(moderator, subject)).toMatchObject({
      version: report.version,
      flagCount: 2,
      reasons: ['Spam or scams'],
    })
    expect(await readItem(as(moderator), { ...subject, isReported: true })).toMatchObject({
      item: { ...subject, heldAt: '2026-11-20T12:01:00.000Z' },
      flags: [
        { by: { userId: (second as { userId: string }).userId }, reason: 'Spam or scams', detail: 'sells watches' },
        { by: { userId: (first as { userId: string }).userId }, isCleared: false },
      ],
    })

    await unflagAs(first, subject)
    expect(await isOpen(subject)).toBe(true)
    await unflagAs(second, subject)
    expect([await stateOf(subject), await shown(moderator, subject)]).toEqual(['withdrawn', undefined])
    await flagAs(first, subject)
    expect([await isOpen(subject), await shown(moderator, subject)]).toMatchObject([true, { flagCount: 1 }])
    expect((await reportOf(subject)).version).toBeGreaterThan(report.version)
  })

  test('is dismissed: its flags are cleared, it is no longer counted, and the dismissal is logged and published', async () => {
    const { subject, moderator, version, reporters } = await reported(type)
    const decided = await decideReport(moderator, subject, version, 'dismissed')

    expect(decided).toMatchObject({ ...subject, outcome: 'dismissed' })
    expect(await rowOf(subject)).toEqual({ flagCount: 0, hashFlag: null, isDeleted: false })
    expect([await stateOf(subject), await shown(moderator, subject)]).toEqual(['dismissed', undefined])
    expect((await actionsOn(subject)).at(-1)).toBe(`${type}.dismissed`)
    expect((await eventsOf(subject)).at(-1)).toEqual({ name: CLEARED[type], state: 'held' })
    const [reporter] = reporters
    if (!reporter) throw new Error('two people reported it')
    const isFlagged = isFlaggedByMe(as(reporter), flaggable(type), { id: subject.subjectId })
    expect(await isFlagged).toBe(false)
    expect(await readItem(as(moderator), { ...subject, isReported: true })).toMatchObject({
      item: { allowed: [], flagCount: 2 },
      decided: { outcome: 'dismissed' },
      flags: [{ isCleared: true }, { isCleared: true }],
    })

    await flagAs(reporter, subject)
    expect(await rowOf(subject)).toMatchObject({ flagCount: 1 })
    expect(await shown(moderator, subject)).toMatchObject({ flagCount: 1 })
  })

  test('is open again after an undo, at its old place, with its flags as they were', async () => {
    const { subject, moderator, version } = await reported(type)
    const before = [await rowOf(subject), (await shown(moderator, subject))?.heldAt]
    const { decisionId } = await decideReport(moderator, subject, version, 'dismissed')

    const undone = await undoDecision(as(moderator), { decisionId })

    expect(await shown(moderator, subject)).toMatchObject({ version: undone.version, flagCount: 2 })
    expect([await rowOf(subject), (await shown(moderator, subject))?.heldAt]).toEqual(before)
    expect((await eventsOf(subject)).slice(-2)).toMatchObject([
      { state: 'cancelled' },
      { name: `desk.${type}.didUndo` },
    ])
    expect((await actionsOn(subject)).slice(-2)).toEqual([`${type}.dismissed`, `${type}.undone`])
  })

  test('is decided by exactly one of two concurrent reviewers, and the other learns who did what', async () => {
    const { subject, moderator, version } = await reported(type)
    const outcomes = ['dismissed', type === 'user' ? 'dismissed' : 'deleted'] as const
    const results = await Promise.allSettled(
      outcomes.map((outcome) => decideReport(moderator, subject, version, outcome)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const won = results.findIndex(({ status }) => status === 'fulfilled')
    const lost = results.find((result) => result.status === 'rejected')
    expect(lost?.reason).toMatchObject({
      ...CHANGED,
      details: { decision: outcomes[won], decidedBy: moderator.userId },
    })
    expect(await prisma.decision.count({ where: subject })).toBe(1)
  })

  test('needs a new decision if it was flagged again since the reviewer saw it, or during an undo', async () => {
    const { subject, moderator, version, reporter } = await reported(type)
    await flagAs(await reporter(), subject)
    const late = decideReport(moderator, subject, version, 'dismissed')
    await expect(late).rejects.toMatchObject({ ...CHANGED, details: { version: version + 1 } })
    await expect(late).rejects.not.toHaveProperty('details.decision')

    const { decisionId } = await decideReport(moderator, subject, version + 1, 'dismissed')
    await flagAs(await reporter(), subject)
    await expect(undoDecision(as(moderator), { decisionId })).rejects.toMatchObject(CHANGED)
    expect(await rowOf(subject)).toMatchObject({ flagCount: 1 })
  })

  test('is decided once under one idempotency key, however often it is sent', async () => {
    const { subject, moderator, version } = await reported(type)
    const input = { ...subject, version, outcome: 'dismissed' as const, clientKey: `key of ${subject.subjectId}` }
    const [first, again] = [await decide(as(moderator), input), await decide(as(moderator), input)]
    expect(again).toEqual(first)
    expect(await prisma.decision.count({ where: subject })).toBe(1)
  })

  test('is not found for a stranger, who may not decide on it', async () => {
    const { subject, version } = await reported(type)
    const elsewhere = await something(type === 'user' ? 'comment' : type)
    const { moderator: stranger } = elsewhere
    expect((await listed(stranger)).items).toEqual([])
    expect([await counted(stranger), (await countQueue(as(stranger))).reported]).toEqual([0, 0])
    await expect(readItem(as(stranger), { ...subject, isReported: true })).rejects.toThrow(NOT_FOUND)
    await expect(decideReport(stranger, subject, version, 'dismissed')).rejects.toThrow(
      type === 'message' ? NOT_FOUND : FORBIDDEN,
    )
    expect(await isOpen(subject)).toBe(true)
  })

  test('can’t be decided by the person it is about', async () => {
    const { subject, version } = await reported(type)
    const { authorId } = await reportOf(subject)
    const own: Actor = { ...(await networkModerator()), userId: authorId }
    const items = (await listed(own, { kind: type, limit: 100 })).items
    expect(items).toContainEqual(expect.objectContaining({ ...subject, allowed: [] }))
    await expect(decideReport(own, subject, version, 'dismissed')).rejects.toThrow(FORBIDDEN)
  })

  test('names in its history who escalated it and why, also once it is decided', async () => {
    const { subject, moderator, version } = await reported(type)
    await escalate(as(moderator), { ...subject, kind: 'reported', note: 'Is this an advert?' })
    const escalated = { what: 'escalated', by: actorName(as(moderator)), reason: 'Is this an advert?' }
    const history = async () => (await readItem(as(moderator), { ...subject, isReported: true })).history
    expect((await history()).at(-1)).toMatchObject(escalated)

    await decideReport(moderator, subject, version, 'dismissed')
    expect((await history()).slice(-2)).toMatchObject([escalated, { what: 'dismissed' }])
  })
})

describe.each(['comment', 'post', 'message'] as const)('a reported %s', (type) => {
  test('is deleted like anywhere else, published, and completely restored by an undo', async () => {
    const { subject, moderator, version } = await reported(type)
    const before = await rowOf(subject)
    const { decisionId } = await decideReport(moderator, subject, version, 'deleted')

    expect([await rowOf(subject), await stateOf(subject)]).toEqual([{ ...before, isDeleted: true }, 'deleted'])
    expect([await counted(moderator), (await listed(moderator)).items]).toEqual([0, []])
    expect((await actionsOn(subject)).at(-1)).toBe(`${type}.deleted`)
    expect((await eventsOf(subject)).at(-1)).toEqual({ name: DELETED[type], state: 'held' })

    await undoDecision(as(moderator), { decisionId })
    expect(await rowOf(subject)).toEqual(before)
    expect(await counted(moderator)).toBe(1)
    expect((await listed(moderator)).items).toMatchObject([{ ...subject, allowed: ['dismissed', 'deleted'] }])
    expect((await eventsOf(subject)).slice(-2)).toMatchObject([
      { state: 'cancelled' },
      { name: `desk.${type}.didUndo` },
    ])
  })

  test('leaves the reported view once it is deleted, or its flags are cleared, elsewhere', async () => {
    const { subject, moderator } = await reported(type)
    const cleared = await reported(type)
    const remove = {
      comment: () => deleteComment(as(moderator), { commentId: subject.subjectId, permanent: false }),
      post: () => deletePost(as(moderator), { postId: subject.subjectId, permanent: false }),
      message: () => deleteMessage(as(moderator), { messageId: subject.subjectId, permanent: false }),
    }
    await remove[type]()
    await clearFlags(as(cleared.moderator), flaggable(type), { id: cleared.subject.subjectId })
    expect([await stateOf(subject), await counted(moderator)]).toEqual(['deleted', 0])
    expect([await stateOf(cleared.subject), await counted(cleared.moderator)]).toEqual(['withdrawn', 0])
  })

  test('leaves no report once it is erased', async () => {
    const { subject, moderator } = await reported(type)
    const erase = {
      comment: () => deleteComment(as(moderator), { commentId: subject.subjectId, permanent: true }),
      post: () => deletePost(as(moderator), { postId: subject.subjectId, permanent: true }),
      message: () => deleteMessage(as(moderator), { messageId: subject.subjectId, permanent: true }),
    }
    await erase[type]()
    expect([await counted(moderator), (await listed(moderator)).items]).toEqual([0, []])
    await expect(readItem(as(moderator), { ...subject, isReported: true })).rejects.toThrow(NOT_FOUND)
  })

  const deleteAsAuthor = async (subject: Subject, permanent = false) => {
    const { subjectId } = subject
    const author = as(asUser(await authorOf(subject)))
    if (type === 'comment') return deleteComment(author, { commentId: subjectId, permanent })
    if (type === 'post') return deletePost(author, { postId: subjectId, permanent })
    return deleteMessage(author, { messageId: subjectId, permanent })
  }

  test('stays reported when its author deletes it, with what it said, and is dismissed, also with an undo', async () => {
    const { subject, moderator } = await reported(type)
    const { text } = await readItem(as(moderator), { ...subject, isReported: true })
    await deleteAsAuthor(subject)
    expect([await isOpen(subject), await counted(moderator)]).toEqual([true, 1])
    expect((await listed(moderator)).items).toMatchObject([{ ...subject, isWithdrawn: true, allowed: ['dismissed'] }])
    expect(await readItem(as(moderator), { ...subject, isReported: true })).toMatchObject({ text, isWaiting: true })

    const { version } = await reportOf(subject)
    await expect(decideReport(moderator, subject, version, 'deleted')).rejects.toMatchObject(CHANGED)
    const { decisionId } = await decideReport(moderator, subject, version, 'dismissed')
    expect([await isOpen(subject), await counted(moderator)]).toEqual([false, 0])
    await undoDecision(as(moderator), { decisionId })
    expect([await isOpen(subject), await counted(moderator)]).toEqual([true, 1])
  })

  test('is reported also by a flag that comes after its author has deleted it', async () => {
    const { subject, moderator, reporter } = await something(type)
    const person = await reporter()
    await deleteAsAuthor(subject)
    await flagAs(person, subject)
    expect([await isOpen(subject), await counted(moderator)]).toEqual([true, 1])
  })

  test('stays closed when its author deletes it after a moderator has', async () => {
    const { subject, moderator, version } = await reported(type)
    await decideReport(moderator, subject, version, 'deleted')
    await deleteAsAuthor(subject)
    expect([await isOpen(subject), await counted(moderator)]).toEqual([false, 0])
  })

  test('leaves nothing of what it said once its author erases it, also after deleting it', async () => {
    const { subject, moderator } = await reported(type)
    await deleteAsAuthor(subject)
    await deleteAsAuthor(subject, true)
    expect(await reportOf(subject)).toMatchObject({ closedAt: expect.any(Date), title: null, text: null })
    expect(await counted(moderator)).toBe(0)
  })
})

test('rejects deleting, approving or rejecting people, and approving or rejecting messages', async () => {
  const [user, message] = [await reported('user'), await reported('message')]
  for (const { moderator, subject, version } of [user, message]) {
    const invalid = decide(as(moderator), { ...subject, version, outcome: 'approved' })
    await expect(invalid).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  }
  const deleting = decideReport(user.moderator, user.subject, user.version, 'deleted')
  await expect(deleting).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
})

test('shows people of the same rank, and rejects decisions on them', async () => {
  const { subject, moderator, version } = await reported('user')
  await prisma.user.update({ where: { userId: subject.subjectId }, data: { roles: ['moderator'] } })
  expect((await listed(moderator, { kind: 'user' })).items).toContainEqual(
    expect.objectContaining({ ...subject, allowed: [] }),
  )
  await expect(decideReport(moderator, subject, version, 'dismissed')).rejects.toThrow(FORBIDDEN)
})

test('a held comment that is deleted from its report leaves the queue, and returns to it after an undo', async () => {
  const { communityId, commentId } = await make.heldComment()
  const moderator = await make.reviewerOf(communityId)
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  await flagAs(await make.reviewerOf(communityId), subject)
  const { decisionId } = await decideReport(moderator, subject, 1, 'deleted')
  expect(await countQueue(as(moderator))).toMatchObject({ total: 0, reported: 0 })
  expect((await eventsOf(subject)).at(-1)).toEqual({ name: 'desk.comment.didWithdraw', state: 'held' })
  await undoDecision(as(moderator), { decisionId })
  expect(await countQueue(as(moderator))).toMatchObject({ total: 1, reported: 1 })
})

test('rejecting a held item closes its report, and an undo opens it again; dismissing leaves it held', async () => {
  for (const type of ['comment', 'post'] as const) {
    const held = type === 'comment' ? await make.heldComment() : await make.heldPost()
    const subject = { subjectType: type, subjectId: 'commentId' in held ? held.commentId : held.postId }
    const moderator = await make.reviewerOf(held.communityId)
    await flagAs(await make.reviewerOf(held.communityId), subject)
    const rejected = await decide(as(moderator), { ...subject, version: 1, outcome: 'rejected' })
    expect([type, await counted(moderator), await stateOf(subject)]).toEqual([type, 0, 'withdrawn'])
    await undoDecision(as(moderator), rejected)
    expect([type, await counted(moderator)]).toEqual([type, 1])
    const { version } = await reportOf(subject)
    await decideReport(moderator, subject, version, 'dismissed')
    expect(await countQueue(as(moderator))).toMatchObject({ total: 1, reported: 0 })
  }
})

test('shows what a comment said when it was reported once its author has edited it, until it is reported again after a dismissal', async () => {
  const { subject, moderator, reporters } = await reported('comment')
  const read = () => readItem(as(moderator), { ...subject, isReported: true })
  const edit = async (text: string) =>
    editComment(as(asUser(await authorOf(subject))), { commentId: subject.subjectId, data: { text } })
  const { text: before } = await read()
  expect(await read()).not.toHaveProperty('asReported')
  await edit('Something harmless')
  expect(await read()).toMatchObject({ text: 'Something harmless', asReported: { text: before } })
  await edit(before)
  expect(await read()).not.toHaveProperty('asReported')

  await edit('Something harmless')
  await decideReport(moderator, subject, (await reportOf(subject)).version, 'dismissed')
  await flagAs(reporters[0] ?? moderator, subject)
  expect(await read()).not.toHaveProperty('asReported')
})

test('keeps what an item is about: its post, its types with those of attachments, whether it is a reply, and when it was written', async () => {
  const { communityId } = await make.community()
  const { postId } = await make.post({ communityId })
  await make.post({ communityId, parentPostId: postId, dataType: 'image' })
  const { commentId } = await make.heldComment({
    communityId,
    approvalStatus: null,
    referenceId: postId,
    parentId: 'another',
    dataTypes: ['text', 'video'],
  })
  const reportOn = async (type: 'post' | 'comment', subjectId: string) => {
    const subject = { subjectType: type, subjectId }
    await flagAs(asUser((await make.user()).userId), subject)
    return reportOf(subject)
  }
  const nothing = { postId: null, isReply: false }
  expect(await reportOn('post', postId)).toMatchObject({ ...nothing, dataTypes: ['image', 'text'] })
  const { createdAt: writtenAt } = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
  const ofComment = { postId, isReply: true, dataTypes: ['text', 'video'], writtenAt }
  expect(await reportOn('comment', commentId)).toMatchObject(ofComment)
  expect(await reportOf((await reported('message')).subject)).toMatchObject({ ...nothing, dataTypes: ['text'] })
  expect(await reportOf((await reported('user')).subject)).toMatchObject({ ...nothing, dataTypes: [] })

  const id = crypto.randomUUID()
  const post = { type: 'post' as const, postedUserId: (await make.user()).userId, flagCount: 1 }
  const inCommunity = { ...post, targetType: 'community' as const, targetId: communityId }
  await importRecords(systemCtx(database), [
    { ...inCommunity, postId: `p-${id}` },
    { ...inCommunity, postId: `a-${id}`, parentPostId: `p-${id}`, dataType: 'image', flagCount: 0 },
  ])
  const imported = await reportOf({ subjectType: 'post', subjectId: `p-${id}` })
  expect(imported).toMatchObject({ ...nothing, dataTypes: ['image', 'text'] })
})

test('the closed report of what was erased is about the post that an import brings under its id', async () => {
  const { subject, moderator } = await reported('post')
  const { communityId } = await prisma.post.findUniqueOrThrow({ where: { postId: subject.subjectId } })
  await deletePost(as(moderator), { postId: subject.subjectId, permanent: true })
  const { userId } = await make.user()
  const post = { type: 'post' as const, postId: subject.subjectId, postedUserId: userId }
  await importRecords(systemCtx(database), [{ ...post, targetType: 'community', targetId: communityId ?? '' }])
  expect(await reportOf(subject)).toMatchObject({ authorId: userId, state: 'withdrawn', title: null, text: null })
})

test('rejects a decision if the author has edited the item since', async () => {
  const { subject, moderator, version } = await reported('comment')
  const { authorId } = await reportOf(subject)
  await editComment(as(asUser(authorId)), { commentId: subject.subjectId, data: { text: 'Other words' } })
  await expect(decideReport(moderator, subject, version, 'deleted')).rejects.toMatchObject(CHANGED)
})

test('a channel’s latest message is its latest again once its deletion is undone', async () => {
  const { subject, moderator, version } = await reported('message')
  const { channelId } = await prisma.message.findUniqueOrThrow({ where: { messageId: subject.subjectId } })
  await prisma.channel.update({ where: { channelId }, data: { messagePreviewId: subject.subjectId } })
  const preview = async () => (await prisma.channel.findUniqueOrThrow({ where: { channelId } })).messagePreviewId
  const { decisionId } = await decideReport(moderator, subject, version, 'deleted')
  expect(await preview()).toBeNull()
  await undoDecision(as(moderator), { decisionId })
  expect(await preview()).toBe(subject.subjectId)
})

test('attachments hidden with their post are restored with it, and those deleted before are not', async () => {
  const { subject, moderator, version } = await reported('post')
  const { communityId } = await prisma.post.findUniqueOrThrow({ where: { postId: subject.subjectId } })
  const attach = (isDeleted: boolean) =>
    prisma.post.create({
      data: {
        postId: `child-${crypto.randomUUID()}`,
        targetType: 'community',
        communityId,
        parentPostId: subject.subjectId,
        postedUserId: moderator.userId,
        isDeleted,
        updatedAt: new Date('2026-01-01'),
      },
    })
  const [kept, gone] = [await attach(false), await attach(true)]
  const { decisionId } = await decideReport(moderator, subject, version, 'deleted')
  await undoDecision(as(moderator), { decisionId })
  const isDeleted = async ({ postId }: { postId: string }) =>
    (await prisma.post.findUniqueOrThrow({ where: { postId } })).isDeleted
  expect([await isDeleted(kept), await isDeleted(gone)]).toEqual([false, true])
})

describe('a conversation', () => {
  async function reportedConversation() {
    const { channelId } = await make.channel({ type: 'conversation' })
    const author = await make.channelUser({ channelId })
    const said = (text: string, minute: number) =>
      make.message({
        channelId,
        userId: author.userId,
        data: { text },
        createdAt: new Date(`2026-11-20T12:0${minute}:00Z`),
      })
    const [, { messageId }] = [await said('before', 1), await said('the words', 2), await said('after', 3)]
    const subject = { subjectType: 'message' as const, subjectId: messageId }
    await flagAs(asUser((await make.channelUser({ channelId })).userId), subject)
    return { subject, channelId }
  }
  const mayOpen = () => networkModerator(['MANAGE_POST_AND_COMMENT', 'VIEW_CHANNELS', 'READ_CONVERSATIONS'])

  test('is not found for moderators who may not read conversations', async () => {
    const { subject } = await reportedConversation()
    const moderator = await networkModerator()
    const ids = (await listed(moderator, { kind: 'message' })).items.map(({ subjectId }) => subjectId)
    expect(ids).not.toContain(subject.subjectId)
    expect(await counted(moderator, { kind: 'message' })).toBe(ids.length)
    await expect(readItem(as(moderator), { ...subject, isReported: true })).rejects.toThrow(NOT_FOUND)
    await expect(openConversation(as(moderator), { messageId: subject.subjectId, reason: 'Look' })).rejects.toThrow(
      NOT_FOUND,
    )
    await expect(decideReport(moderator, subject, 1, 'dismissed')).rejects.toThrow(NOT_FOUND)
  })

  test('hides its text until a moderator who may read conversations opens it, with a reason that is logged', async () => {
    const { subject, channelId } = await reportedConversation()
    const moderator = await mayOpen()
    const closed = await readItem(as(moderator), { ...subject, isReported: true })
    expect(closed.item).toMatchObject({ isClosed: true, text: '', allowed: ['dismissed', 'deleted'] })
    expect(closed.around).toBeUndefined()
    expect((await listed(moderator, { kind: 'message' })).items).toContainEqual(
      expect.objectContaining({ ...subject, isClosed: true, text: '' }),
    )

    const opened = await openConversation(as(moderator), {
      messageId: subject.subjectId,
      reason: 'Reported as a threat',
    })
    expect(opened.item).toMatchObject({ text: 'the words' })
    expect(opened.item).not.toHaveProperty('isClosed')
    expect(opened.around).toMatchObject({ before: [{ text: 'before' }], after: [{ text: 'after' }] })
    const logged = await prisma.audit.findMany({ where: { subjectId: subject.subjectId, action: 'message.opened' } })
    expect(logged).toMatchObject([{ channelId, actorId: moderator.userId }])
    const again = async (over = {}) =>
      (await readItem(as(moderator, over), { ...subject, isReported: true })).item.isClosed ?? false
    expect(await again()).toBe(false)
    expect(await again({ now: () => new Date(Date.now() + 30 * 60_000 + 1_000) })).toBe(true)
    expect((await readItem(as(await mayOpen()), { ...subject, isReported: true })).item.isClosed).toBe(true)
    await decideReport(moderator, subject, 1, 'deleted')
    expect(await rowOf(subject)).toMatchObject({ isDeleted: true })
  })
})

test('shows the surroundings of a reported message to moderators of its channel', async () => {
  const { subject, moderator } = await reported('message')
  const { channelId, createdAt } = await prisma.message.findUniqueOrThrow({ where: { messageId: subject.subjectId } })
  for (const minutes of [-5, -4, -3, -2, 1])
    await make.message({
      channelId,
      data: { text: `at ${minutes}` },
      createdAt: new Date(createdAt.getTime() + minutes * 60_000),
    })
  const { around } = await readItem(as(moderator), { ...subject, isReported: true })
  expect(around?.before.map(({ text }) => text)).toEqual(['at -4', 'at -3', 'at -2'])
  expect(around?.after.map(({ text }) => text)).toEqual(['at 1'])
})

describe('the list', () => {
  test('pages through all of it in both directions, ties by id, with exact counts by type and community', async () => {
    const { communityId } = await make.community()
    const moderator = await make.reviewerOf(communityId)
    const other = (await make.community()).communityId
    await make.member({ communityId: other, userId: moderator.userId, roles: ['community-moderator'] })
    const at = (index: number) => new Date(Date.UTC(2026, 10, 20, 12, Math.floor(index / 3)))
    for (let index = 0; index < 20; index += 1) {
      const space = { communityId: index % 4 ? communityId : other }
      const subject: Subject =
        index % 2
          ? {
              subjectType: 'comment',
              subjectId: (await make.heldComment({ ...space, approvalStatus: null })).commentId,
            }
          : { subjectType: 'post', subjectId: (await make.post(space)).postId }
      await flagAs(asUser((await make.user()).userId), subject, { now: () => at(index) })
    }
    const walk = async (filter: Partial<DeskQueueInput>) => {
      const ids: string[] = []
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const page = await listed(moderator, { ...filter, limit: 3, ...(cursor && { cursor }) })
        ids.push(...page.items.map(({ subjectId }) => subjectId))
        cursor = page.next
      }
      return ids
    }
    const expected = async (where: object) =>
      (
        await prisma.reviewItem.findMany({
          where: { kind: 'reported', communityId: { in: [communityId, other] }, ...where },
          orderBy: [{ placedAt: 'desc' }, { subjectType: 'asc' }, { subjectId: 'asc' }],
        })
      ).map(({ subjectId }) => subjectId)

    for (const filter of [
      {},
      { kind: 'post' as const },
      { communityId },
      { communityId: other, kind: 'post' as const },
    ]) {
      const { kind, ...space } = { kind: undefined, ...filter }
      const ids = await expected({ ...space, ...(kind && { subjectType: kind }) })
      expect(await walk(filter)).toEqual(ids)
      expect(await walk({ ...filter, order: 'oldest' })).toEqual(ids.toReversed())
      expect(await counted(moderator, filter)).toBe(ids.length)
    }
    await expect(listed(moderator, { cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
    await expect(listed(moderator, { communityId: 'none such' })).rejects.toThrow(NOT_FOUND)
    await expect(listed(moderator, { communityId: (await make.community()).communityId })).rejects.toThrow(FORBIDDEN)
  })

  test('imported flags open one report, and imported deleted items open none', async () => {
    const moderator = await networkModerator()
    const before = await counted(moderator)
    const { communityId } = await make.community()
    const { channelId } = await make.channel()
    const { userId } = await make.user()
    const id = crypto.randomUUID()
    const records = [
      {
        type: 'comment' as const,
        commentId: `c-${id}`,
        userId,
        targetType: 'community' as const,
        targetId: communityId,
        flagCount: 3,
        data: { text: 'x' },
      },
      {
        type: 'post' as const,
        postId: `p-${id}`,
        postedUserId: userId,
        targetType: 'community' as const,
        targetId: communityId,
        flagCount: 1,
      },
      {
        type: 'post' as const,
        postId: `d-${id}`,
        postedUserId: userId,
        targetType: 'community' as const,
        targetId: communityId,
        flagCount: 1,
        isDeleted: true,
      },
      { type: 'message' as const, messageId: `m-${id}`, channelId, userId, flagCount: 1 },
      { type: 'user' as const, userId: `u-${id}`, flagCount: 2 },
    ]
    await importRecords(systemCtx(database), records)
    await importRecords(systemCtx(database), records)
    expect(await counted(moderator)).toBe(before + 4)
    const subject = { subjectType: 'comment' as const, subjectId: `c-${id}` }
    const decided = await decideReport(moderator, subject, 1, 'dismissed')
    expect(await rowOf(subject)).toMatchObject({ flagCount: 0 })
    await undoDecision(as(moderator), decided)
    expect(await rowOf(subject)).toMatchObject({ flagCount: 3 })
  })
})

test('the report of a person who is erased is closed, and counted no longer', async () => {
  const { subject, moderator, reporter } = await something('user')
  await flag(as(await reporter()), flaggable('user'), { id: subject.subjectId, flag: { reason: 'Spam or scams' } })
  const reported = async () => (await countQueue(as(moderator))).reported
  const before = await reported()
  const eraser = await networkModerator(['EDIT_USER', 'MANAGE_POST_AND_COMMENT'])
  await erasePerson(as(eraser), { userId: subject.subjectId, confirmation: subject.subjectId })
  expect(await stateOf(subject)).toBe('deleted')
  expect(await reported()).toBe(before - 1)
})

test('the report of a person who is banned everywhere is closed, however they are banned, and is open again once the ban is lifted', async () => {
  const { subject, moderator, reporter } = await something('user')
  await flag(as(await reporter()), flaggable('user'), { id: subject.subjectId, flag: { reason: 'Spam or scams' } })
  const reported = async () => (await countQueue(as(moderator))).reported
  const isListed = async () =>
    (await listDeskQueue(as(moderator), DeskQueueInput.parse({ view: 'reported', limit: 100 }))).items.some(
      ({ subjectId }) => subjectId === subject.subjectId,
    )
  const before = await reported()
  expect(await isListed()).toBe(true)
  const banner = as(await networkModerator(['BAN_USER', 'MANAGE_POST_AND_COMMENT']), { source: 'rest' })
  await banEverywhere(banner, { userId: subject.subjectId })
  expect([await reported(), await isListed()]).toEqual([before - 1, false])

  await unbanEverywhere(banner, { userId: subject.subjectId })
  expect([await reported(), await isListed()]).toEqual([before, true])
})

test('the report of a person whose ban from the network has ended stays closed, and opens for a flag that came after the ban began', async () => {
  const flagged = async ({ subject, reporter }: Thing, at: Date) =>
    flag(as(await reporter(), { now: () => at }), flaggable('user'), {
      id: subject.subjectId,
      flag: { reason: 'Spam or scams' },
    })
  const minute = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const [closed, flaggedSince] = [await something('user'), await something('user')]
  const banner = await networkModerator(['BAN_USER', 'MANAGE_POST_AND_COMMENT'])
  const reported = async () => (await countQueue(as(closed.moderator))).reported
  const before = await reported()
  for (const thing of [closed, flaggedSince]) {
    await flagged(thing, minute(0))
    await flagged(thing, minute(0))
    await banEverywhere(as(banner, { now: () => minute(1) }), {
      userId: thing.subject.subjectId,
      terms: { endsAt: minute(10) },
    })
  }
  await flagged(flaggedSince, minute(2))

  await liftEndedBans({ ...systemCtx(database), now: () => minute(11) })
  for (const { subject } of [closed, flaggedSince])
    expect(await prisma.user.findUnique({ where: { userId: subject.subjectId } })).toMatchObject({
      isGlobalBan: false,
    })
  expect(await stateOf(closed.subject)).toBe('withdrawn')
  expect(await reportOf(flaggedSince.subject)).toMatchObject({ closedAt: null, flagCount: 1 })
  expect(await reported()).toBe(before + 1)

  await flagged(closed, minute(12))
  expect(await reportOf(closed.subject)).toMatchObject({ closedAt: null, flagCount: 1 })
  expect(await reported()).toBe(before + 2)
})
