import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { NewFlag } from '#server/modules/content/flags/schema.ts'
import { removeMessage, restoreRemovedMessage } from '#server/modules/desk/messages/remove-message.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { changePolicy, createPolicy } from '#server/modules/network/policies/change-policies.ts'
import { PolicyChange, PolicyFields } from '#server/modules/network/policies/schema.ts'
import { addReason } from '#server/modules/network/reasons/change-reasons.ts'
import { issueStatements } from '#server/modules/network/statements/issue-statements.ts'
import { listStatements, readLinkedStatement } from '#server/modules/network/statements/read-statements.ts'
import { StatementsQuery } from '#server/modules/network/statements/schema.ts'
import { statementUrl } from '#server/modules/network/statements/statement-link.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import { decide, restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { giveReason } from '#server/modules/review/decisions/give-reason.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { ban, unban } from '#server/modules/spaces/sanctions/ban.ts'
import { banEverywhere } from '#server/modules/spaces/sanctions/ban-everywhere.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { undoWarning, warn } from '#server/modules/spaces/warnings/warn.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, asUser, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, prisma, make } = await testDatabase()
const { scene } = rulesOn(database)
const api = await testApi(database)
const admin = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS', 'BAN_USER', 'MANAGE_POST_AND_COMMENT', 'VIEW_USERS']))
const later = (ctx: Ctx, minutes: number): Ctx => ({ ...ctx, now: () => new Date(Date.now() + minutes * 60_000) })
const FERRY = { kind: 'words', words: ['ferry'] }

async function policyOf(over: object = {}) {
  const title = `Policy ${randomUUID()}`
  const fields = {
    texts: { en: { title, text: 'Be kind.' } },
    ground: 'terms',
    weight: 1,
    category: 'OTHER_VIOLATION_TC',
  }
  const { policies } = await createPolicy(admin, PolicyFields.parse({ ...fields, ...over }))
  const policyId = policies.find(({ texts }) => texts.en?.title === title)?.policyId ?? ''
  return { policyId, title, policyVersion: 1 }
}

async function reasonOf(policyId: string, textToAuthor: string) {
  const label = `Reason ${randomUUID()}`
  await addReason(admin, { label, textToAuthor, policyId })
  return (await prisma.rejectionReason.findFirstOrThrow({ where: { label } })).reasonId
}

const statementsOf = (userId: string) =>
  prisma.statement.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { measure: 'asc' }] })
const commentOf = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })

/** Publishes what is due by then, and issues its statements, until nothing is left. */
async function issueBy(minutes: number): Promise<void> {
  const ctx = later(systemCtx(database), minutes)
  while ((await sequenceEvents(ctx)).length > 0) {}
  while (await issueStatements(ctx)) {}
}

async function rejected(over: { reasonId?: string } = {}) {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const { commentId, userId } = await make.heldComment({ communityId, data: { text: 'You all are fools' } })
  const { decisionId } = await decide(moderator, { ...commentOf(commentId), outcome: 'rejected', ...over })
  return { communityId, moderator, commentId, userId, decisionId }
}

