import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { testApi } from '#server/testing/api.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'

const { database, url } = await testDatabase()
const make = factoriesOf(database)
const chat = channelFactoriesOf(database)
const { communityId } = await make.community()
const { channelId } = await chat.channel()

/** One connection, so that all its statements are in one place. */
const narrow = openDatabase({ url, connections: 1, onError: () => {} })
const recorded = recordStatements(narrow.pool)
const api = await testApi(narrow)
const staff = await api.staff({ roleId: 'moderator' })
const cookie = await api.signIn(staff)

async function moderatorToken() {
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: ['community-moderator'] })
  await chat.channelUser({ channelId, userId, roles: ['channel-moderator'] })
  return api.tokenOf(userId)
}
const tokens = { 'a moderator': await moderatorToken(), 'an admin token': await api.tokenOf() }

interface Call {
  method: string
  path: string
  body?: unknown
}

/** The statements of the second of two such acts, each on a subject of its own; the first finds out who the caller is. */
async function warmStatements(headers: Record<string, string>, act: () => Promise<Call>): Promise<string[]> {
  for (const time of ['first', 'second']) {
    const { method, path, body } = await act()
    recorded.clear()
    const answer = await api.call(method, path, { headers, body })
    expect([time, answer.status, answer.body?.error]).toEqual([time, 200, undefined])
  }
  return [...recorded.all]
}

const onPeople = {
  'ban from a channel': async () => {
    const { userId } = await chat.channelUser({ channelId })
    return { method: 'PUT', path: `/api/v3/channels/${channelId}/users/ban`, body: { userIds: [userId] } }
  },
  'unban from a channel': async () => {
    const { userId } = await chat.channelUser({ channelId, membership: 'banned' })
    return { method: 'PUT', path: `/api/v3/channels/${channelId}/users/unban`, body: { userIds: [userId] } }
  },
  'ban of three people from a community': async () => {
    const members = await Promise.all([make.user(), make.user(), make.user()])
    for (const { userId } of members) await make.member({ communityId, userId })
    const userIds = members.map(({ userId }) => userId)
    return { method: 'PUT', path: `/api/v3/communities/${communityId}/users/ban`, body: { userIds } }
  },
  'removal from a community': async () => {
    const { userId } = await make.user()
    await make.member({ communityId, userId })
    return { method: 'DELETE', path: `/api/v3/communities/${communityId}/users`, body: { userIds: [userId] } }
  },
}

for (const [who, token] of Object.entries(tokens))
  test.each(Object.entries(onPeople))(`a warm %s by ${who} takes at most two statements`, async (_name, act) => {
    const statements = await warmStatements({ authorization: `Bearer ${token}` }, act)
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(2)
  })

test.each(['approve', 'decline'])('a warm %s over REST takes at most two statements', async (verb) => {
  const statements = await warmStatements({ authorization: `Bearer ${tokens['a moderator']}` }, async () => {
    const { commentId } = await make.heldComment({ communityId })
    return { method: 'POST', path: `/api/v3/comments/${commentId}/${verb}` }
  })
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(2)
})

const inTransactions: Record<string, [count: number, act: () => Promise<Call>]> = {
  'flag of a comment': [
    9,
    async () => {
      const { commentId } = await make.heldComment({ communityId, approvalStatus: 'approved' })
      return { method: 'POST', path: `/api/v3/comments/${commentId}/flag` }
    },
  ],
  'deletion of a comment': [
    7,
    async () => {
      const { commentId } = await make.heldComment({ communityId, approvalStatus: 'approved' })
      return { method: 'DELETE', path: `/api/v4/comments/${commentId}` }
    },
  ],
  'mute of a channel member': [
    10,
    async () => {
      const { userId } = await chat.channelUser({ channelId })
      const body = { userIds: [userId], mutePeriod: 60_000 }
      return { method: 'PUT', path: `/api/v2/channel/${channelId}/users/mute`, body }
    },
  ],
  'mute of a community member': [
    10,
    async () => {
      const { userId } = await make.user()
      await make.member({ communityId, userId })
      const body = { userIds: [userId], mutePeriod: 60_000 }
      return { method: 'PUT', path: `/api/v3/communities/${communityId}/users/mute`, body }
    },
  ],
  'role for a community member': [
    12,
    async () => {
      const { userId } = await make.user()
      await make.member({ communityId, userId })
      const body = { userIds: [userId], role: 'community-moderator' }
      return { method: 'POST', path: `/api/v3/communities/${communityId}/users/roles`, body }
    },
  ],
}

test.each(Object.entries(inTransactions))('a %s takes no more statements than today', async (_name, [count, act]) => {
  const statements = await warmStatements({ authorization: `Bearer ${tokens['a moderator']}` }, act)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(count)
})

const atDesk = { cookie, origin: api.url, 'content-type': 'application/json' }

test.each([
  ['an approval', { outcome: 'approved' }],
  ['a rejection with a reason', { outcome: 'rejected', reasonId: 'spam' }],
])('%s at the desk takes at most two statements', async (_name, decision) => {
  const statements = await warmStatements(atDesk, async () => {
    const { commentId } = await make.heldComment({ communityId })
    const subject = { subjectType: 'comment', subjectId: commentId }
    const body = { ...subject, ...decision, version: 1, clientKey: randomUUID() }
    return { method: 'POST', path: '/api/trpc/review.decide', body }
  })
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(2)
})

test.each([
  ['members.ban', (space: object, userId: string) => ({ space, userIds: [userId], minutes: 60, reason: 'Spam' })],
  ['bans.ban', (space: object, userId: string) => ({ space, userId, minutes: null })],
])('%s at the desk takes at most two statements', async (procedure, inputOf) => {
  const statements = await warmStatements(atDesk, async () => {
    const { userId } = await chat.channelUser({ channelId })
    return { method: 'POST', path: `/api/trpc/${procedure}`, body: inputOf({ scope: 'channel', channelId }, userId) }
  })
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(2)
})

test('the statements of a ban keep their plans', async () => {
  for (const token of Object.values(tokens)) {
    for (let count = 0; count < 20; count += 1) {
      const { method, path, body } = await onPeople['ban from a channel']()
      expect((await api.call(method, path, { token, body })).status).toBe(200)
    }
  }
  // PostgreSQL plans five calls for their values before it compares; changed statistics make it plan once more.
  const { rows } = await narrow.pool.query(`
    select statement, custom_plans from pg_prepared_statements
    where custom_plans + generic_plans >= 20 and custom_plans > 10 and statement like '%channel_user%'`)
  expect(rows).toEqual([])
})

test('a caller who lost the permission since their last act bans nobody', async () => {
  const { userId } = await make.user()
  await chat.channelUser({ channelId, userId, roles: ['channel-moderator'] })
  const token = await api.tokenOf(userId)
  const [first, second] = [await chat.channelUser({ channelId }), await chat.channelUser({ channelId })]
  const ban = (victim: { userId: string }) =>
    api.call('PUT', `/api/v3/channels/${channelId}/users/ban`, { token, body: { userIds: [victim.userId] } })

  expect((await ban(first)).status).toBe(200)
  await database.prisma.user.update({ where: { userId }, data: { isGlobalBan: true } })

  expect((await ban(second)).status).toBe(401)
  expect(await database.prisma.audit.count({ where: { subjectId: second.userId } })).toBe(0)
})
