import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { listContent } from '#server/modules/people/list-content.ts'
import { readTimeline } from '#server/modules/people/read-timeline.ts'
import {
  ContentListInput,
  type ContentRecord,
  type TimelineEntry,
  TimelineInput,
} from '#server/modules/people/schema.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { setTreatment } from '#server/modules/spaces/author-treatments/set-treatment.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { asUser, clockAt, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor, over: Partial<Ctx> = {}) => ctxOf(database, actor, over)

const staff = async (permissions: Permission[]): Promise<Actor> => {
  const { userId } = await make.user({ displayName: 'Staff' })
  return { kind: 'admin', userId, name: 'Staff', rank: 600, permissions: new Set(permissions) }
}
const support = () => staff(['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])

/** A community with a channel, and somebody who moderates both. */
async function place() {
  const { channelId } = await make.channel({ type: 'community' })
  const { communityId } = await make.community({ channelId })
  const moderator = await make.reviewerOf(communityId)
  await make.channelUser({ channelId, userId: moderator.userId, roles: ['channel-moderator'] })
  return { communityId, channelId, moderator }
}
type Place = Awaited<ReturnType<typeof place>>

const DAYS = ['2026-01-01T10:00:00Z', '2026-01-02T10:00:00Z', '2026-01-03T23:30:00Z'] as const
const dayOf = (index: number) => new Date(DAYS[index % DAYS.length] ?? DAYS[0])

/** One of each kind and state in a place, by this person; the ids by what they are. */
async function write({ communityId, channelId, moderator }: Place, userId: string) {
  const comment = (index: number, over: object = {}) =>
    make.heldComment({ communityId, userId, createdAt: dayOf(index), ...over })
  const held = await comment(0)
  const claimed = await comment(1)
  const rejected = await comment(2)
  const removed = await comment(0, { approvalStatus: null })
  const published = await comment(1, { approvalStatus: null })
  const reported = await comment(2, { approvalStatus: null, flagCount: 1 })
  const heldPost = await make.heldPost({ communityId, postedUserId: userId, createdAt: dayOf(0) })
  const post = await make.post({ communityId, postedUserId: userId })
  const message = await make.message({ channelId, userId, createdAt: dayOf(2) })
  const deleted = await make.message({ channelId, userId, createdAt: dayOf(2), isDeleted: true })
  await prisma.post.update({ where: { postId: post.postId }, data: { createdAt: dayOf(1) } })
  const colleague = await make.reviewerOf(communityId)
  await claim(as(colleague), { subjectType: 'comment', subjectId: claimed.commentId })
  const { commentId: subjectId, version } = rejected
  await decide(as(moderator), { subjectType: 'comment', subjectId, version, outcome: 'rejected' })
  await deleteComment(as(asUser(userId)), { commentId: removed.commentId, permanent: false })
  await prisma.flag.create({
    data: { subjectType: 'comment', subjectId: reported.commentId, userId: moderator.userId, reason: 'Spam' },
  })
  await keepReportsOf(database, 'comment', [reported.commentId])
  const entries = [
    ['comment', 'held', 0, held.commentId],
    ['comment', 'held', 1, claimed.commentId],
    ['comment', 'rejected', 2, rejected.commentId],
    ['comment', 'removed', 0, removed.commentId],
    ['comment', 'published', 1, published.commentId],
    ['comment', 'published', 2, reported.commentId],
    ['post', 'held', 0, heldPost.postId],
    ['post', 'published', 1, post.postId],
    ['message', 'published', 2, message.messageId],
    ['message', 'removed', 2, deleted.messageId],
  ] as const
  return entries.map(([kind, state, day, subjectId]) => ({
    ...{ kind, state, subjectId, communityId },
    day: DAYS[day].slice(0, 10),
    isReported: subjectId === reported.commentId,
  }))
}

const list = (ctx: Ctx, filter: object) =>
  listContent(ctx, ContentListInput.parse({ limit: 100, ...filter })).then(({ items }) => items)
const idsOf = (entries: { subjectId: string }[]) => entries.map(({ subjectId }) => subjectId).sort()

test('lists exactly what a person wrote in a state, of a kind, in a community and within days, also combined', async () => {
  const [here, there] = [await place(), await place()]
  const { userId } = await make.user()
  const written = [...(await write(here, userId)), ...(await write(there, userId))]
  const conversation = await make.channel({ type: 'conversation' })
  await make.message({ channelId: conversation.channelId, userId })
  const ctx = as(await support())

  const states = [undefined, 'held', 'reported', 'published', 'rejected', 'removed']
  const kinds = [undefined, 'comment', 'post', 'message']
  const communities = [undefined, here.communityId, undefined]
  const days = [
    {},
    { startDate: '2026-01-02', endDate: '2026-01-02' },
    { startDate: '2026-01-04', timeZone: 'Asia/Tokyo' },
  ]
  const isWithin = (day: string, index: number) =>
    index === 0 || (index === 1 && day === '2026-01-02') || (index === 2 && day === '2026-01-03')
  const pairs = states.flatMap((state) => kinds.map((kind) => ({ state, kind })))
  for (const [index, { state, kind }] of pairs.entries()) {
    // Each of the nine is met with several states and kinds.
    const communityId = communities[index % communities.length]
    const chosen = Math.floor(index / communities.length) % days.length
    const filter = { userId, state, kind, communityId, ...days[chosen] }
    const expected = written.filter(
      (entry) =>
        (state === undefined || (state === 'reported' ? entry.isReported : entry.state === state)) &&
        (kind === undefined || entry.kind === kind) &&
        (communityId === undefined || entry.communityId === communityId) &&
        isWithin(entry.day, chosen),
    )
    expect([filter, idsOf(await list(ctx, filter))]).toEqual([filter, idsOf(expected)])
  }
})

async function finish(ctx: Ctx, bulkId: string) {
  for (;;) {
    const progress = await runBulk(ctx, { bulkId })
    if (progress.isFinished) return progress
  }
}

const seen = ({ subjectType, subjectId, version }: ContentRecord) => ({ subjectType, subjectId, version })

/** Rejects what is held of these entries and deletes what is published. */
async function remove(ctx: Ctx, entries: ContentRecord[]) {
  const bulkId = randomUUID()
  const published = entries.filter(({ state }) => state === 'published').map(seen)
  const input = {
    bulkId,
    outcome: 'rejected',
    items: entries.filter(({ state }) => state === 'held').map(seen),
    ...(published.length > 0 && { published }),
  }
  await startBulk(ctx, StartBulk.parse(input))
  return finish(ctx, bulkId)
}

test('what the list lets a moderator select is exactly what a bulk action removes, and one undo restores all of it', async () => {
  const [here, there] = [await place(), await place()]
  const { userId } = await make.user()
  const [mine, theirs] = [await write(here, userId), await write(there, userId)]
  const all = await list(as(await support()), { userId })
  expect(all.map(({ whyNot }) => whyNot)).toEqual(
    all.map(({ state }) => (state === 'held' || state === 'published' ? 'FORBIDDEN' : 'OVER')),
  )
  const open = all.filter(({ state }) => state === 'held' || state === 'published')

  const ctx = as(here.moderator)
  const listed = await list(ctx, { userId })
  expect(idsOf(listed)).toEqual(idsOf(mine))
  const offered = listed.filter(({ allowed }) => allowed.length > 0)
  expect(listed.filter(({ whyNot }) => whyNot === 'CLAIMED')).toMatchObject([
    { state: 'held', claimedByName: expect.any(String) },
  ])

  const { bulkId, done, refused } = await remove(ctx, open)
  expect(done).toBe(offered.length)
  expect(idsOf(refused)).toEqual(
    idsOf(open.filter(({ subjectId }) => !offered.some((one) => one.subjectId === subjectId))),
  )
  expect(refused.filter(({ failure }) => failure === 'CLAIMED')).toHaveLength(1)
  expect(refused.filter(({ failure }) => failure === 'NOT_FOUND' || failure === 'FORBIDDEN')).toHaveLength(
    theirs.filter(({ state }) => state === 'held' || state === 'published').length,
  )
  const after = await list(ctx, { userId })
  expect(idsOf(after.filter(({ state }) => state === 'rejected' || state === 'removed'))).toEqual(
    idsOf([...offered, ...listed.filter(({ whyNot }) => whyNot === 'OVER')]),
  )
  // Its report ended with it.
  expect(await list(ctx, { userId, state: 'reported' })).toEqual([])

  await undoBulk(ctx, { bulkId })
  expect(await finish(ctx, bulkId)).toMatchObject({ done: 0, undone: offered.length, isUndone: true })
  const states = (entries: ContentRecord[]) => entries.map(({ subjectId, state }) => [subjectId, state])
  expect(states(await list(ctx, { userId }))).toEqual(states(listed))
  expect(idsOf(await list(ctx, { userId, state: 'reported' }))).toEqual(
    idsOf(listed.filter(({ isReported }) => isReported)),
  )
})

test('nobody is offered what they wrote themselves, nor removes it', async () => {
  const here = await place()
  const { userId } = here.moderator
  await make.heldComment({ communityId: here.communityId, userId })
  const own = await list(as(here.moderator), { userId })
  expect(own).toMatchObject([{ state: 'held', allowed: [], whyNot: 'OWN' }])
  expect(await remove(as(here.moderator), own)).toMatchObject({ done: 0, refused: [{ failure: 'FORBIDDEN' }] })
})

test('of two moderators who remove the same at once, each entry goes to one of them', async () => {
  const here = await place()
  const other = await make.reviewerOf(here.communityId)
  await make.channelUser({ channelId: here.channelId, userId: other.userId, roles: ['channel-moderator'] })
  const { userId } = await make.user()
  await write(here, userId)
  const entries = (await list(as(here.moderator), { userId })).filter(({ allowed }) => allowed.length > 0)

  const [first, second] = await Promise.all([remove(as(here.moderator), entries), remove(as(other), entries)])

  expect(first.done + second.done).toBe(entries.length)
  expect(first.refused.length + second.refused.length).toBe(entries.length)
  const decisions = await prisma.decision.findMany({ where: { bulkId: { in: [first.bulkId, second.bulkId] } } })
  expect(idsOf(decisions)).toEqual(idsOf(entries))
})

test('a bulk action deletes what is published only with a rejection, names nothing twice and contains up to 1,000 items', () => {
  const item = { subjectType: 'comment', subjectId: 'one', version: 1 }
  const parse = (input: object) =>
    StartBulk.safeParse({ bulkId: randomUUID(), outcome: 'rejected', items: [], ...input }).success
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ ...item, subjectId: `${name}-${index}` }))
  expect(parse({ published: [{ ...item, subjectType: 'message' }] })).toBe(true)
  expect(parse({ published: [{ ...item, subjectType: 'user' }] })).toBe(false)
  expect(parse({})).toBe(false)
  expect(parse({ outcome: 'approved', items: [item], published: many(1, 'published') })).toBe(false)
  expect(parse({ items: [item], published: [item] })).toBe(false)
  expect(parse({ items: many(500, 'held'), published: many(500, 'published') })).toBe(true)
  expect(parse({ items: many(500, 'held'), published: many(501, 'published') })).toBe(false)
})

