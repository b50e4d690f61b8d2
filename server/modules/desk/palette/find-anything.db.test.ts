import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { findAnything } from '#server/modules/desk/palette/find-anything.ts'
import { readCommunity } from '#server/modules/spaces/communities/read-community.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { uniqueWord } from '#server/testing/unique-word.ts'

const { database, make } = await testDatabase()
const find = (actor: Actor, query: string) => findAnything(ctxOf(database, actor), { query })
const anybody = asUser('anybody')

test('lists the exact id first, then names that start with the term, then those that contain it', async () => {
  const name = uniqueWord()
  const holds = await make.user({ displayName: `The ${name}` })
  const second = await make.user({ displayName: `${name} Zed` })
  const first = await make.user({ displayName: `${name.toUpperCase()} Abe` })
  const exact = await make.user({ userId: name, displayName: 'Somebody else' })

  const { users } = await find(anybody, name)
  expect(users.map(({ userId }) => userId)).toEqual([exact, first, second, holds].map(({ userId }) => userId))
})

test('finds a misspelt name where nothing else matches, the likeliest first', async () => {
  const name = uniqueWord()
  const near = await make.user({ displayName: `${name} Carvalho` })
  const nearer = await make.user({ displayName: `${name} Carvalo` })
  const { users } = await find(anybody, `${name} Carvallo`)
  expect(users.map(({ userId }) => userId)).toEqual([nearer.userId, near.userId])
})

test('treats pattern characters as text', async () => {
  const name = uniqueWord()
  await make.community({ displayName: `${name} 100` })
  const percent = await make.community({ displayName: `a ${name} 100%` })
  const { communities } = await find(anybody, `${name} 100%`)
  expect(communities.map(({ communityId }) => communityId)).toEqual([percent.communityId])
})

test('finds the beginning of a name from two letters, ignoring spaces around them', async () => {
  const { userId } = await make.user({ displayName: '張偉 of the quay' })
  expect((await find(anybody, ' 張偉 ')).users.map((user) => user.userId)).toEqual([userId])
  expect(await find(anybody, '  ')).toEqual({ users: [], channels: [], communities: [] })
})

test('does not find deleted people', async () => {
  const { userId, displayName } = await make.user({ displayName: uniqueWord() })
  await database.prisma.user.update({ where: { userId }, data: { isDeleted: true } })
  expect((await find(anybody, userId)).users).toEqual([])
  expect((await find(anybody, displayName ?? '')).users).toEqual([])
})

test('counts a person’s pending items only where the caller reviews', async () => {
  const author = await make.user({ displayName: uniqueWord() })
  const [mine, other] = [await make.community(), await make.community()]
  await make.heldComment({ communityId: mine.communityId, userId: author.userId })
  await make.heldComment({ communityId: other.communityId, userId: author.userId })
  const heldFor = async (actor: Actor) => (await find(actor, author.userId)).users[0]?.held
  expect(await heldFor(await make.reviewerOf(mine.communityId))).toBe(1)
  expect(await heldFor(asAdmin())).toBe(2)
  expect(await heldFor(asUser(author.userId))).toBe(0)
})

test('a private channel is found by its members and by those who see every channel', async () => {
  const name = uniqueWord()
  const { channelId } = await make.channel({ displayName: `Back room ${name}`, isPublic: false })
  const { userId } = await make.channelUser({ channelId })
  const open = await make.channel({ displayName: `Front room ${name}`, isPublic: true })
  const idsFor = async (actor: Actor, query = name) =>
    (await find(actor, query)).channels.map((channel) => channel.channelId)

  expect(await idsFor(asUser(userId))).toEqual([channelId, open.channelId])
  expect(await idsFor(anybody)).toEqual([open.channelId])
  expect(await idsFor(anybody, channelId)).toEqual([])
  expect(await idsFor(asAdmin(['VIEW_CHANNELS']))).toEqual([channelId, open.channelId])
})

test('a community is found by those who may see it, and shows whether the caller reviews its queue', async () => {
  const name = uniqueWord()
  const { communityId } = await make.community({
    // So much longer that it is less like the name alone, whatever letters that has.
    displayName: `Closed to everybody but members ${name}`,
    isPublic: false,
  })
  await database.prisma.community.update({ where: { communityId }, data: { isDiscoverable: false } })
  const reviewsFor = async (actor: Actor) => (await find(actor, name)).communities.map(({ reviews }) => reviews)
  expect(await reviewsFor(anybody)).toEqual([])
  expect(await reviewsFor(await make.reviewerOf(communityId))).toEqual([true])
  expect(await reviewsFor(asAdmin(['VIEW_USERS']))).toEqual([false])
})

test('hides the name of a private community from a network role without community permissions', async () => {
  const name = uniqueWord()
  const { communityId } = await make.community({ displayName: `Closed ${name}`, isPublic: false })
  const open = await make.community({ displayName: `Open ${name}` })
  const idsFor = async (actor: Actor, query: string) =>
    (await find(actor, query)).communities.map((community) => community.communityId)
  for (const permission of ['MANAGE_STAFF', 'MANAGE_CREDENTIALS', 'VIEW_CHANNELS', 'CREATE_ROLE'] as const) {
    expect(await idsFor(asAdmin([permission]), name)).toEqual([open.communityId])
    expect(await idsFor(asAdmin([permission]), communityId)).toEqual([])
    expect(
      await readCommunity(ctxOf(database, asAdmin([permission])), { communityId, type: 'public' }).catch(
        ({ code }) => code,
      ),
    ).toBe('NOT_FOUND')
  }
  for (const permission of ['VIEW_USERS', 'VIEW_HISTORY', 'MANAGE_POST_AND_COMMENT', 'EDIT_COMMUNITY'] as const)
    expect(await idsFor(asAdmin([permission]), name)).toEqual([open.communityId, communityId])
})

test('lists at most six of each kind', async () => {
  const name = uniqueWord()
  await Promise.all(Array.from({ length: 9 }, (_, index) => make.user({ displayName: `${name} ${index}` })))
  const { users } = await find(anybody, name)
  expect(users.map(({ displayName }) => displayName)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `${name} ${index}`))
})