test('each restriction writes one statement, with the policy that was broken, how it was found, and whether a rule did it', async () => {
  const [chosen, ofRule, ofReport, ofBan] = [
    await policyOf(),
    await policyOf(),
    await policyOf({ reportReasons: ['Insult'] }),
    await policyOf(),
  ]
  const said = ({ policyId, policyVersion }: typeof chosen) => ({ policyId, policyVersion })
  const { communityId, moderator, author, comment, running } = await scene()
  const { userId } = author
  const hold = await running(FERRY, 'live', { action: { type: 'hold', policyId: ofRule.policyId } })
  await running({ kind: 'words', words: ['casino'] }, 'live', {
    action: { type: 'reject', muteMinutes: 60, policyId: ofRule.policyId },
  })
  const held = await comment('The ferry sank')
  const holdWithReason = await comment('The ferry sails')
  await decide(moderator, { ...commentOf(held.commentId), outcome: 'rejected' })
  const reasonId = await reasonOf(chosen.policyId, 'No ships.')
  await decide(moderator, { ...commentOf(holdWithReason.commentId), outcome: 'rejected', reasonId })
  const reported = await comment('You fool')
  const reporter = ctxOf(database, asUser((await make.user()).userId), { source: 'rest' })
  await make.member({ communityId, userId: (reporter.actor as { userId: string }).userId })
  await flag(reporter, flaggableComment, { id: reported.commentId, flag: NewFlag.parse({ reason: 'insult' }) })
  await decide(moderator, { ...commentOf(reported.commentId), outcome: 'deleted' })
  await comment('A casino')
  const space = { spaceId: communityId, userIds: [userId] }
  await muteUsers(admin, communitySpace, { ...space, mutePeriod: 7_200_000, policyId: ofBan.policyId })
  await ban(admin, communitySpace, { ...space, terms: { policyId: ofBan.policyId } })
  await banEverywhere(admin, { userId })

  const automated = { isAutomated: true, foundBy: ['rule'] }
  expect(await statementsOf(userId)).toMatchObject([
    {
      measure: 'rejected',
      subjectId: held.commentId,
      ...said(ofRule),
      foundBy: ['rule'],
      isAutomated: false,
      explanation: null,
    },
    {
      measure: 'rejected',
      subjectId: holdWithReason.commentId,
      ...said(chosen),
      foundBy: ['rule'],
      explanation: 'No ships.',
    },
    { measure: 'deleted', subjectId: reported.commentId, ...said(ofReport), foundBy: ['report'], isAutomated: false },
    { measure: 'muted', ...said(ofRule), ...automated, communityId },
    { measure: 'rejected', ...said(ofRule), ...automated, decisionId: null, communityId },
    { measure: 'muted', ...said(ofBan), foundBy: [], isAutomated: false },
    { measure: 'banned', ...said(ofBan), communityId, foundBy: [] },
    { measure: 'banned', policyId: null, communityId: null },
  ])
  expect(hold.ruleId).toBeDefined()
})

test('a statement is issued once its decision can’t be undone any more, once by two workers; an undone one never is', async () => {
  const endpoint = { url: 'https://example.com', events: ['statement.didCreate'], secret: new Uint8Array() }
  await prisma.webhookEndpoint.create({ data: { ...endpoint, createdAt: new Date() } as never })
  const [kept, undone] = [await rejected(), await rejected()]
  await undoDecision(undone.moderator, { decisionId: undone.decisionId })
  await issueBy(0)
  expect(await statementsOf(kept.userId)).toMatchObject([{ issuedAt: null, voidedAt: null }])
  const ctx = later(systemCtx(database), 1)
  while ((await sequenceEvents(ctx)).length > 0) {}
  await Promise.all([issueStatements(ctx), issueStatements(ctx)])

  const [statement] = await statementsOf(kept.userId)
  expect(statement).toMatchObject({ issuedAt: expect.any(Date) })
  const { statementId = '', userId } = statement ?? {}
  const told = await prisma.event.findMany({ where: { subjectType: 'statement', subjectId: statementId } })
  expect(told).toMatchObject([
    {
      name: 'statement.didCreate',
      payload: { statementId, userId, measure: 'rejected', communityId: kept.communityId },
    },
  ])
  expect(JSON.stringify(told[0]?.payload)).not.toContain('fools')
  expect(await statementsOf(undone.userId)).toMatchObject([{ issuedAt: null, voidedAt: expect.any(Date) }])
})

test('what somebody else deletes has a statement, what its author or a program without a person deletes has none', async () => {
  const { moderator, author, comment } = await scene()
  const texts = ['By a moderator', 'By its author', 'By a program']
  const ids: string[] = []
  for (const text of texts) ids.push((await comment(text)).commentId)
  const callers = [
    moderator,
    ctxOf(database, asUser(author.userId)),
    ctxOf(database, asAdmin([...NETWORK_PERMISSIONS])),
  ]
  for (const [index, ctx] of callers.entries())
    await deleteComment(ctx, { commentId: ids[index] ?? '', permanent: index === 0 })

  expect(await statementsOf(author.userId)).toMatchObject([
    { measure: 'deleted', subjectId: ids[0], foundBy: [], isAutomated: false },
  ])
  const { channelId } = await make.channel()
  const { messageId, userId: authorId } = await make.message({ channelId })
  const { userId } = await make.moderatorOf(channelId)
  const deskModerator = ctxOf(database, asUser(userId))
  await removeMessage(deskModerator, { messageId })
  await restoreRemovedMessage(deskModerator, { messageId })
  await removeMessage(deskModerator, { messageId })
  expect(await statementsOf(authorId)).toMatchObject([
    { measure: 'deleted', voidedAt: expect.any(Date) },
    { measure: 'deleted', voidedAt: null },
  ])
})

