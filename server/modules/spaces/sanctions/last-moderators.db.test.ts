import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { banDeskMembers, removeDeskMembers, removeDeskRole } from '#server/modules/desk/spaces/member-acts.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { readLastModerated } from '#server/modules/spaces/sanctions/last-moderators.ts'
import { selectSanctionFailures } from '#server/modules/spaces/sanctions/sanction-failures.ts'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const PERMISSIONS: Permission[] = ['BAN_USER', 'EDIT_USER', 'ASSIGN_USER_ROLE', 'MANAGE_NETWORK_SETTINGS']
const admin = ctxOf(database, asAdmin(PERMISSIONS), { undoWindowMs: 0 })

interface Place {
  name: string
  space: Exclude<BanSpace, { scope: 'network' }>
  role: string
  moderate(userId: string): Promise<unknown>
}

async function channelOf(): Promise<Place> {
  const { channelId } = await make.channel()
  const name = `Talk ${crypto.randomUUID()}`
  await prisma.channel.update({ where: { channelId }, data: { displayName: name } })
  const roles = ['channel-moderator']
  return {
    name,
    space: { scope: 'channel', channelId },
    role: 'channel-moderator',
    moderate: (userId) => make.channelUser({ channelId, userId, roles }),
  }
}

async function communityOf(): Promise<Place> {
  const { communityId } = await make.community()
  const name = `Garden ${crypto.randomUUID()}`
  await prisma.community.update({ where: { communityId }, data: { displayName: name } })
  const roles = ['community-moderator']
  return {
    name,
    space: { scope: 'community', communityId },
    role: 'community-moderator',
    moderate: (userId) => make.member({ communityId, userId, roles }),
  }
}

const PLACES = { channel: channelOf, community: communityOf }
const NETWORK = { scope: 'network' } as const

/** A space and its moderators. */
async function placeWith(kind: keyof typeof PLACES, moderators: number) {
  const place = await PLACES[kind]()
  const userIds: string[] = []
  for (let index = 0; index < moderators; index += 1) {
    const { userId } = await make.user()
    await place.moderate(userId)
    userIds.push(userId)
  }
  const [userId = ''] = userIds
  return { ...place, userId, userIds }
}

type Asked = Place & { userId: string }
const saysSo = async (act: Promise<{ isWithoutModerator: boolean }>) => (await act).isWithoutModerator
const namesIt = async (ctx: Ctx, { userId, name }: Asked, space: BanSpace) =>
  (await banPerson(ctx, { userId, space, minutes: null })).withoutModerator.includes(name)

/** Every act of the desk that ends a person's roles in a space; each resolves to whether it says that nobody moderates the space. */
const ACTS: Record<string, (ctx: Ctx, asked: Asked) => Promise<boolean>> = {
  'a ban from the space': (ctx, asked) => namesIt(ctx, asked, asked.space),
  'a ban from the network': (ctx, asked) => namesIt(ctx, asked, NETWORK),
  'a ban in the list of members': (ctx, { space, userId }) =>
    saysSo(banDeskMembers(ctx, { space, userIds: [userId], minutes: null })),
  'a removal from the list of members': (ctx, { space, userId }) =>
    saysSo(removeDeskMembers(ctx, { space, userIds: [userId] })),
}

const cases = (['channel', 'community'] as const).flatMap((kind) => Object.keys(ACTS).map((act) => ({ kind, act })))

test.each(
  cases,
)('$act of the last moderator of a $kind says that nobody moderates it, and of one of two it does not', async ({
  kind,
  act,
}) => {
  const two = await placeWith(kind, 2)
  expect(await ACTS[act]?.(admin, two)).toBe(false)
  expect(await ACTS[act]?.(admin, { ...two, userId: two.userIds[1] ?? '' })).toBe(true)
})

test('taking the role from the last moderator of a channel says that nobody moderates it', async () => {
  const { space, role, userId } = await placeWith('channel', 1)
  expect(await saysSo(removeDeskRole(admin, { space, userIds: [userId], role }))).toBe(true)
})

test('a moderator who is banned from the network moderates nothing: the one who is left is the last', async () => {
  const place = await placeWith('community', 2)
  const [first = '', second = ''] = place.userIds
  await banPerson(admin, { userId: first, space: NETWORK, minutes: null })
  expect(await readLastModerated(admin, { space: place.space, userIds: [second] })).toEqual([place.name])
  expect(await ACTS['a ban from the space']?.(admin, { ...place, userId: second })).toBe(true)
})

test('before a ban, all spaces that it would leave without a moderator are named to those who may ban there', async () => {
  const { userId } = await make.user()
  const places = [await channelOf(), await communityOf()]
  for (const place of places) await place.moderate(userId)
  const shared = await placeWith('community', 1)
  await shared.moderate(userId)
  const names = places.map(({ name }) => name).sort()

  expect((await readLastModerated(admin, { space: NETWORK, userIds: [userId] })).sort()).toEqual(names)
  for (const { space, name } of places)
    expect(await readLastModerated(admin, { space, userIds: [userId] })).toEqual([name])
  expect(await readLastModerated(admin, { space: shared.space, userIds: [userId] })).toEqual([])
  expect(await readLastModerated(admin, { space: shared.space, userIds: [userId, shared.userId] })).toEqual([
    shared.name,
  ])

  const stranger = ctxOf(database, asUser((await make.user()).userId))
  for (const space of [NETWORK, ...places.map((place) => place.space)])
    expect(await readLastModerated(stranger, { space, userIds: [userId] })).toEqual([])
})

test.each([
  'channel',
  'community',
  'network',
] as const)('nobody who moderates a space is banned with others from a %s', async (scope) => {
  for (const kind of ['channel', 'community'] as const) {
    const { userId } = await placeWith(kind, 1)
    const place = scope === 'network' ? undefined : await PLACES[scope]()
    const spaceId = place ? Object.values(place.space)[1] : ''
    const wanted = sql`select ${spaceId}::text as space_id, ${userId}::text as user_id`
    const failures = selectSanctionFailures(admin, { sanction: 'ban', scope }, wanted)
    expect(await query(admin, failures)).toMatchObject([{ failure: 'REVIEWER' }])
  }
})
