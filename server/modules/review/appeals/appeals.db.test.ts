import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { NewFlag } from '#server/modules/content/flags/schema.ts'
import { removeMessage } from '#server/modules/desk/messages/remove-message.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { issueStatements } from '#server/modules/network/statements/issue-statements.ts'
import { listStatements, readLinkedStatement } from '#server/modules/network/statements/read-statements.ts'
import { StatementsQuery } from '#server/modules/network/statements/schema.ts'
import { statementUrl } from '#server/modules/network/statements/statement-link.ts'
import { appeal, appealByLink } from '#server/modules/review/appeals/appeal.ts'
import { decideAppeal } from '#server/modules/review/appeals/decide-appeal.ts'
import { countAppeals, listAppeals } from '#server/modules/review/appeals/read-appeals.ts'
import { AppealsQuery } from '#server/modules/review/appeals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { warn } from '#server/modules/spaces/warnings/warn.ts'
import { asAdmin, asUser, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { rulesOn } from '#server/testing/rules-on.ts'
import { createStaffAccount } from '#server/testing/staff-account.ts'

const { database, prisma, make } = await testDatabase()
const { scene } = rulesOn(database)
const system = systemCtx(database)
const later = (ctx: Ctx, minutes: number): Ctx => ({ ...ctx, now: () => new Date(Date.now() + minutes * 60_000) })
const DAY = 24 * 60
const admin = ctxOf(database, asAdmin(['BAN_USER', 'MANAGE_POST_AND_COMMENT', 'VIEW_USERS']))
const ANSWER = 'We looked at it once more.'

async function issue(): Promise<void> {
  const ctx = later(system, 1)
  while ((await sequenceEvents(ctx)).length > 0) {}
  while (await issueStatements(ctx)) {}
}

/** A community with two moderators, and a comment in public there. */
async function place() {
  const { communityId, author, comment, running } = await scene()
  const colleague = async (name: string) => {
    const { userId } = await createStaffAccount(database, { name, roleId: 'community-moderator', communityId })
    return ctxOf(database, asUser(userId))
  }
  const [first, second] = [await colleague('Ana First'), await colleague('Ben Second')]
  const { commentId } = await comment('You all are fools')
  const subject = { subjectType: 'comment', subjectId: commentId } as const
  return {
    communityId,
    author: ctxOf(database, asUser(author.userId)),
    userId: author.userId,
    running,
    comment,
    subject,
    first,
    second,
  }
}

type Place = Awaited<ReturnType<typeof place>>

/** The comment is reported, and the first moderator deletes it. */
async function deleted(there: Place): Promise<void> {
  const { userId } = await make.user()
  await make.member({ communityId: there.communityId, userId })
  const reporter = ctxOf(database, asUser(userId), { source: 'rest' })
  await flag(reporter, flaggableComment, { id: there.subject.subjectId, flag: NewFlag.parse({ reason: 'insult' }) })
  await decide(there.first, { ...there.subject, outcome: 'deleted' })
}

const statementOf = (userId: string) =>
  prisma.statement.findFirstOrThrow({ where: { userId }, orderBy: { createdAt: 'desc' } })
const tokenOf = (statementId: string) => statementUrl(testNotifications, statementId).split('token=')[1] ?? ''

/** Issues the statement of what was done to the author, who appeals. */
async function appealed({ userId, author }: Pick<Place, 'userId' | 'author'>) {
  await issue()
  const { statementId } = await statementOf(userId)
  return { statementId, ...(await appeal(author, { statementId, words: 'I only quoted somebody' })) }
}

const reversed = (ctx: Ctx, appealId: string) => decideAppeal(ctx, { appealId, outcome: 'reversed', answer: ANSWER })
const kept = (ctx: Ctx, appealId: string) => decideAppeal(ctx, { appealId, outcome: 'kept', answer: ANSWER })
const listed = (ctx: Ctx, over: object = {}) =>
  listAppeals(ctx, testNotifications, AppealsQuery.parse({ limit: 100, ...over }))
const idsOf = async (ctx: Ctx, over: object = {}) => (await listed(ctx, over)).appeals.map(({ appealId }) => appealId)
const stateOf = async (author: Ctx, userId: string) => {
  const { statements } = await listStatements(author, testNotifications, StatementsQuery.parse({ userId }))
  return statements[0]
}

test('the recipient of a statement appeals once, until 180 days after its issue, and nobody else does', async () => {
  const there = await place()
  await deleted(there)
  const { statementId } = await statementOf(there.userId)
  const words = 'I only quoted somebody'
  const by = (ctx: Ctx, over: object = {}) => appeal(ctx, { statementId, words, ...over }).catch(failureOf)
  expect(await by(there.author)).toBe('NOT_FOUND')
  await issue()
  expect(await by(there.second)).toBe('NOT_FOUND')
  expect(await by(there.author, { statementId: 'none' })).toBe('NOT_FOUND')
  expect(await by(later(there.author, 181 * DAY))).toBe('INVALID_PARAMETERS')
  expect(await stateOf(there.author, there.userId)).toMatchObject({ appealUntil: expect.any(String) })

  const both = await Promise.all([by(there.author), by(there.author)])
  expect(both).toContain('CHANGED')
  expect(both).toContainEqual({ appealId: expect.any(String) })
  const { appealUntil, appeal: made } = (await stateOf(there.author, there.userId)) ?? {}
  expect([appealUntil, made]).toEqual([undefined, expect.objectContaining({ words, state: 'waiting' })])
})

test('a link is enough to appeal: a changed one, one too old, and one whose statement is reversed are not', async () => {
  const there = await place()
  await banPerson(there.first, {
    userId: there.userId,
    space: { scope: 'community', communityId: there.communityId },
    minutes: null,
  })
  await issue()
  const { statementId } = await statementOf(there.userId)
  const token = tokenOf(statementId)
  const key = testNotifications.linkKey
  const nobody = { ...system, actor: { kind: 'nobody' } as const }
  const by = (given: string, ctx: Ctx = nobody) =>
    appealByLink(ctx, key, { token: given, words: 'Why?' }).catch(failureOf)
  expect(await by(`${token}x`)).toBe('NOT_FOUND')
  expect(await by(token, later(nobody, 181 * DAY))).toBe('NOT_FOUND')
  expect(await by(token)).toBeUndefined()
  expect(await by(token)).toBe('CHANGED')
  expect(await readLinkedStatement(nobody, key, { token })).toMatchObject({
    appeal: { words: 'Why?', state: 'waiting' },
  })

  const other = await place()
  await deleted(other)
  const { appealId } = await appealed(other)
  await reversed(other.second, appealId)
  expect(await by(tokenOf((await statementOf(other.userId)).statementId))).toBe('CHANGED')
})

test('another person decides: who decided first is named only afterwards, and moderators elsewhere see nothing of it', async () => {
  const there = await place()
  await deleted(there)
  const { appealId, statementId } = await appealed(there)
  const elsewhere = await place()
  expect([await idsOf(elsewhere.first), await countAppeals(elsewhere.first)]).toEqual([[], { count: 0 }])
  expect([await idsOf(there.author), await idsOf(ctxOf(database, asUser((await make.user()).userId)))]).toEqual([
    [],
    [],
  ])

  const [waiting] = (await listed(there.second)).appeals
  expect(waiting).toMatchObject({
    appealId,
    words: 'I only quoted somebody',
    author: { userId: there.userId },
    statement: { statementId, measure: 'deleted', content: { text: 'You all are fools' }, foundBy: ['report'] },
    mayDecide: 'yes',
  })
  expect(JSON.stringify(waiting)).not.toContain('Ana')
  expect(await countAppeals(there.second)).toEqual({ count: 1 })
  expect((await listed(there.first)).appeals).toMatchObject([{ appealId, mayDecide: 'no' }])
  expect(await countAppeals(there.first)).toEqual({ count: 0 })
  for (const outcome of [kept, reversed]) {
    expect(await outcome(there.first, appealId).catch(failureOf)).toBe('FORBIDDEN')
    expect(await outcome(elsewhere.first, appealId).catch(failureOf)).toBe('NOT_FOUND')
    expect(await outcome(there.author, appealId).catch(failureOf)).toBe('NOT_FOUND')
  }

  expect(await kept(there.second, appealId)).toEqual({ appealId, state: 'kept', isRestored: false })
  expect([await idsOf(there.second), await countAppeals(there.second)]).toEqual([[], { count: 0 }])
  expect((await listed(there.first, { state: 'decided' })).appeals).toMatchObject([
    { appealId, state: 'kept', answer: ANSWER, firstDecidedBy: 'Ana First', decidedBy: 'Ben Second' },
  ])
  expect(await stateOf(there.author, there.userId)).toMatchObject({
    state: 'inForce',
    appeal: { state: 'kept', answer: ANSWER },
  })
  const forAuthor = JSON.stringify(await stateOf(there.author, there.userId))
  for (const name of ['Ana', 'Ben']) expect(forAuthor).not.toContain(name)
})

test('where nobody else could decide, who decided first does, and the log says so; the database allows it in no other way', async () => {
  const { communityId, author, comment } = await scene()
  const { userId } = await createStaffAccount(database, {
    name: 'Only One',
    roleId: 'community-moderator',
    communityId,
  })
  const only = ctxOf(database, asUser(userId))
  const { commentId } = await comment('You all are fools')
  await deleteComment(only, { commentId, permanent: false })
  const { appealId } = await appealed({ userId: author.userId, author: ctxOf(database, asUser(author.userId)) })
  const alone = prisma.appeal.update({
    where: { appealId },
    data: { state: 'kept', decidedBy: userId, decidedAt: new Date() },
  })
  await expect(alone).rejects.toThrow('appeal_another_person')

  expect((await listed(only)).appeals).toMatchObject([{ appealId, mayDecide: 'alone' }])
  expect(await countAppeals(only)).toEqual({ count: 1 })
  const { userId: networkId } = await createStaffAccount(database, { name: 'Network', roleId: 'moderator' })
  expect((await listed(only)).appeals).toMatchObject([{ appealId, mayDecide: 'no' }])
  await prisma.staffAccount.updateMany({ where: { networkUserId: networkId }, data: { isDisabled: true } })
  expect(await reversed(only, appealId)).toMatchObject({ isRestored: true })
  const [logged] = await prisma.audit.findMany({ where: { action: 'user.appealReversed', subjectId: author.userId } })
  expect(logged?.after).toMatchObject({ appeal: 'reversed', appealId, isRestored: true, wasOwnDecision: true })
})

test('a reversal publishes what was deleted or rejected, tells the app, leaves no report open, and ends its strikes', async () => {
  await prisma.webhookEndpoint.create({
    data: {
      url: 'https://example.com',
      events: ['appeal.didCreate', 'appeal.didResolve'],
      secret: new Uint8Array(),
      createdAt: new Date(),
    } as never,
  })
  const [ofReport, ofPeople, ofRule] = [await place(), await place(), await place()]
  await deleted(ofReport)
  await ofPeople.running({ kind: 'words', words: ['ferry'] }, 'live', { action: { type: 'hold' } })
  const held = await ofPeople.comment('The ferry sank')
  await decide(ofPeople.first, { subjectType: 'comment', subjectId: held.commentId, outcome: 'rejected' })
  await ofRule.running({ kind: 'words', words: ['ferry'] }, 'live', { action: { type: 'reject' } })
  const rejected = await ofRule.comment('The ferry sank')

  const restored = [
    [ofReport, ofReport.subject.subjectId, ofReport.second],
    [ofPeople, held.commentId, ofPeople.second],
    [ofRule, rejected.commentId, ofRule.first],
  ] as const
  for (const [there, commentId, decider] of restored) {
    const { appealId, statementId } = await appealed(there)
    expect(await reversed(decider, appealId)).toEqual({ appealId, state: 'reversed', isRestored: true })
    expect(await prisma.comment.findUniqueOrThrow({ where: { commentId } })).toMatchObject({ isDeleted: false })
    expect(await prisma.reviewItem.count({ where: { subjectId: commentId, state: 'waiting' } })).toBe(0)
    expect(await stateOf(there.author, there.userId)).toMatchObject({
      state: 'reversed',
      appeal: { state: 'reversed' },
    })
    const events = await prisma.event.findMany({
      where: { subjectId: { in: [commentId, statementId] } },
      orderBy: { eventId: 'desc' },
    })
    expect(events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['v3.comment.didApprove', 'appeal.didCreate', 'appeal.didResolve']),
    )
    const resolved = events.find(({ name }) => name === 'appeal.didResolve')
    expect(resolved?.payload).toMatchObject({ appealId, statementId, userId: there.userId, state: 'reversed' })
    expect(JSON.stringify(resolved?.payload)).not.toContain('quoted')
  }
  const decisions = await prisma.decision.findMany({
    where: { subjectId: ofReport.subject.subjectId },
    orderBy: { decisionId: 'asc' },
  })
  expect(decisions.map(({ outcome, isReversal }) => [outcome, isReversal])).toEqual([
    ['deleted', false],
    ['approved', true],
  ])
})