const timeline = (ctx: Ctx, input: { userId: string; before?: string; timeZone?: string }) =>
  readTimeline(ctx, TimelineInput.parse(input))

test('the timeline tells in order what somebody wrote, was reported and decided, and how bans, mutes and treatments began and ended', async () => {
  const here = await place()
  const { communityId } = here
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const clock = clockAt('2026-03-01T22:30:00Z')
  const mo = as(await staff(['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY']), {
    now: clock.now,
  })
  const later = () => {
    clock.advance(60_000)
    return clock.now()
  }
  await make.heldComment({ communityId, userId, approvalStatus: null, createdAt: later(), flagCount: 1 })
  const held = await make.heldComment({ communityId, userId, createdAt: later() })
  await make.message({ channelId: here.channelId, userId, createdAt: later() })
  const reported = await prisma.comment.findFirstOrThrow({ where: { userId, flagCount: 1 } })
  await prisma.flag.create({
    data: {
      subjectType: 'comment',
      subjectId: reported.commentId,
      userId: here.moderator.userId,
      reason: 'Spam',
      createdAt: later(),
    },
  })
  later()
  const { commentId: subjectId, version } = held
  await decide(mo, { subjectType: 'comment', subjectId, version, outcome: 'rejected', reason: 'Rude' })
  later()
  await muteUsers(mo, communitySpace, {
    spaceId: communityId,
    userIds: [userId],
    mutePeriod: 3_600_000,
    reason: 'Loud',
  })
  later()
  await muteUsers(mo, communitySpace, { spaceId: communityId, userIds: [userId], mutePeriod: 0 })
  later()
  await setTreatment(mo, { userId, space: { scope: 'community', communityId }, kind: 'hold', minutes: null })
  later()
  await banPerson(mo, { userId, space: { scope: 'network' }, minutes: null, reason: 'Out' })
  later()
  await unbanPerson(mo, { userId, space: { scope: 'network' } })

  later()
  const { entries, before } = await timeline(mo, { userId })
  const told = ({ act, subjectType, count, reason, space, day }: TimelineEntry) => [
    act,
    subjectType,
    count,
    reason,
    space?.scope,
    day,
  ]
  const day = '2026-03-01'
  expect(before).toBeUndefined()
  expect(entries.map(told)).toEqual([
    ['unbanned', undefined, 1, undefined, 'network', day],
    ['banned', undefined, 1, 'Out', 'network', day],
    ['putOnHold', undefined, 1, undefined, 'community', day],
    ['unmuted', undefined, 1, undefined, 'community', day],
    ['muted', undefined, 1, 'Loud', 'community', day],
    ['rejected', 'comment', 1, 'Rude', 'community', day],
    ['reported', 'comment', 1, 'Spam', 'community', day],
    ['wrote', 'message', 1, undefined, 'channel', day],
    ['wrote', 'comment', 2, undefined, 'community', day],
  ])
  expect(entries.every(({ act, by }) => act === 'wrote' || by !== undefined)).toBe(true)
  const elsewhere = await timeline(mo, { userId, timeZone: 'Asia/Kathmandu' })
  expect(new Set(elsewhere.entries.map(({ day }) => day))).toEqual(new Set(['2026-03-02']))

  // A moderator of the community sees what belongs to it; one of another community, and a stranger, see nothing of it.
  const acts = async (actor: Actor) => (await timeline(as(actor), { userId })).entries.map(({ act }) => act)
  const reviewer = await make.reviewerOf(communityId)
  expect(await acts(reviewer)).toEqual(['putOnHold', 'unmuted', 'muted', 'rejected', 'reported', 'wrote'])
  expect(await acts((await place()).moderator)).toEqual([])
  expect(await acts(asUser((await make.user()).userId)).catch(failureOf)).toBe('FORBIDDEN')
})

