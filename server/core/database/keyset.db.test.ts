import { expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const api = await testApi(database)
const token = await api.tokenOf()
const { communityId } = await make.community()
const LISTS = ['/api/v3/users', '/api/v3/communities', '/api/v3/channels', `/api/v3/communities/${communityId}/users`]

const forged: [string, unknown][] = [
  ['a key of another type', { after: ['x', 'y'] }],
  ['U+0000 in its key', { after: ['2026-01-01T00:00:00.000Z', 'a\0'] }],
  ['a lone surrogate in its key', { before: ['2026-01-01T00:00:00.000Z', '\ud800'] }],
  ['a time that does not exist', { before: ['2026-13-01T00:00:00.000Z', 'a'] }],
  ['a day that does not exist', { after: ['2026-02-30T00:00:00.000Z', 'a'] }],
  ['the year 0', { after: ['0000-01-01T00:00:00.000Z', 'a'] }],
  ['an offset beyond those of PostgreSQL', { after: ['2026-01-01T00:00:00+23:59', 'a'] }],
  ['a number for the key before which it reads', { before: 5 }],
  ['a skip below zero', { skip: -1 }],
]
test.each(forged)('every list rejects a token with %s with 400000, never a 500', async (_what, content) => {
  for (const list of LISTS) {
    const forgedToken = Buffer.from(JSON.stringify(content)).toString('base64')
    const answer = await api.call('GET', `${list}?options[token]=${encodeURIComponent(forgedToken)}`, { token })
    expect([list, answer.status, answer.body.code]).toEqual([list, 400, 400000])
  }
})

test('a token that a client makes itself names a number of rows', async () => {
  const self = Buffer.from(JSON.stringify({ skip: 0, limit: 2 })).toString('base64')
  for (const list of LISTS) {
    const answer = await api.call('GET', `${list}?options[token]=${encodeURIComponent(self)}`, { token })
    expect([list, answer.status]).toEqual([list, 200])
  }
})

test('reads a token of the oldest client for comments and messages as a number of rows', async () => {
  const users = await Promise.all([make.user(), make.user(), make.user()])
  expect(users).toHaveLength(3)
  const page = async (content: unknown) => {
    const made = Buffer.from(JSON.stringify(content)).toString('base64')
    const answer = await api.call('GET', `/api/v3/users?options[token]=${encodeURIComponent(made)}`, { token })
    return answer.body.users.map(({ userId }: { userId: string }) => userId)
  }
  expect(await page({ last: 2 })).toEqual(await page({ skip: 0, limit: 2 }))
  expect(await page({ after: 1, first: 2 })).toEqual(await page({ skip: 1, limit: 2 }))
  expect(await page({ after: 1, first: 2 })).toHaveLength(2)
})