test('a reversal restores a post and a message, lifts a ban, ends a mute, and ends a warning', async () => {
  const there = await place()
  const { communityId, userId, author, first, second } = there
  const space = { scope: 'community', communityId } as const
  const { postId } = await make.heldPost({ communityId, postedUserId: userId })
  await decide(first, { subjectType: 'post', subjectId: postId, outcome: 'rejected' })
  expect(await reversed(second, (await appealed(there)).appealId)).toMatchObject({ isRestored: true })
  expect(await prisma.post.findUniqueOrThrow({ where: { postId } })).toMatchObject({
    isDeleted: false,
    feedType: 'published',
  })

  await warn(first, { userId, space, words: 'Please stop' })
  expect(await reversed(second, (await appealed(there)).appealId)).toMatchObject({ isRestored: false })
  expect(await stateOf(author, userId)).toMatchObject({ measure: 'warned', state: 'reversed' })

  await muteUsers(first, communitySpace, { spaceId: communityId, userIds: [userId], mutePeriod: 3_600_000 })
  expect(await reversed(second, (await appealed(there)).appealId)).toMatchObject({ isRestored: true })
  expect(await prisma.mute.count({ where: { userId, liftedAt: null } })).toBe(0)

  await banPerson(first, { userId, space, minutes: null })
  expect(await reversed(second, (await appealed(there)).appealId)).toMatchObject({ isRestored: true })
  expect(await prisma.ban.count({ where: { userId, liftedAt: null } })).toBe(0)

  const { channelId } = await make.channel()
  const { messageId } = await make.message({ channelId, userId })
  const moderators = [await make.moderatorOf(channelId), await make.moderatorOf(channelId)]
  const [remover, other] = moderators.map((one) => ctxOf(database, asUser(one.userId)))
  if (!remover || !other) throw new Error('two moderators')
  await removeMessage(remover, { messageId })
  const ofMessage = await appealed(there)
  expect(await idsOf(second)).toEqual([])
  expect(await reversed(other, ofMessage.appealId)).toMatchObject({ isRestored: true })
  expect(await prisma.message.findUniqueOrThrow({ where: { messageId } })).toMatchObject({ isDeleted: false })
})

