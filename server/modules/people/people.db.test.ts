import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { countErasure } from '#server/modules/people/count-erasure.ts'
import { findPeople } from '#server/modules/people/find-people.ts'
import { listAbout } from '#server/modules/people/list-about.ts'
import { listContent } from '#server/modules/people/list-content.ts'
import { listDecisionsAbout } from '#server/modules/people/list-decisions.ts'
import { listFlagsBy } from '#server/modules/people/list-flags.ts'
import { listNewest } from '#server/modules/people/list-newest.ts'
import { writeNote } from '#server/modules/people/notes/notes.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import type { PersonState } from '#server/modules/people/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { channelSpace } from '#server/modules/spaces/channels/channel-space.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { uniqueWord } from '#server/testing/unique-word.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

const staff = async (rank: number, permissions: Permission[]): Promise<Actor> => {
  const { userId } = await make.user({ displayName: 'Staff' })
  return { kind: 'admin', userId, name: 'Staff', rank, permissions: new Set(permissions) }
}
const support = () => staff(400, ['VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])
const moderator = () =>
  staff(600, ['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])
const find = async (actor: Actor, query: string) => (await findPeople(as(actor), { query })).map(({ userId }) => userId)

test('finds a person by each of their ids, by handle and by name, also if any of these is misspelt', async () => {
  const [family, handle] = [uniqueWord(), uniqueWord()]
  const displayName = `Jonathan ${family}`
  const { userId, internalId } = await prisma.user.create({
    data: { userId: randomUUID(), displayName, profileHandle: `the.${handle}` },
  })
  const agent = await support()
  const withTypo = (text: string) => `${text.slice(0, 6)}${text.slice(7)}`
  for (const query of [userId, internalId, internalId.toUpperCase(), `the.${handle}`, displayName, family, handle]) {
    expect([query, await find(agent, query)]).toEqual([query, [userId]])
  }
  for (const query of [withTypo(displayName), withTypo(family), withTypo(`the.${handle}`), `Jnoathan ${family}`]) {
    expect([query, await find(agent, query)]).toEqual([query, [userId]])
  }
  expect(await find(agent, uniqueWord())).toEqual([])
})

test('finds a person by a family name alone with a typo in it', async () => {
  const { userId } = await make.user({ displayName: 'Gwen Pritchard' })
  for (const query of ['prichard', 'Pritchart', 'pritcherd', 'Pirtchard'])
    expect([query, await find(await support(), query)]).toEqual([query, [userId]])
})

test('corrects two swapped letters in names too short for other corrections', async () => {
  const { userId } = await make.user({ displayName: 'Xiao' })
  const people = await findPeople(as(await support()), { query: 'Ixao' })
  expect(people).toMatchObject([{ userId, match: 'misspelt' }])
})

test('lists a person who matches in several ways once, by the best match', async () => {
  const { userId } = await prisma.user.create({
    data: { userId: randomUUID(), displayName: 'Jonathan Merriweatherstone', profileHandle: 'merriweatherstone' },
  })
  for (const [query, match] of [
    ['Jnoathan Merriweatherstone', 'misspelt'],
    ['Jontan Meriweatherston', 'similar'],
    ['merriweather', 'part'],
  ])
    expect(await findPeople(as(await support()), { query: query ?? '' })).toMatchObject([{ userId, match }])
})

test('only support staff and moderators of any space may look people up', async () => {
  const { userId } = await make.user()
  const { communityId } = await make.community()
  const { channelId } = await make.channel()
  const member = await make.user()
  await make.member({ communityId, userId: member.userId })
  const channelModerator = asUser((await make.moderatorOf(channelId)).userId)

  for (const actor of [await support(), await moderator(), await make.reviewerOf(communityId), channelModerator])
    expect(await find(actor, userId)).toEqual([userId])
  const refused = [asUser(member.userId), asUser(userId), await staff(800, ['MANAGE_NETWORK_SETTINGS'])]
  for (const actor of refused) {
    expect(await find(actor, userId).catch(failureOf)).toBe('FORBIDDEN')
    expect(await listNewest(as(actor), { limit: 20 }).catch(failureOf)).toBe('FORBIDDEN')
    expect(await readPerson(as(actor), { userId }).catch(failureOf)).toBe('FORBIDDEN')
    expect(await listAbout(as(actor), listFlagsBy, { userId, limit: 20 }).catch(failureOf)).toBe('FORBIDDEN')
  }
  expect(await readPerson(as(await support()), { userId: 'nobody' }).catch(failureOf)).toBe('NOT_FOUND')
})

/** A person with a part in a community and a channel of each of two moderators. */
async function history() {
  const mo = await moderator()
  const person = await make.user({ displayName: 'Pat' })
  const { userId } = person
  const spaces = []
  for (const name of ['here', 'there']) {
    const { communityId } = await make.community({ displayName: `Community ${name}`, isPublic: name === 'here' })
    const { channelId } = await make.channel({ displayName: `Channel ${name}` })
    await make.member({ communityId, userId, roles: ['some-role'] })
    await make.channelUser({ channelId, userId, roles: ['another-role'] })
    const held = await make.heldComment({ communityId, userId, data: { text: `Said ${name}` } })
    await decide(as(mo), {
      subjectType: 'comment',
      subjectId: held.commentId,
      version: held.version,
      outcome: 'rejected',
      reason: `Wrong ${name}`,
    })
    const flagged = await make.heldComment({ communityId, userId, data: { text: `Flagged ${name}` }, flagCount: 1 })
    const flag = { reason: 'Spam', detail: `On it ${name}` }
    await prisma.flag.create({
      data: {
        subjectType: 'comment',
        subjectId: flagged.commentId,
        userId: mo.kind === 'admin' ? (mo.userId ?? '') : '',
        ...flag,
      },
    })
    const others = await make.heldComment({ communityId })
    await prisma.flag.create({ data: { subjectType: 'comment', subjectId: others.commentId, userId, ...flag } })
    await muteUsers(as(mo), channelSpace, {
      spaceId: channelId,
      userIds: [userId],
      mutePeriod: 60_000,
      reason: `Loud ${name}`,
    })
    await writeNote(as(await make.reviewerOf(communityId)), { aboutUserId: userId, communityId, text: `Noted ${name}` })
    spaces.push({ communityId, channelId })
  }
  for (const { communityId, channelId } of spaces) {
    await banPerson(as(mo), { userId, space: { scope: 'community', communityId }, minutes: 60, reason: 'Out' })
    await banPerson(as(mo), { userId, space: { scope: 'channel', channelId }, minutes: null })
  }
  await banPerson(as(mo), { userId, space: { scope: 'network' }, minutes: 120, reason: 'Everywhere' })
  await writeNote(as(mo), { aboutUserId: userId, text: 'Noted everywhere' })
  const [here = { communityId: '', channelId: '' }] = spaces
  return { person, mo, here }
}

test('support staff read everything about a person on one page, and are offered only the export', async () => {
  const { person, mo } = await history()
  const read = await readPerson(as(await support()), { userId: person.internalId })
  expect(read.user).toMatchObject({ userId: person.userId, isGlobalBan: true })
  expect(read.communities.items.map(({ displayName, membership }) => [displayName, membership])).toEqual([
    ['Community there', 'banned'],
    ['Community here', 'banned'],
  ])
  expect(read.channels.items.map(({ displayName, type }) => [displayName, type])).toEqual([
    ['Channel there', 'community'],
    ['Channel here', 'community'],
  ])
  expect(read.bans.items.map(({ space, reason }) => [space.scope, reason])).toEqual([
    ['network', 'Everywhere'],
    ['channel', undefined],
    ['community', 'Out'],
    ['channel', undefined],
    ['community', 'Out'],
  ])
  const by = { userId: mo.kind === 'admin' ? mo.userId : '', displayName: 'Staff' }
  expect(read.bans.items[0]).toMatchObject({ by, endsAt: expect.any(String) })
  expect(read.bans.items[1]).not.toHaveProperty('endsAt')
  expect(read.mutes.items.map(({ reason, by }) => [reason, by])).toEqual([
    ['Loud there', by],
    ['Loud here', by],
  ])
  expect(read.decisionsAbout.items.map(({ reason, excerpt, author }) => [reason, excerpt, author.userId])).toEqual([
    ['Wrong there', 'Said there', person.userId],
    ['Wrong here', 'Said here', person.userId],
  ])
  expect(read.itemCounts).toEqual({ held: 2, approved: 0, rejected: 2 })
  expect(read.decisionsBy.items).toEqual([])
  expect(read.flagsOn.items.map(({ detail, excerpt }) => [detail, excerpt])).toEqual([
    ['On it there', 'Flagged there'],
    ['On it here', 'Flagged here'],
  ])
  expect(read.flagsBy.items.map(({ detail, by }) => [detail, by.userId])).toEqual([
    ['On it there', person.userId],
    ['On it here', person.userId],
  ])
  expect(read.notes.items.map(({ text }) => text)).toEqual(['Noted everywhere', 'Noted there', 'Noted here'])
  expect(read.allowed).toEqual({
    ban: false,
    unban: false,
    mute: false,
    treatment: false,
    warn: false,
    note: false,
    export: true,
    erase: false,
  })

  const decidedBy = await readPerson(as(await support()), { userId: by.userId ?? '' })
  expect(decidedBy.decisionsBy.items).toHaveLength(2)
})

test('a mute in a community is among the memberships and mutes, for its moderators to end and for no others', async () => {
  const [{ communityId }, elsewhere] = await Promise.all([make.community({ displayName: 'Harbour' }), make.community()])
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const mutedBy = await make.reviewerOf(communityId)
  const mute = { spaceId: communityId, userIds: [userId], mutePeriod: 60_000, reason: 'Loud' }
  await muteUsers(as(asUser(mutedBy.userId)), communitySpace, mute)

  const read = await readPerson(as(await make.reviewerOf(communityId)), { userId })
  expect(read.communities.items).toMatchObject([{ communityId, membership: 'member', mutedUntil: expect.any(String) }])
  expect(read.mutes.items).toMatchObject([
    { space: { scope: 'community', communityId, displayName: 'Harbour' }, reason: 'Loud', mayLift: true },
  ])
  expect((await readPerson(as(await support()), { userId })).mutes.items).toMatchObject([{ mayLift: false }])
  const stranger = await readPerson(as(await make.reviewerOf(elsewhere.communityId)), { userId })
  expect([stranger.mutes.items, stranger.communities.items]).toEqual([[], []])

  await muteUsers(as(asUser(mutedBy.userId)), communitySpace, { ...mute, mutePeriod: 0 })
  expect((await readPerson(as(await support()), { userId })).communities.items[0]).not.toHaveProperty('mutedUntil')
})

test('a moderator of a community or channel sees what belongs to it, and nothing else', async () => {
  const { person, here } = await history()
  const { userId } = person
  const inCommunity = await readPerson(as(await make.reviewerOf(here.communityId)), { userId })
  const inChannel = await readPerson(as(asUser((await make.moderatorOf(here.channelId)).userId)), { userId })

  expect(inCommunity.communities.items.map(({ displayName }) => displayName)).toEqual(['Community here'])
  expect(inCommunity.bans.items.map(({ space }) => space.displayName)).toEqual(['Community here'])
  expect(inCommunity.decisionsAbout.items.map(({ reason }) => reason)).toEqual(['Wrong here'])
  expect(inCommunity.itemCounts).toEqual({ held: 1, approved: 0, rejected: 1 })
  expect(inCommunity.content.items.map(({ excerpt }) => excerpt).sort()).toEqual(['Flagged here', 'Said here'])
  expect(inCommunity.flagsOn.items.map(({ detail }) => detail)).toEqual(['On it here'])
  expect(inCommunity.flagsBy.items.map(({ detail }) => detail)).toEqual(['On it here'])
  expect(inCommunity.notes.items.map(({ text }) => text)).toEqual(['Noted here'])
  expect([inCommunity.channels.items, inCommunity.mutes.items]).toEqual([[], []])

  expect(inChannel.channels.items.map(({ displayName }) => displayName)).toEqual(['Channel here'])
  expect(inChannel.mutes.items.map(({ reason }) => reason)).toEqual(['Loud here'])
  expect(inChannel.bans.items.map(({ space }) => space.displayName)).toEqual(['Channel here'])
  for (const name of ['communities', 'content', 'decisionsAbout', 'flagsOn', 'flagsBy', 'notes'] as const)
    expect([name, inChannel[name].items]).toEqual([name, []])
  for (const { allowed } of [inCommunity, inChannel])
    expect(allowed).toEqual({
      ban: false,
      unban: false,
      mute: false,
      treatment: false,
      warn: false,
      note: false,
      export: false,
      erase: false,
    })
})

test('offers lifting a ban to those who may lift it, while it is in force', async () => {
  const { person, mo, here } = await history()
  const { userId } = person
  const liftable = async (actor: Actor) =>
    (await readPerson(as(actor), { userId })).bans.items.filter(({ mayLift }) => mayLift).map(({ space }) => space)
  const inCommunity = { scope: 'community' as const, communityId: here.communityId }

  expect(await liftable(await support())).toEqual([])
  expect(await liftable(await make.reviewerOf(here.communityId))).toMatchObject([inCommunity])
  const scopes = async () => (await liftable(mo)).map(({ scope }) => scope)
  expect(await scopes()).toEqual(['network', 'channel', 'community', 'channel', 'community'])
  await unbanPerson(as(mo), { userId, space: { scope: 'network' } })
  expect(await scopes()).toEqual(['channel', 'community', 'channel', 'community'])
})

test('lists the newest people first, paginated in both directions, without deleted people', async () => {
  const agent = as(await support())
  const createdAt = new Date(Date.now() + 86_400_000)
  const people = await Promise.all(
    ['a', 'b', 'c'].map((id) => prisma.user.create({ data: { userId: `${id}-${randomUUID()}`, createdAt } })),
  )
  await prisma.user.create({ data: { userId: randomUUID(), createdAt, isDeleted: true } })
  const first = await listNewest(agent, { limit: 2 })
  const second = await listNewest(agent, { limit: 1, cursor: first.next })
  expect([...first.items, ...second.items].map(({ userId }) => userId)).toEqual(people.map(({ userId }) => userId))
  expect((await listNewest(agent, { limit: 2, cursor: second.previous })).items).toEqual(first.items)
  expect(first.previous).toBeUndefined()
})

test('lists and finds people by state, and counts them', async () => {
  const agent = as(await support())
  const createdAt = new Date(Date.now() + 2 * 86_400_000)
  const word = randomUUID()
  const create = (over: object = {}) =>
    prisma.user.create({ data: { userId: randomUUID(), displayName: `${word} person`, createdAt, ...over } })
  const [banned, flagged, deleted, staff] = [
    await create({ isGlobalBan: true }),
    await create({ flagCount: 2 }),
    await create({ isDeleted: true }),
    await create(),
  ]
  await keepReportsOf(database, 'user', [flagged.userId])
  const { userId } = staff
  await prisma.staffAccount.create({
    data: { id: randomUUID(), name: 'x', email: `${userId}@docket.example`, networkUserId: userId },
  })
  for (const [state, person] of Object.entries({ banned, flagged, deleted, staff }) as [PersonState, typeof staff][]) {
    const { items, total } = await listNewest(agent, { limit: 1, state })
    expect([state, items]).toMatchObject([state, [{ userId: person.userId }]])
    expect(total.count).toBeGreaterThan(0)
    expect(await findPeople(agent, { query: word, state })).toMatchObject([{ userId: person.userId }])
  }
  expect(await findPeople(agent, { query: word })).toHaveLength(4)
})

test('reads a page in the same number of statements however much data there is', async () => {
  const agent = as(await support())
  const statementsFor = async (userId: string) => {
    const asked = vi.spyOn(database.pool, 'query')
    await readPerson(agent, { userId })
    const count = asked.mock.calls.length
    asked.mockRestore()
    return count
  }
  const { person } = await history()
  const nobody = await make.user()
  expect(await statementsFor(person.userId)).toBe(await statementsFor(nobody.userId))
})

test('pages through entries of the same moment without a repeat or a gap, in both directions', async () => {
  const { userId } = await make.user()
  const { communityId } = await make.community()
  const decidedAt = new Date('2026-01-01T00:00:00Z')
  await prisma.decision.createMany({
    data: Array.from({ length: 25 }, (_, index) => ({
      subjectType: 'comment' as const,
      subjectId: `c-${index}`,
      communityId,
      authorId: userId,
      outcome: 'approved' as const,
      decidedByName: 'Mo',
      decidedAt,
      source: 'desk' as const,
      version: 2,
      eventId: 0n,
    })),
  })
  const agent = as(await support())
  const page = (cursor?: string) => listAbout(agent, listDecisionsAbout, { userId, limit: 10, cursor })
  const first = await page()
  const second = await page(first.next)
  const third = await page(second.next)
  const seen = [first, second, third].flatMap(({ items }) => items.map(({ subjectId }) => subjectId))
  expect([seen.length, new Set(seen).size, third.next]).toEqual([25, 25, undefined])
  expect((await page(third.previous)).items).toEqual(second.items)
  expect(await page('bm90IG9uZQ==').catch(failureOf)).toBe('INVALID_REQUEST')
})

test("answers where each of a person's comments and posts is, with the time, the decider and the reason", async () => {
  const [mo, agent] = [await moderator(), await support()]
  const { userId } = await make.user()
  const { communityId } = await make.community({ displayName: 'Answers' })
  const comment = (text: string, minute: number) =>
    make.heldComment({ communityId, userId, data: { text }, createdAt: new Date(Date.UTC(2026, 0, 1, 12, minute)) })
  const decideOn = async (held: { commentId: string; version: number }, outcome: 'approved' | 'rejected') =>
    decide(as(mo), {
      subjectType: 'comment',
      subjectId: held.commentId,
      version: held.version,
      outcome,
      reason: outcome,
    })

  const removed = await comment('Removed', 4)
  await comment(`Held ${'word '.repeat(60)}`, 3)
  await decideOn(await comment('Approved', 2), 'approved')
  await decideOn(await comment('Rejected', 1), 'rejected')
  await make.heldPost({
    communityId,
    postedUserId: userId,
    data: { text: 'A post' },
    createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0)),
  })
  await deleteComment(as(asUser(userId)), { commentId: removed.commentId, permanent: false })

  const { content, itemCounts } = await readPerson(as(agent), { userId })
  expect(content.items.map(({ state, excerpt }) => [state, excerpt?.slice(0, 8)])).toEqual([
    ['removed', 'Removed'],
    ['held', 'Held wor'],
    ['published', 'Approved'],
    ['rejected', 'Rejected'],
    ['held', 'A post'],
  ])
  expect(itemCounts).toEqual({ held: 2, approved: 1, rejected: 1 })
  const [first, second, third] = content.items
  expect(first?.removal).toMatchObject({ by: { userId } })
  expect(second?.heldAt).toBeDefined()
  expect(second?.excerpt).toMatch(/…$/)
  expect(third).toMatchObject({
    decision: { outcome: 'approved', reason: 'approved', by: { displayName: 'Staff' } },
    community: { communityId },
  })

  const pages = [await listContent(as(agent), { userId, limit: 3 })]
  pages.push(await listContent(as(agent), { userId, limit: 3, cursor: pages[0]?.next }))
  expect(pages.flatMap(({ items }) => items)).toEqual(content.items)
})

test('counts what an erasure takes with it, up to 1,000 of each, for those who may erase the person', async () => {
  const [person, { communityId }, { channelId }] = [await make.user(), await make.community(), await make.channel()]
  const { userId } = person
  const eraser = as(await staff(800, ['EDIT_USER']))
  expect(await countErasure(eraser, { userId })).toEqual({ comments: 0, posts: 0, messages: 0, openReports: 0 })

  await make.heldComment({ communityId, userId, flagCount: 1 })
  const { postId } = await make.post({ communityId, postedUserId: userId })
  await make.post({ communityId, postedUserId: userId, parentPostId: postId })
  await make.message({ channelId, userId })
  await make.message({ channelId, userId, flagCount: 1 })
  await prisma.user.update({ where: { userId }, data: { flagCount: 1 } })
  await keepReportsOf(database, 'user', [userId])
  expect(await countErasure(eraser, { userId })).toEqual({ comments: 1, posts: 1, messages: 2, openReports: 3 })

  const written = { communityId, targetType: 'community' as const, userId, data: { text: 'x' } }
  await prisma.comment.createMany({
    data: Array.from({ length: 1_100 }, () => ({ ...written, commentId: `comment-${randomUUID()}` })),
  })
  expect((await countErasure(eraser, { userId })).comments).toBe(1_001)

  const colleague = await make.user({ roles: ['global-admin'] })
  for (const [actor, whom] of [
    [await moderator(), userId],
    [await support(), userId],
    [asUser(userId), userId],
    [await staff(800, ['EDIT_USER']), colleague.userId],
  ] as const)
    expect(await countErasure(as(actor), { userId: whom }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await countErasure(eraser, { userId: 'nobody' }).catch(failureOf)).toBe('NOT_FOUND')
})
