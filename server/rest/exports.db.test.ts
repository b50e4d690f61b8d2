import { expect, test } from 'vitest'
import { openExport, readExport } from '#server/modules/people/export-person.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const { call, url, staff, signIn } = await testApi(database)

/** Calls the desk's own interface as a signed-in person. */
async function desk(cookie: string, procedure: string, input: unknown) {
  const answer = await call('POST', `/api/trpc/${procedure}`, { body: input, headers: { cookie, origin: url } })
  return answer.status === 200 ? answer.body.result.data : answer.body.error.data.code
}

const pathOf = (link: Record<string, string>) => `/api/v1/exports/users?${new URLSearchParams(link)}`

test('a support agent downloads a person’s data as a file by a link, and others are denied one', async () => {
  const { userId } = await make.user({ userId: `Zoë ${crypto.randomUUID()}`, displayName: 'Zoë' })
  const agent = await signIn(await staff({ roleId: 'support' }))
  const { communityId } = await make.community()
  const reviewer = await signIn(await staff({ roleId: 'community-moderator', communityId }))
  expect(await desk(reviewer, 'users.export', { userId, reason: 'A letter' })).toBe('FORBIDDEN')
  expect(await desk(agent, 'users.export', { userId, reason: ' ' })).toBe('UNPROCESSABLE_CONTENT')
  expect(await desk(agent, 'users.erase', { userId, confirmation: userId })).toBe('FORBIDDEN')

  const answer = await fetch(`${url}${await desk(agent, 'users.export', { userId, reason: 'A letter' })}`, {
    headers: { cookie: agent },
  })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/json; charset=utf-8',
    'no-store',
  ])
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent(`${userId}.json`)}`,
  )
  expect(await answer.json()).toMatchObject({
    userId,
    tables: { network_user: { user_id: [{ display_name: 'Zoë' }] } },
  })
})

test('a link is valid for a minute and for the person it was made for, and rejects forgeries', async () => {
  const [{ userId }, other] = [await make.user(), await make.user()]
  const agent = await signIn(await staff({ roleId: 'support' }))
  const path: string = await desk(agent, 'users.export', { userId, reason: 'x' })
  const link = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
  const statusOf = async (over: Record<string, string>, cookie = agent) =>
    (await call('GET', pathOf({ ...link, ...over }), { headers: { cookie } })).status
  expect(await statusOf({})).toBe(200)
  expect(await statusOf({ userId: other.userId })).toBe(404)
  expect(await statusOf({ expires: String(Number(link.expires) + 1) })).toBe(404)
  expect(await statusOf({ signature: 'AAAA' })).toBe(404)
  const colleague = await signIn(await staff({ roleId: 'support' }))
  expect([await statusOf({}, ''), await statusOf({}, colleague)]).toEqual([404, 404])

  const key = Buffer.alloc(32)
  const ctx = ctxOf(database, asAdmin(['VIEW_USERS', 'VIEW_HISTORY']))
  const made = await openExport(ctx, key, { userId, reason: 'x' })
  const later = new Date(Date.now() + 61_000)
  expect(() => readExport({ ...ctx, now: () => later }, key, made)).toThrow('Resource Not Found.')
})

test('a reviewer downloads the queue as a file, which is for their own session only', async () => {
  const { commentId, communityId } = await make.heldComment({ data: { text: '+1, "yes"' } })
  const role = { roleId: 'community-moderator', communityId: communityId ?? '' }
  const reviewer = await signIn(await staff(role))
  const path = await desk(reviewer, 'review.export', { communityId })
  const answer = await fetch(`${url}${path}`, { headers: { cookie: reviewer } })
  const { headers } = answer
  expect([answer.status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="queue.csv"',
  ])
  expect(await answer.text()).toMatch(new RegExp(`\r\ncomment,${commentId},.*,"'\\+1, ""yes""",text,`))

  expect((await fetch(`${url}${path}`)).status).toBe(404)
  const colleague = await signIn(await staff(role))
  expect((await fetch(`${url}${path}`, { headers: { cookie: colleague } })).status).toBe(404)
})

test('erasing a person requires typing their id', async () => {
  const { userId } = await make.user()
  const admin = await signIn(await staff({ roleId: 'global-admin' }))
  expect(await desk(admin, 'users.erase', { userId, confirmation: 'yes' })).toBe('UNPROCESSABLE_CONTENT')
  expect(await database.prisma.erasure.count({ where: { userId } })).toBe(0)
  expect(await desk(admin, 'users.erase', { userId, confirmation: userId })).toBeUndefined()
  expect(await database.prisma.erasure.count({ where: { userId } })).toBe(1)
})
