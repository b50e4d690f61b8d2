import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyFor } from '#server/core/secret.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { actorOfSession } from '#server/testing/actors.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, pool } = await testDatabase()
const api = await testApi(database)
const key = keyFor('a secret for tests, long enough to be one', 'sessions').toString('base64url')
const cookieOf = (token: string) => {
  const signature = createHmac('sha256', key).update(token).digest('base64')
  return `docket.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
const tokenIn = (cookie: string) =>
  decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '').split('.', 1)[0] ?? ''
const statusWith = async (cookie: string) =>
  (await api.call('GET', '/api/trpc/access.me', { headers: { cookie } })).status

async function signedIn() {
  const person = await api.staff({ roleId: 'support' })
  const cookie = await api.signInByPassword(person)
  return { ...person, cookie, token: tokenIn(cookie) }
}

test('stores a digest of a session’s token and nothing that opens the session', async () => {
  const { staffId, cookie, token } = await signedIn()
  const [session] = await prisma.staffSession.findMany({ where: { userId: staffId } })
  expect(session?.token).toBe(sessionDigest(token))
  expect(JSON.stringify(session)).not.toContain(token)
  expect(await statusWith(cookie)).toBe(200)
  for (const stored of [sessionDigest(token), `sha256:${sessionDigest(token)}`]) {
    expect(await actorOfSession(pool, stored)).toEqual({ kind: 'nobody' })
    expect(await statusWith(cookieOf(stored))).toBe(401)
    const options = await api.call('GET', '/api/auth/passkey/generate-register-options', {
      headers: { cookie: cookieOf(stored) },
    })
    expect(options.status).toBe(401)
  }
})

test('signing out ends the session of the request and no other', async () => {
  const person = await signedIn()
  const other = await api.signInByPassword(person)
  const headers = { cookie: person.cookie, origin: api.url }
  expect((await api.call('POST', '/api/auth/sign-out', { headers, body: {} })).status).toBe(200)
  expect([await statusWith(person.cookie), await statusWith(other)]).toEqual([401, 200])
  expect(await prisma.staffSession.count({ where: { userId: person.staffId } })).toBe(1)
})