test('the pages of a timeline together contain everything once, however much of it there is', async () => {
  const { communityId } = await place()
  const { userId } = await make.user()
  const from = Date.parse('2026-04-01T00:00:00Z')
  const minutes = (count: number) => new Date(from + count * 60_000)
  await prisma.comment.createMany({
    data: Array.from({ length: 450 }, (_, index) => ({
      ...{ communityId, userId, targetType: 'community', dataTypes: ['text'], data: { text: 'x' } },
      commentId: `${userId}-${index}`,
      createdAt: minutes(index * 3),
    })),
  })
  await prisma.decision.createMany({
    data: Array.from({ length: 70 }, (_, index) => ({
      subjectType: 'comment' as const,
      subjectId: `c-${index}`,
      communityId,
      authorId: userId,
      outcome: 'approved' as const,
      decidedByName: 'Mo',
      decidedAt: minutes(index * 20),
      source: 'desk' as const,
      version: 2,
      eventId: 0n,
    })),
  })
  const ctx = as(await support())
  const pages = [await timeline(ctx, { userId })]
  for (let before = pages[0]?.before; before !== undefined; before = pages.at(-1)?.before)
    pages.push(await timeline(ctx, { userId, before }))
  const entries = pages.flatMap((page) => page.entries)
  const sum = (act: TimelineEntry['act']) =>
    entries.reduce((total, entry) => total + (entry.act === act ? entry.count : 0), 0)
  expect([sum('wrote'), sum('approved')]).toEqual([450, 70])
  expect(pages.length).toBeGreaterThan(2)
  for (const { entries } of pages)
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
})