test('what its author has deleted or a ban that is over has nothing left to restore, and the appeal is decided all the same', async () => {
  const [ofComment, ofBan] = [await place(), await place()]
  await deleted(ofComment)
  const first = await appealed(ofComment)
  await deleteComment(ofComment.author, { commentId: ofComment.subject.subjectId, permanent: false })
  expect(await reversed(ofComment.second, first.appealId)).toMatchObject({ isRestored: false })
  expect(await prisma.comment.findUniqueOrThrow({ where: { commentId: ofComment.subject.subjectId } })).toMatchObject({
    isDeleted: true,
  })

  const space = { scope: 'community', communityId: ofBan.communityId } as const
  await banPerson(ofBan.first, { userId: ofBan.userId, space, minutes: null })
  const second = await appealed(ofBan)
  await unban(ofBan.first, communitySpace, { spaceId: ofBan.communityId, userIds: [ofBan.userId] })
  expect(await reversed(ofBan.second, second.appealId)).toMatchObject({ isRestored: false })
  expect(await stateOf(ofBan.author, ofBan.userId)).toMatchObject({ state: 'reversed' })
})

test('of two who decide at once one does, whether they agree or not; a decision that fails in the middle changes nothing', async () => {
  const there = await place()
  const { subject, second } = there
  await deleted(there)
  const { appealId } = await appealed(there)
  const stopped = inTransaction(second, async (ctx) => {
    await reversed(ctx, appealId)
    throw new DomainError('UNAVAILABLE')
  })
  expect(await stopped.catch(failureOf)).toBe('UNAVAILABLE')
  expect(await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })).toMatchObject({
    isDeleted: true,
  })
  expect(await stateOf(there.author, there.userId)).toMatchObject({ state: 'inForce', appeal: { state: 'waiting' } })

  const results = await Promise.all([
    reversed(second, appealId).catch(failureOf),
    kept(admin, appealId).catch(failureOf),
  ])
  const won = results.find((result) => result !== 'CHANGED')
  expect(results.filter((result) => result === 'CHANGED')).toHaveLength(1)
  const isPublic = !(await prisma.comment.findUniqueOrThrow({ where: { commentId: subject.subjectId } })).isDeleted
  expect({ state: (won as { state: string }).state, isPublic }).toEqual(
    isPublic ? { state: 'reversed', isPublic } : { state: 'kept', isPublic },
  )
  expect((await stateOf(there.author, there.userId))?.appeal?.state).toBe(isPublic ? 'reversed' : 'kept')
})