test('a reason given afterwards counts, and a later version of its policy changes nothing', async () => {
  const policy = await policyOf()
  const reasonId = await reasonOf(policy.policyId, 'No insults.')
  const { moderator, userId, decisionId } = await rejected()
  await giveReason(moderator, { decisionId, reasonId })
  const fields = {
    texts: { en: { title: 'Changed', text: 'Changed.' } },
    ground: 'terms',
    weight: 1,
    category: 'OTHER_VIOLATION_TC',
  }
  await changePolicy(admin, PolicyChange.parse({ ...fields, policyId: policy.policyId, version: 1 }))
  await issueBy(1)

  const [statement] = await statementsOf(userId)
  const { body } = await api.call('GET', `/api/v1/statements/${statement?.statementId}`, {
    token: await api.tokenOf(userId),
  })
  expect(body).toMatchObject({
    measure: 'rejected',
    explanation: 'No insults.',
    policy: { policyId: policy.policyId, version: 1, texts: { en: { title: policy.title } } },
    content: { type: 'comment', text: 'You all are fools' },
    state: 'inForce',
    isAutomated: false,
  })
})

test('a person reads their own statements, their moderators and those who view people read them, and nobody else', async () => {
  const [one, other] = [await rejected(), await rejected()]
  await issueBy(1)
  const [statement] = await statementsOf(one.userId)
  const path = `/api/v1/statements/${statement?.statementId}`
  const list = `/api/v1/statements?userId=${one.userId}`
  const reads = async (userId: string) => {
    const token = await api.tokenOf(userId)
    const found = await api.call('GET', path, { token })
    const { body } = await api.call('GET', list, { token })
    return [found.status, body.statements.length]
  }
  const moderatorId = async ({ communityId }: typeof one) => {
    const { userId } = await make.user()
    await make.member({ communityId, userId, roles: ['community-moderator'] })
    return userId
  }
  expect(await reads(one.userId)).toEqual([200, 1])
  expect(await reads(await moderatorId(one))).toEqual([200, 1])
  expect(await reads(await moderatorId(other))).toEqual([404, 0])
  expect(await reads(other.userId)).toEqual([404, 0])
})

