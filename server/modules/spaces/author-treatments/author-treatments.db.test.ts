import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { endDueTreatments, endTreatment } from '#server/modules/spaces/author-treatments/end-treatments.ts'
import { readTreatmentChoices, readTreatments } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import type {
  SetTreatmentInput,
  TreatmentKind,
  TreatmentSpace,
} from '#server/modules/spaces/author-treatments/schema.ts'
import { setTreatment } from '#server/modules/spaces/author-treatments/set-treatment.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { findNextEnd } from '#server/modules/spaces/sanctions/find-next-end.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenComment, writtenMessage, writtenPost } from '#server/testing/rules-on.ts'

const { database, prisma, make } = await testDatabase()
const { scene, matchesOf } = rulesOn(database)

const FERRY = { kind: 'words', words: ['ferry'] }
const TRAM = { kind: 'words', words: ['tram'] }
const NETWORK = { scope: 'network' } as const
const NETWORK_PERMISSIONS: Permission[] = ['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'BAN_COMMUNITY_USER']
const admin = ctxOf(database, asAdmin(NETWORK_PERMISSIONS))
const inCommunity = (communityId: string): TreatmentSpace => ({ scope: 'community', communityId })

type Wanted = Pick<SetTreatmentInput, 'userId' | 'space' | 'kind'> & Partial<SetTreatmentInput>
const set = (ctx: Ctx, wanted: Wanted) => setTreatment(ctx, { minutes: null, seen: null, ...wanted })

/** A community that holds everything, what a member writes there, and its state. */
async function writing() {
  const made = await scene()
  const { communityId, postId, author } = made
  await prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: true, needApprovalOnPostCreation: true },
  })
  const space = inCommunity(communityId)
  const write = async (text: string, { userId = author.userId, now = () => new Date() } = {}) => {
    const ctx = ctxOf(database, asUser(userId), { source: 'rest', now })
    const commentId = await writtenComment(ctx, { referenceType: 'post', referenceId: postId, data: { text } })
    const ofPost = { targetType: 'community', targetId: communityId, data: { text } }
    return { commentId, postId: await writtenPost(ctx, ofPost) }
  }
  return { ...made, userId: author.userId, space, write }
}

/** What became of a comment and a post with the same text. */
async function fateOf({ commentId, postId }: { commentId: string; postId: string }): Promise<string[]> {
  const comment = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
  const post = await prisma.post.findUniqueOrThrow({ where: { postId } })
  return [comment.approvalStatus ?? 'public', post.feedType]
}

const PUBLIC = ['public', 'published']
const HELD = ['pending', 'reviewing']
const REJECTED = ['rejected', 'declined']

const auditOf = (subjectId: string) => prisma.audit.findMany({ where: { subjectId }, orderBy: { auditId: 'asc' } })

test('what a trusted person writes is public at once; what rules reject, blocked words and bans win over trust', async () => {
  const { userId, communityId, space, moderator, write, running } = await writing()
  const holding = await running(FERRY, 'live', { action: { type: 'hold', muteMinutes: 60 } })
  await running(TRAM, 'live', { action: { type: 'reject' } })
  expect(await fateOf(await write('Good day'))).toEqual(HELD)
  const { treatmentId } = await set(moderator, { userId, space, kind: 'trust' })

  const written = await write('The ferry runs')
  expect(await fateOf(written)).toEqual(PUBLIC)
  expect(await prisma.communityUser.findFirst({ where: { communityId, userId } })).toMatchObject({ muteTimeout: null })
  for (const subjectId of [written.commentId, written.postId]) {
    expect(await matchesOf(subjectId)).toMatchObject([{ ruleId: holding.ruleId, isLive: false }])
    const [created] = await auditOf(subjectId)
    expect(created).toMatchObject({ after: { treatmentId } })
  }
  expect(await fateOf(await write('The tram runs'))).toEqual(REJECTED)

  const word = `word${crypto.randomUUID().slice(0, 8)}`
  await prisma.listRule.create({ data: { list: 'block', pattern: word, matcher: word, createdBy: 'someone' } })
  await expect(write(`A ${word}`)).rejects.toMatchObject({ code: 'BLOCKED_WORD' })
  await banPerson(admin, { userId, space, minutes: null })
  await expect(write('Good day')).rejects.toMatchObject({ code: 'BANNED' })
})