test('those who could not end the ban of a person above them count as nobody else', async () => {
  const there = await place()
  const { communityId, second, author, userId } = there
  const banned = { userId, space: { scope: 'community', communityId }, minutes: null } as const
  const { userId: chiefId } = await createStaffAccount(database, { name: 'Chief', roleId: 'moderator' })
  const chief = ctxOf(database, { ...asAdmin(['BAN_USER']), userId: chiefId, rank: 1_000 } as never)
  await banPerson(chief, banned)
  await prisma.user.update({ where: { userId }, data: { roles: ['support'] } })
  const { appealId } = await appealed({ userId, author })
  expect(await idsOf(second)).toEqual([])
  expect((await listed(chief)).appeals.find((one) => one.appealId === appealId)).toMatchObject({ mayDecide: 'alone' })
})

test('who may mute but reviews nothing decides on a mute without the text of the comment that led to it', async () => {
  const there = await place()
  const { communityId, userId, running, comment } = there
  await running({ kind: 'words', words: ['casino'] }, 'live', { action: { type: 'reject', muteMinutes: 60 } })
  await comment('A casino')
  await issue()
  const { statementId } = await prisma.statement.findFirstOrThrow({ where: { userId, measure: 'muted' } })
  await appeal(there.author, { statementId, words: 'Why?' })
  const role = { scope: 'community', rank: 5, permissions: ['MUTE_COMMUNITY_USER'], updatedBy: 'someone' } as const
  const { roleId } = await prisma.role.create({
    data: { ...role, roleId: `muter-${communityId}`, permissions: [...role.permissions] },
  })
  const muter = await make.user()
  await make.member({ communityId, userId: muter.userId, roles: [roleId] })
  const textFor = async (ctx: Ctx) =>
    (await listed(ctx)).appeals.map(({ words, statement }) => [words, statement.content?.text])
  expect(await textFor(there.second)).toEqual([['Why?', 'A casino']])
  expect(await textFor(ctxOf(database, asUser(muter.userId)))).toEqual([['Why?', undefined]])
})

