import { expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const { url, call, staff, signIn } = await testApi(database)
const cookie = await signIn(await staff({ roleId: 'support' }))
const get = (path: string) => call('GET', `/api/trpc/${path}`, { headers: { cookie } })
const post = (path: string, body: unknown) =>
  call('POST', `/api/trpc/${path}`, { body, headers: { cookie, origin: url } })
const inputs = (input: unknown) => `input=${encodeURIComponent(JSON.stringify(input))}`
const codeOf = (answer: { error: { data: { code: string } } }) => answer.error.data.code

test('a call is answered with its result, a batch with one answer for each call', async () => {
  const one = await get('access.me')
  expect([one.status, one.body.result.data.userId]).toEqual([200, expect.any(String)])
  expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const two = await get(`access.me,bulk.recent?batch=1&${inputs({})}`)
  expect([two.status, two.body.length]).toEqual([200, 2])
})

test('calls of a batch fail by themselves, with 207 where they end differently', async () => {
  const answer = await get(`access.me,users.read,no.such?batch=1&${inputs({ 1: { userId: 'no such person' } })}`)
  expect(answer.status).toBe(207)
  const [first, second, third] = answer.body
  expect([first.error, codeOf(second), codeOf(third)]).toEqual([undefined, 'NOT_FOUND', 'NOT_FOUND'])
  const both = await get(`no.such,no.other?batch=1&${inputs({})}`)
  expect(both.status).toBe(404)
})

test.each([
  'constructor',
  '__proto__',
  'access',
  'access.constructor',
  'access.me.call',
  '%00',
  '',
])('no procedure is called %j', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('a query is read with GET, a mutation sent with POST', async () => {
  expect((await post('access.me', {})).status).toBe(404)
  expect((await get('review.undo')).status).toBe(404)
  expect((await get('live.events?batch=1')).status).not.toBe(200)
  expect((await post('review.undo', { decisionId: '1' })).status).toBe(404)
})

test.each([
  ['half a text', 'users.read?input=%7B%22userId%22'],
  ['a text', 'users.read?input=%22a%22'],
  ['nothing', 'users.read'],
  ['two inputs', 'users.read?input=1&input=2'],
])('an input that is %s is a clear error', async (_, path) => {
  const { status, body } = await get(path)
  expect([status, body.error.data.docket.facts.detail[0]]).toEqual([422, expect.stringMatching(/./)])
})

test('a batch whose inputs are a number has a clear error for each call with an input', async () => {
  const { status, body } = await get('users.read,access.me?batch=1&input=1')
  expect([status, body[0].error.data.docket.facts.detail, body[1].error]).toEqual([
    207,
    ['input: must be an object of inputs by number'],
    undefined,
  ])
})