test('the text of a comment is for its author and those who review it, that of a message for its author alone, and so are links that show it', async () => {
  const { userId, moderator, communityId } = await rejected()
  const { channelId } = await make.channel()
  const message = await make.message({ channelId, userId, data: { text: 'Between us' } })
  const channelModerator = ctxOf(database, asUser((await make.moderatorOf(channelId)).userId))
  await removeMessage(channelModerator, { messageId: message.messageId })
  await issueBy(1)

  const shown = async (ctx: Ctx) => {
    const { statements } = await listStatements(ctx, testNotifications, StatementsQuery.parse({ userId }))
    const sorted = statements.toSorted((one, other) => (one.measure < other.measure ? -1 : 1))
    return sorted.map(({ content, url }) => [content?.text, url !== undefined])
  }
  const comment = ['You all are fools', true]
  expect(await shown(ctxOf(database, asUser(userId)))).toEqual([['Between us', true], comment])
  expect(await shown(admin)).toEqual([[undefined, true], comment])
  expect(await shown(ctxOf(database, asAdmin(['VIEW_USERS'])))).toEqual([
    [undefined, true],
    [undefined, false],
  ])
  expect(await shown(moderator)).toEqual([comment])
  const [deleted] = await prisma.statement.findMany({ where: { subjectId: message.messageId } })
  expect(deleted).toMatchObject({ channelId, communityId: null })
  const token = statementUrl(testNotifications, deleted?.statementId ?? '').split('token=')[1] ?? ''
  const linked = await readLinkedStatement(systemCtx(database), testNotifications.linkKey, { token })
  expect(linked).toMatchObject({ content: { type: 'message' }, space: { scope: 'channel', channelId } })
  expect(JSON.stringify(linked)).not.toContain('Between us')

  const about = { type: 'message' as const, id: message.messageId }
  const warning = { userId, space: { scope: 'community', communityId } as const, words: 'Stop', about }
  await expect(warn(moderator, warning)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
})

test('a warning is a statement that its maker can undo before it is issued, and only about what the person wrote there', async () => {
  const { communityId, moderator, author, comment } = await scene()
  const { userId } = author
  const space = { scope: 'community', communityId } as const
  const [own, elsewhere] = [await comment('You fool'), await make.heldComment()]
  const about = (id: string) => ({ userId, space, words: 'Please be kind.', about: { type: 'comment' as const, id } })
  const other = ctxOf(database, await make.reviewerOf(communityId))

  await expect(warn(moderator, about(elsewhere.commentId))).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  const { statementId } = await warn(moderator, about(own.commentId))
  await expect(undoWarning(other, { statementId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const undone = await Promise.allSettled([
    undoWarning(moderator, { statementId }),
    undoWarning(moderator, { statementId }),
  ])
  expect(undone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const kept = await warn(moderator, about(own.commentId))
  await issueBy(1)
  await expect(undoWarning(moderator, kept)).rejects.toMatchObject({ code: 'CHANGED' })
  const { body } = await api.call('GET', `/api/v1/statements?userId=${userId}`, { token: await api.tokenOf(userId) })
  expect(body.statements).toMatchObject([
    { ...kept, measure: 'warned', words: 'Please be kind.', content: { text: 'You fool' }, space, state: 'inForce' },
  ])
})

test('strikes are the weights of the policies of what was stated within 90 days and is not reversed', async () => {
  const { communityId, moderator, author, comment, running } = await scene()
  const { userId } = author
  const space = { scope: 'community', communityId } as const
  const [heavy, light, none] = [await policyOf({ weight: 3 }), await policyOf(), await policyOf({ weight: 0 })]
  await running(FERRY, 'live', { action: { type: 'reject', policyId: heavy.policyId } })
  const { commentId } = await comment('The ferry')
  for (const { policyId } of [light, none]) await warn(moderator, { userId, space, policyId })
  await undoWarning(moderator, await warn(moderator, { userId, space, policyId: heavy.policyId }))
  const strikes = async (ctx: Ctx = admin) => (await readPerson(ctx, { userId })).strikes
  await issueBy(1)
  expect(await strikes()).toBe(4)
  await restoreRejected(moderator, commentOf(commentId) as never)
  expect(await strikes()).toBe(1)
  expect(await strikes(later(admin, 91 * 24 * 60))).toBe(0)
})

test('the link to a statement needs no account; a changed one, one signed elsewhere, one of what isn’t issued and an old one lead nowhere', async () => {
  const { userId } = await rejected()
  const nobody = systemCtx(database)
  const tokenOf = (id: string) => statementUrl(testNotifications, id).split('token=')[1] ?? ''
  const read = (token: string, ctx: Ctx = nobody, key = testNotifications.linkKey) =>
    readLinkedStatement(ctx, key, { token }).catch(failureOf)
  const [{ statementId } = { statementId: '' }] = await statementsOf(userId)
  const token = tokenOf(statementId)
  expect(await read(token)).toBe('NOT_FOUND')
  await issueBy(1)
  const linked = await read(token)
  expect(linked).toMatchObject({ measure: 'rejected', content: { text: 'You all are fools' } })
  expect(JSON.stringify(linked)).not.toContain(userId)
  expect(await read(`${token}x`)).toBe('NOT_FOUND')
  expect(await read(statementId)).toBe('NOT_FOUND')
  expect(await read('')).toBe('NOT_FOUND')
  expect(await read(token, nobody, Buffer.alloc(32))).toBe('NOT_FOUND')
  expect(await read(token, later(nobody, 181 * 24 * 60))).toBe('NOT_FOUND')
})

test('what is restored is stated as reversed, until that is undone; a ban that is lifted is stated as ended', async () => {
  const { communityId, moderator, author, comment, running } = await scene()
  await running(FERRY, 'live', { action: { type: 'reject' } })
  const { commentId } = await comment('The ferry')
  await ban(admin, communitySpace, { spaceId: communityId, userIds: [author.userId] })
  await issueBy(0)
  const states = async () => {
    const { body } = await api.call('GET', `/api/v1/statements?userId=${author.userId}`, {
      token: await api.tokenOf(author.userId),
    })
    return body.statements.map(({ measure, state }: { measure: string; state: string }) => `${measure} ${state}`).sort()
  }
  expect(await states()).toEqual(['banned inForce', 'rejected inForce'])
  const { decisionId } = await restoreRejected(moderator, commentOf(commentId) as never)
  await unban(admin, communitySpace, { spaceId: communityId, userIds: [author.userId] })
  expect(await states()).toEqual(['banned ended', 'rejected reversed'])
  await undoDecision(moderator, { decisionId })
  expect(await states()).toEqual(['banned ended', 'rejected inForce'])
})