test('a reversal while the author deletes, or while somebody lifts the ban, is whole', async () => {
  const [ofComment, ofBan] = [await place(), await place()]
  const { subjectId: commentId } = ofComment.subject
  await deleted(ofComment)
  const first = await appealed(ofComment)
  await Promise.all([
    reversed(ofComment.second, first.appealId),
    deleteComment(ofComment.author, { commentId, permanent: false }),
  ])
  expect(await prisma.comment.findUniqueOrThrow({ where: { commentId } })).toMatchObject({ isDeleted: true })
  expect(await stateOf(ofComment.author, ofComment.userId)).toMatchObject({ state: 'reversed' })

  const { communityId, userId } = ofBan
  await banPerson(ofBan.first, { userId, space: { scope: 'community', communityId }, minutes: null })
  const second = await appealed(ofBan)
  const lifting = unban(ofBan.first, communitySpace, { spaceId: communityId, userIds: [userId] }).catch(failureOf)
  await Promise.all([reversed(ofBan.second, second.appealId), lifting])
  expect(await prisma.ban.count({ where: { userId, liftedAt: null } })).toBe(0)
  expect(await prisma.audit.count({ where: { subjectId: userId, action: 'user.appealReversed' } })).toBe(1)
  expect(await stateOf(ofBan.author, userId)).toMatchObject({ state: 'reversed', appeal: { state: 'reversed' } })
})

test('an appeal that is sent while the decision is reversed is refused', async () => {
  const there = await place()
  await deleted(there)
  await issue()
  const { statementId } = await statementOf(there.userId)
  const sending = await inTransaction(system, async (ctx) => {
    await execute(ctx, sql`update statement set reversed_at = now() where statement_id = ${statementId}`)
    const sent = appeal(there.author, { statementId, words: 'Why?' }).catch(failureOf)
    await waitForLockWaiter(database)
    return { sent }
  })
  expect(await sending.sent).toBe('CHANGED')
  expect(await prisma.appeal.count({ where: { statementId } })).toBe(0)
})