test('an edit and a late score hold nothing of a trusted person, and what was held before stays held', async () => {
  const { userId, space, moderator, write, running } = await writing()
  await running(FERRY)
  await running({ kind: 'signal', name: 'toxicity', atLeast: 0.8 })
  const before = await write('Good day')
  await set(moderator, { userId, space, kind: 'trust' })
  const written = await write('Good evening')
  await edit(userId, written, 'The ferry runs')
  const signals = [{ type: 'comment', id: written.commentId, name: 'toxicity', score: 0.9 }]
  await recordSignals(admin, NewSignals.parse({ signals }))
  while (await judgeSignals(systemCtx(database)));
  expect([await fateOf(before), await fateOf(written)]).toEqual([HELD, PUBLIC])
})

async function edit(userId: string, { commentId, postId }: { commentId: string; postId: string }, text: string) {
  const ctx = ctxOf(database, asUser(userId))
  await editComment(ctx, { commentId, data: { text } })
  await editPost(ctx, { postId, data: { text } })
}

test('all that a person on hold writes and edits is held, also by one who reviews there, and item, log and events name the treatment', async () => {
  const { communityId, postId } = await scene()
  const { userId } = await make.reviewerOf(communityId)
  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  const ctx = ctxOf(database, asUser(userId), { source: 'rest' })
  const input = { referenceType: 'post', referenceId: postId, data: { text: 'Good day' } }
  const commentId = await writtenComment(ctx, input)
  const ofPost = { targetType: 'community', targetId: communityId, data: { text: 'Good day' } }
  const written = { commentId, postId: await writtenPost(ctx, ofPost) }
  await prisma.webhookEndpoint.create({
    data: { url: 'https://example.com', events: ['v3.comment.didHold'], secret: new Uint8Array() },
  })
  const { treatmentId } = await set(admin, { userId, space: NETWORK, kind: 'hold', reason: 'Posts adverts' })
  expect(await fateOf(written)).toEqual(PUBLIC)

  await edit(userId, written, 'Buy a car')
  const fresh = { commentId: await writtenComment(ctx, input), postId: await writtenPost(ctx, ofPost) }
  expect([await fateOf(written), await fateOf(fresh)]).toEqual([HELD, HELD])
  const reasons = [{ type: 'treatment', treatmentId }]
  for (const one of [written, fresh]) {
    const { comments } = await buildCommentsEnvelope(reviewer, [one.commentId])
    expect(comments[0]?.reviewReasons).toEqual(reasons)
    const subjects = [
      { subjectType: 'comment' as const, subjectId: one.commentId },
      { subjectType: 'post' as const, subjectId: one.postId },
    ]
    for (const subject of subjects) {
      const { item, author } = await readItem(reviewer, subject)
      expect(item.reviewReasons).toEqual(reasons)
      expect(author.treatments).toMatchObject([{ treatmentId, kind: 'hold', reason: 'Posts adverts', mayEnd: false }])
      expect((await auditOf(subject.subjectId)).at(-1)).toMatchObject({
        action: `${subject.subjectType}.held`,
        after: { treatmentId },
      })
    }
    expect(
      await prisma.event.findMany({ where: { subjectId: one.commentId, name: { endsWith: 'comment.didHold' } } }),
    ).toMatchObject([{ payload: { treatmentId } }, { name: 'v3.comment.didHold', payload: { treatmentId, rules: [] } }])
  }
  await decide(reviewer, { subjectType: 'comment', subjectId: fresh.commentId, outcome: 'approved' })
  expect(
    await prisma.event.findFirst({ where: { subjectId: fresh.commentId, name: 'v3.comment.didApprove' } }),
  ).toMatchObject({ payload: { comments: [{ reviewReasons: reasons }] } })
})

test('no treatment holds a message, as none is ever held', async () => {
  const { channelId, internalId } = await make.channel({ type: 'community' })
  await make.community({ channelId })
  const { userId } = await make.channelUser({ channelId })
  await set(admin, { userId, space: NETWORK, kind: 'hold' })
  const ctx = ctxOf(database, asUser(userId), { source: 'rest' })
  const messageId = await writtenMessage(ctx, { messageFeedId: internalId, data: { text: 'Good day' } })
  expect(await prisma.message.findUnique({ where: { messageId } })).toMatchObject({ isDeleted: false })
})

test.each([
  ['in the community and everywhere', 'trust', 'hold'],
  ['everywhere and in the community', 'hold', 'trust'],
] as const)('to hold wins over trust: %s', async (_, ofCommunity, ofNetwork) => {
  const { userId, space, moderator, write } = await writing()
  const local = await set(moderator, { userId, space, kind: ofCommunity })
  const wide = await set(admin, { userId, space: NETWORK, kind: ofNetwork })
  expect(await fateOf(await write('Good day'))).toEqual(HELD)
  await endTreatment(admin, ofCommunity === 'hold' ? local : wide)
  expect(await fateOf(await write('Good day'))).toEqual(PUBLIC)
  const { communityId: elsewhere } = await make.community()
  await make.member({ communityId: elsewhere, userId })
  const post = await make.post({ communityId: elsewhere })
  const input = { referenceType: 'post', referenceId: post.postId, data: { text: 'Good day' } }
  const commentId = await writtenComment(ctxOf(database, asUser(userId)), input)
  const { approvalStatus } = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
  expect(approvalStatus).toBe(ofNetwork === 'trust' ? null : 'pending')
})

const ENDS: [name: string, kind: TreatmentKind][] = [
  ['by hand', 'trust'],
  ['by hand', 'hold'],
  ['by a ban', 'trust'],
  ['by a ban everywhere', 'trust'],
]

test.each(ENDS)('ended %s, a treatment to %s counts no more, and who ended it is kept', async (name, kind) => {
  const { userId, communityId, space, moderator, write } = await writing()
  await prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: kind === 'trust', needApprovalOnPostCreation: kind === 'trust' },
  })
  const [counts, counted] = kind === 'trust' ? [PUBLIC, HELD] : [HELD, PUBLIC]
  const { treatmentId } = await set(moderator, { userId, space, kind })
  expect(await fateOf(await write('Good day'))).toEqual(counts)
  if (name === 'by hand') await endTreatment(moderator, { treatmentId })
  else {
    const from = name === 'by a ban' ? space : NETWORK
    await banPerson(admin, { userId, space: from, minutes: null })
    await unbanPerson(admin, { userId, space: from })
    await prisma.communityUser.update({
      where: { communityId_userId: { communityId, userId } },
      data: { membership: 'member', isDeleted: false },
    })
  }
  expect(await fateOf(await write('Good day'))).toEqual(counted)
  expect(await prisma.authorTreatment.findFirst({ where: { userId } })).toMatchObject({
    endedAt: expect.any(Date),
    endedBy: expect.any(String),
  })
  expect(await readTreatments(moderator, userId)).toEqual([])
  await expect(endTreatment(moderator, { treatmentId })).rejects.toMatchObject({
    code: 'CHANGED',
    details: { decidedBy: expect.any(String) },
  })
})

test('a treatment to hold outlasts a ban', async () => {
  const { userId, space, moderator } = await writing()
  const { treatmentId } = await set(moderator, { userId, space, kind: 'hold' })
  await banPerson(admin, { userId, space, minutes: null })
  expect(await readTreatments(moderator, userId)).toMatchObject([{ treatmentId }])
})

test('on its date a treatment ends to the millisecond, and of two workers one logs it', async () => {
  const { userId, space, moderator, write } = await writing()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const { treatmentId } = await set({ ...moderator, now: clock.now }, { userId, space, kind: 'trust', minutes: 60 })
  const worker = { ...systemCtx(database), now: clock.now }
  expect(await findNextEnd(worker)).toEqual(new Date('2026-01-01T01:00:00Z'))
  clock.advance(3_600_000 - 1)
  expect(await endDueTreatments(worker)).toBe(0)
  expect(await fateOf(await write('Good day', clock))).toEqual(PUBLIC)
  clock.advance(1)
  expect(await fateOf(await write('Good day', clock))).toEqual(HELD)
  expect((await Promise.all([endDueTreatments(worker), endDueTreatments(worker)])).toSorted()).toEqual([0, 1])
  expect(await auditOf(userId)).toMatchObject([
    { action: 'user.trusted', after: { treatmentId, treatment: 'trust', endsAt: '2026-01-01T01:00:00.000Z' } },
    { action: 'user.treatmentEnded', actorKind: 'system', before: { treatmentId } },
  ])
  const events = await prisma.event.findMany({ where: { subjectType: 'authorTreatment', subjectId: treatmentId } })
  expect(events).toMatchObject([
    { name: 'desk.authorTreatment.didSet', isDeskOnly: true },
    { name: 'desk.authorTreatment.didEnd', isDeskOnly: true },
  ])
})

test('a new treatment replaces the one that was seen, also one that is over and not closed yet', async () => {
  const { userId, space, moderator } = await writing()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const ctx = { ...moderator, now: clock.now }
  const first = await set(ctx, { userId, space, kind: 'trust' })
  const second = await set(ctx, { userId, space, kind: 'hold', minutes: 60, seen: first.treatmentId })
  clock.advance(3_600_000)
  const third = await set(ctx, { userId, space, kind: 'trust' })
  const actions = (await auditOf(userId)).map(({ action, before, after }) => [action, before, after])
  expect(actions).toMatchObject([
    ['user.trusted', null, { treatmentId: first.treatmentId }],
    ['user.alwaysHeld', { treatmentId: first.treatmentId }, { treatmentId: second.treatmentId }],
    ['user.treatmentEnded', { treatmentId: second.treatmentId }, null],
    ['user.trusted', null, { treatmentId: third.treatmentId }],
  ])
  await expect(set(ctx, { userId, space, kind: 'hold', endsAt: '2026-01-01T00:30:00Z' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})

test('of two who set a treatment at once, and of two who end it, one learns who was first', async () => {
  const { userId, communityId, space, moderator } = await writing()
  const other = ctxOf(database, await make.reviewerOf(communityId))
  const conflict = { code: 'CHANGED', details: { decidedBy: 'Some one', decidedAt: expect.any(String) } }
  const both = (act: (ctx: Ctx) => Promise<unknown>) => Promise.allSettled([moderator, other].map(act))
  const expectOne = (results: PromiseSettledResult<unknown>[]) => {
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: conflict })
  }
  expectOne(await both((ctx) => set(ctx, { userId, space, kind: ctx === moderator ? 'trust' : 'hold' })))
  const [inForce] = await readTreatments(moderator, userId)
  const seen = inForce?.treatmentId ?? ''
  expectOne(await both((ctx) => set(ctx, { userId, space, kind: 'hold', seen })))
  const [replacing] = await readTreatments(moderator, userId)
  expectOne(await both((ctx) => endTreatment(ctx, { treatmentId: replacing?.treatmentId ?? '' })))
  expect(await auditOf(userId)).toHaveLength(3)
})

test('a community moderator sets treatments in their community alone, for people of lower rank', async () => {
  const { userId, communityId, space, moderator } = await writing()
  const { communityId: elsewhere } = await make.community()
  const colleague = await make.reviewerOf(communityId)
  const { treatmentId: wide } = await set(admin, { userId, space: NETWORK, kind: 'hold' })
  const { treatmentId: foreign } = await set(admin, { userId, space: inCommunity(elsewhere), kind: 'hold' })
  const own = moderator.actor.kind === 'user' ? moderator.actor.userId : ''
  const trust = (ctx: Ctx, wanted: Partial<Wanted>) =>
    set(ctx, { userId, space, kind: 'trust', ...wanted }).catch(failureOf)
  expect(await trust(moderator, { space: NETWORK, seen: wide })).toBe('FORBIDDEN')
  expect(await trust(moderator, { space: inCommunity(elsewhere), seen: foreign })).toBe('FORBIDDEN')
  expect(await trust(moderator, { userId: colleague.userId })).toBe('FORBIDDEN')
  expect(await trust(moderator, { userId: own })).toBe('FORBIDDEN')
  expect(await trust(moderator, { userId: 'nobody' })).toBe('NOT_FOUND')
  expect(await trust(moderator, { space: inCommunity('nowhere') })).toBe('NOT_FOUND')
  expect(await trust(ctxOf(database, asUser(userId)), {})).toBe('FORBIDDEN')
  for (const missing of ['MANAGE_POST_AND_COMMENT', 'BAN_USER'] as const) {
    const without = ctxOf(database, asAdmin(NETWORK_PERMISSIONS.filter((permission) => permission !== missing)))
    expect(await trust(without, { space: NETWORK, seen: wide })).toBe('FORBIDDEN')
  }
  expect(await endTreatment(moderator, { treatmentId: wide }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await endTreatment(moderator, { treatmentId: foreign }).catch(failureOf)).toBe('NOT_FOUND')
  const { treatmentId } = (await set(moderator, { userId, space, kind: 'trust' })) ?? {}
  expect(await endTreatment(ctxOf(database, asUser(userId)), { treatmentId }).catch(failureOf)).toBe('NOT_FOUND')
  expect((await readTreatments(moderator, userId)).map(({ treatmentId, mayEnd }) => [treatmentId, mayEnd])).toEqual([
    [wide, false],
    [treatmentId, true],
  ])
  expect(await readTreatmentChoices(moderator, { userId })).toMatchObject([{ space, treatment: { treatmentId } }])
  expect((await readTreatmentChoices(admin, { userId })).map(({ space }) => space)).toEqual([space, NETWORK])
  expect(await readTreatmentChoices(moderator, { userId: colleague.userId, communityId })).toEqual([])
})
