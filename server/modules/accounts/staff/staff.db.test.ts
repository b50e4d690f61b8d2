import { randomUUID } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { expect, test } from 'vitest'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { actorOfToken } from '#server/testing/actors.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
// All of them come from one address.
const api = await testApi(database, { RATE_LIMITS: 'read=100000/s,write=100000/s,signin=10000/m' })
// As strict as usual, for longer than any test takes; callers name the address they come from.
const strict = await testApi(database, { RATE_LIMITS: 'signin=10/h', TRUST_PROXY: '1' })
const from = (address: string, cookie = '') => ({ origin: strict.url, 'x-forwarded-for': address, cookie })
const { database: alone } = await testDatabase()
const there = await testApi(alone)
const own = { origin: api.url }
const PASSWORD = 'another-password-for-tests'

const ask = (procedure: string, cookie: string, input?: unknown) =>
  api.call('GET', `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input ?? null))}`, {
    headers: { cookie },
  })
const act = (procedure: string, cookie: string, body: unknown) =>
  api.call('POST', `/api/trpc/${procedure}`, { body, headers: { cookie, ...own } })
const knock = (email: string, password: string) =>
  api.call('POST', '/api/auth/sign-in/email', { body: { email, password }, headers: own })
const cookiesOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
const actionsOn = async (staffId: string) =>
  (await prisma.audit.findMany({ where: { subjectId: staffId }, orderBy: { auditId: 'asc' } })).map(
    ({ action }) => action,
  )

async function seated(roleId: string) {
  const person = await api.staff({ roleId })
  return { ...person, cookie: await api.signIn(person) }
}

async function invited(cookie: string, over: object = {}) {
  const email = `${randomUUID()}@docket.example`
  const answer = await act('staff.invite', cookie, { email, name: 'New one', roleId: 'moderator', ...over })
  return { email, answer, ...answer.body.result?.data } as {
    email: string
    answer: typeof answer
    staffId: string
    token: string
  }
}

/** Any role of this rank and these permissions. */
async function roleOf(rank: number, permissions: string[]): Promise<string> {
  const roleId = `role-${randomUUID()}`
  await prisma.role.create({ data: { roleId, displayName: 'Some role', rank, scope: 'network', permissions } })
  return roleId
}

test('an invite is accepted once, with a chosen name and password, and is an account from then on', async () => {
  const admin = await seated('global-admin')
  const { email, token, staffId } = await invited(admin.cookie)
  expect((await ask('staff.read', admin.cookie, { staffId })).body.result.data).toMatchObject({
    state: 'invited',
    roles: [{ roleId: 'moderator', spaces: 1 }],
    linkExpiresAt: expect.any(String),
    mayChange: true,
  })
  expect((await ask('staff.link', '', { token })).body.result.data).toEqual({
    purpose: 'invitation',
    email,
    name: 'New one',
  })
  const took = await Promise.all(
    [1, 2].map(() => act('staff.acceptInvite', '', { token, name: 'Called so', password: PASSWORD })),
  )
  expect(took.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const answer = await knock(email, PASSWORD)
  expect(answer.status).toBe(200)
  expect((await ask('access.me', cookiesOf(answer))).body.result.data).toMatchObject({ name: 'Called so', staffId })
  expect((await ask('staff.link', '', { token })).status).toBe(404)
  expect(await actionsOn(staffId)).toEqual(['staff.created', 'staff.linkMade', 'staff.accepted', 'staff.signedIn'])
  const logged = await prisma.audit.findMany({ where: { subjectId: staffId }, select: { before: true, after: true } })
  expect(JSON.stringify(logged)).not.toContain(token)
})

test('a link that expired or was replaced does not work', async () => {
  const admin = await seated('global-admin')
  const first = await invited(admin.cookie)
  const { token } = (await act('staff.makeLink', admin.cookie, { staffId: first.staffId })).body.result.data
  expect((await ask('staff.link', '', { token: first.token })).status).toBe(404)
  expect((await ask('staff.link', '', { token })).status).toBe(200)
  await prisma.staffLink.update({ where: { staffId: first.staffId }, data: { expiresAt: new Date() } })
  expect((await act('staff.acceptInvite', '', { token, name: 'Late', password: PASSWORD })).status).toBe(404)
})

test('withdrawing an invitation leaves neither account nor role, and an accepted one can’t be withdrawn', async () => {
  const admin = await seated('global-admin')
  const { staffId, token } = await invited(admin.cookie)
  const { networkUserId } = await prisma.staffAccount.findUniqueOrThrow({ where: { id: staffId } })
  expect((await act('staff.withdraw', admin.cookie, { staffId })).status).toBe(200)
  expect((await ask('staff.link', '', { token })).status).toBe(404)
  expect((await prisma.user.findUniqueOrThrow({ where: { userId: networkUserId } })).roles).toEqual([])
  const colleague = await api.staff({ roleId: 'support' })
  expect((await act('staff.withdraw', admin.cookie, { staffId: colleague.staffId })).status).toBe(409)
})

test('rejects giving a role beyond one’s own, and acting on oneself or people who are not of lower rank', async () => {
  const roleId = await roleOf(700, ['MANAGE_STAFF', 'VIEW_USERS', 'VIEW_CHANNELS', 'VIEW_HISTORY'])
  const chief = await seated(roleId)
  const admin = await seated('global-admin')
  const support = await api.staff({ roleId: 'support' })
  expect((await invited(chief.cookie, { roleId: 'global-admin' })).answer.status).toBe(403)
  expect((await invited(chief.cookie, { roleId: 'moderator' })).answer.status).toBe(403)
  expect((await invited(chief.cookie, { roleId: 'support' })).answer.status).toBe(200)
  expect((await invited(chief.cookie, { roleId: 'nothing' })).answer.status).toBe(404)

  for (const staffId of [admin.staffId, chief.staffId, (await api.staff({ roleId })).staffId]) {
    for (const [procedure, input] of [
      ['makeLink', {}],
      ['switch', { isOn: false }],
      ['endSessions', {}],
      ['resetSecondFactor', {}],
      ['giveRole', { roleId: 'support' }],
      ['takeRole', { roleId }],
      ['withdraw', {}],
    ] as const) {
      expect([procedure, (await act(`staff.${procedure}`, chief.cookie, { staffId, ...input })).status]).toEqual([
        procedure,
        403,
      ])
    }
    expect((await ask('staff.sessions', chief.cookie, { staffId })).body.result.data).toEqual([])
  }
  expect((await act('staff.giveRole', chief.cookie, { staffId: support.staffId, roleId: 'moderator' })).status).toBe(
    403,
  )
  expect((await act('staff.takeRole', chief.cookie, { staffId: support.staffId, roleId: 'support' })).status).toBe(200)
  expect((await act('staff.takeRole', chief.cookie, { staffId: support.staffId, roleId: 'support' })).status).toBe(409)
})

test('switching off ends sessions, links and tokens immediately, including issued ones; switching on restores none', async () => {
  const admin = await seated('global-admin')
  const other = await seated('global-admin')
  const { accessToken } = await createToken(systemCtx(database), { userId: other.userId, lifetimeMs: 3_600_000 })
  const issued = await act('credentials.issueToken', other.cookie, { name: 'Export', roleId: 'support', hours: 1 })
  const { secret } = issued.body.result.data
  const { token } = (await act('staff.makeLink', admin.cookie, { staffId: other.staffId })).body.result.data

  const off = await Promise.all(
    [1, 2].map(() => act('staff.switch', admin.cookie, { staffId: other.staffId, isOn: false })),
  )
  expect(off.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const ended = async () => {
    expect((await ask('access.me', other.cookie)).status).toBe(401)
    expect((await ask('staff.link', '', { token })).status).toBe(404)
    for (const one of [accessToken, secret]) expect((await actorOfToken(pool, one)).kind).toBe('nobody')
  }
  await ended()
  expect((await knock(other.email, other.password)).status).toBe(401)
  expect((await act('staff.switch', admin.cookie, { staffId: other.staffId, isOn: true })).status).toBe(200)
  await ended()
  expect((await knock(other.email, other.password)).status).toBe(200)
})

test('of two global admins who switch each other off at once, one stays', async () => {
  const both = await Promise.all([1, 2].map(() => there.staff({ roleId: 'global-admin' })))
  const seats = await Promise.all(both.map(async (one) => ({ ...one, cookie: await there.signIn(one) })))
  const results = await Promise.all(
    seats.map(({ cookie }, index) =>
      there.call('POST', '/api/trpc/staff.switch', {
        body: { staffId: seats[1 - index]?.staffId, isOn: false },
        headers: { cookie, origin: there.url },
      }),
    ),
  )
  expect(results.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(await alone.prisma.staffAccount.count({ where: { isDisabled: false } })).toBeGreaterThanOrEqual(1)
})

test('a new password by an admin’s link ends every earlier session; one’s own change keeps the current session', async () => {
  const admin = await seated('global-admin')
  const person = await seated('moderator')
  const { token } = (await act('staff.makeLink', admin.cookie, { staffId: person.staffId })).body.result.data
  expect((await ask('access.me', person.cookie)).status).toBe(200)
  expect((await ask('staff.link', '', { token })).body.result.data.purpose).toBe('password')
  expect((await act('staff.acceptInvite', '', { token, password: PASSWORD })).status).toBe(200)
  expect((await ask('access.me', person.cookie)).status).toBe(401)
  expect((await knock(person.email, person.password)).status).toBe(401)

  const [here, elsewhere] = await Promise.all([1, 2].map(() => api.signInByPassword({ ...person, password: PASSWORD })))
  const change = { currentPassword: PASSWORD, newPassword: 'the third password' }
  expect((await act('ownSignIn.changePassword', here ?? '', { ...change, currentPassword: 'wrong' })).status).toBe(422)
  expect((await act('ownSignIn.changePassword', here ?? '', change)).body.result.data).toEqual({ endedSessions: 1 })
  expect((await ask('access.me', here ?? '')).status).toBe(200)
  expect((await ask('access.me', elsewhere ?? '')).status).toBe(401)
  expect(await actionsOn(person.staffId)).toContain('staff.passwordReset')
  expect(await actionsOn(person.staffId)).toContain('staff.passwordChanged')
})

test.runIf(IS_STRESS)('somebody at a desk that was left open gets ten attempts at its password', async () => {
  const person = await strict.staff({ roleId: 'moderator' })
  const headers = from('198.51.100.77', await strict.signIn(person))
  const attempt = (password: string) =>
    strict.call('POST', '/api/trpc/ownSignIn.endCodes', { body: { password }, headers })
  for (let tries = 0; tries < 10; tries += 1) expect((await attempt('wrong')).status).toBe(422)
  expect((await attempt(person.password)).status).toBe(429)
  const { email, password } = person
  expect((await strict.call('POST', '/api/auth/sign-in/email', { body: { email, password }, headers })).status).toBe(
    200,
  )
})

test('people see and end their own sessions, and those of colleagues of lower rank', async () => {
  const admin = await seated('global-admin')
  const person = await seated('moderator')
  // Sessions of the same millisecond have no order.
  const createdAt = new Date(Date.now() - 60_000)
  await prisma.staffSession.updateMany({ where: { userId: person.staffId }, data: { createdAt } })
  const second = await api.signIn(person)
  const { sessions } = (await ask('ownSignIn.read', person.cookie)).body.result.data
  expect(sessions.map(({ isThis }: { isThis: boolean }) => isThis)).toEqual([false, true])
  const stranger = await seated('moderator')
  const other = { sessionId: sessions[0].sessionId }
  expect((await act('ownSignIn.endSessions', stranger.cookie, other)).status).toBe(404)
  expect((await act('ownSignIn.endSessions', person.cookie, other)).status).toBe(200)
  expect((await ask('access.me', second)).status).toBe(401)

  const seen = (await ask('staff.sessions', admin.cookie, { staffId: person.staffId })).body.result.data
  expect(seen).toMatchObject([{ sessionId: sessions[1].sessionId, lastSeenAt: expect.any(String) }])
  expect(JSON.stringify(seen)).not.toContain('token')
  expect((await act('staff.endSessions', admin.cookie, { staffId: person.staffId })).body.result.data).toEqual({
    ended: 1,
  })
  expect((await ask('access.me', person.cookie)).status).toBe(401)
  expect((await ask('staff.read', admin.cookie, { staffId: person.staffId })).body.result.data.lastSeenAt).toBeDefined()
})

/** Also accepts the code of the next step: an app's clock may be ahead. */
const NEXT = 1
const codeOf = (uri: string, steps = 0) => {
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return createOTP(base32(secret)).hotp(Math.floor(Date.now() / 30_000) + steps)
}

/** A code that is right at no time near. */
async function wrongCodeOf(uri: string): Promise<string> {
  const right = await Promise.all([-2, -1, 0, 1, 2, 3].map((steps) => codeOf(uri, steps)))
  const codes = Array.from({ length: right.length + 1 }, (_, digit) => String(digit).repeat(6))
  return codes.find((code) => !right.includes(code)) ?? ''
}

function base32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replace(/=+$/, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join('')
}

async function withCodes() {
  const person = await seated('moderator')
  const begun = await act('ownSignIn.beginCodes', person.cookie, { password: person.password })
  expect(begun).toMatchObject({ status: 200 })
  const { uri } = begun.body.result.data
  const code = await codeOf(uri)
  const confirmed = await act('ownSignIn.confirmCodes', person.cookie, { code })
  expect(confirmed).toMatchObject({ status: 200 })
  return { ...person, uri, code, backupCodes: confirmed.body.result.data.backupCodes as string[] }
}

const giveCode = (cookie: string, code: string, way = 'verify-totp') =>
  api.call('POST', `/api/auth/two-factor/${way}`, { body: { code }, headers: { ...own, cookie } })

test('a second factor is on once one of its codes was confirmed, and from then on a password alone is not enough', async () => {
  const person = await seated('moderator')
  const begun = await act('ownSignIn.beginCodes', person.cookie, { password: person.password })
  expect((await knock(person.email, person.password)).body).toEqual({ status: 'success', asksForCode: false })
  const { uri } = begun.body.result.data
  expect((await act('ownSignIn.confirmCodes', person.cookie, { code: await wrongCodeOf(uri) })).status).toBe(422)
  const confirmed = await act('ownSignIn.confirmCodes', person.cookie, { code: await codeOf(uri) })
  expect(confirmed.body.result.data.backupCodes).toHaveLength(10)
  expect(JSON.stringify(await prisma.staffSecondFactor.findMany())).not.toContain(
    confirmed.body.result.data.backupCodes[0],
  )
  expect((await ask('access.me', person.cookie)).status).toBe(200)

  const before = await actionsOn(person.staffId)
  const first = await knock(person.email, person.password)
  expect(first.body).toEqual({ status: 'success', asksForCode: true })
  expect((await ask('access.me', cookiesOf(first))).status).toBe(401)
  expect((await giveCode(cookiesOf(first), await wrongCodeOf(uri))).status).toBe(401)
  expect(await actionsOn(person.staffId)).toEqual([...before, 'staff.signInFailed'])
  const second = await giveCode(cookiesOf(first), await codeOf(uri, NEXT))
  expect(second.status).toBe(200)
  expect((await ask('access.me', cookiesOf(second))).status).toBe(200)
  const last = await prisma.audit.findFirst({ where: { subjectId: person.staffId }, orderBy: { auditId: 'desc' } })
  expect([last?.action, last?.after]).toEqual(['staff.signedIn', { by: 'code' }])
  expect((await act('ownSignIn.beginCodes', person.cookie, { password: person.password })).status).toBe(409)
})

test('a backup code signs in once', async () => {
  const { email, password, backupCodes } = await withCodes()
  const code = backupCodes[3] ?? ''
  expect((await giveCode(cookiesOf(await knock(email, password)), code, 'verify-backup-code')).status).toBe(200)
  expect((await giveCode(cookiesOf(await knock(email, password)), code, 'verify-backup-code')).status).toBe(401)
})

test('an app’s code signs in once, and earlier ones no longer work; confirming the second factor counts as a use', async () => {
  const { email, password, uri, code: first } = await withCodes()
  expect((await giveCode(cookiesOf(await knock(email, password)), first)).status).toBe(401)
  const [earlier, code] = [await codeOf(uri), await codeOf(uri, NEXT)]
  expect((await giveCode(cookiesOf(await knock(email, password)), code)).status).toBe(200)
  expect((await giveCode(cookiesOf(await knock(email, password)), code)).status).toBe(401)
  expect((await giveCode(cookiesOf(await knock(email, password)), earlier)).status).toBe(401)
})

test.each([
  'verify-totp',
  'verify-backup-code',
])('of two people who use one code at once to %s, exactly one gets in', async (way) => {
  const { email, password, uri, backupCodes } = await withCodes()
  const cookies = await Promise.all(Array.from({ length: 4 }, async () => cookiesOf(await knock(email, password))))
  const code = way === 'verify-totp' ? await codeOf(uri, NEXT) : (backupCodes[0] ?? '')
  const answers = await Promise.all(cookies.map((cookie) => giveCode(cookie, code, way)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  const sessions = await Promise.all(answers.map((answer) => ask('access.me', cookiesOf(answer))))
  expect(sessions.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
})

test.runIf(IS_STRESS)('guessing codes elsewhere with a known password does not shut the owner out', async () => {
  const { email, password, uri, staffId } = await withCodes()
  const wrong = await wrongCodeOf(uri)
  const welcomed = cookiesOf(await giveCode(cookiesOf(await knock(email, password)), await codeOf(uri, NEXT)))
  const device = welcomed.split('; ').find((cookie) => cookie.startsWith('docket.device=')) ?? ''
  await prisma.staffSecondFactor.updateMany({ where: { userId: staffId }, data: { lastUsedStep: null } })
  const knockFrom = (address: string, cookie?: string) =>
    strict.call('POST', '/api/auth/sign-in/email', { body: { email, password }, headers: from(address, cookie) })
  for (let guesses = 0; guesses < 12; guesses += 1) {
    const address = `198.51.100.${guesses}`
    const cookie = cookiesOf(await knockFrom(address))
    await strict.call('POST', '/api/auth/two-factor/verify-totp', {
      body: { code: wrong },
      headers: from(address, cookie),
    })
  }
  const mine = `${device}; ${cookiesOf(await knockFrom('203.0.113.9', device))}`
  const opened = await strict.call('POST', '/api/auth/two-factor/verify-totp', {
    body: { code: await codeOf(uri, NEXT) },
    headers: from('203.0.113.9', mine),
  })
  expect(opened.status).toBe(200)
})

test('a session can’t replace the first step, nor turn on a second factor that was started', async () => {
  const person = await seated('moderator')
  const { uri } = (await act('ownSignIn.beginCodes', person.cookie, { password: person.password })).body.result.data
  expect((await giveCode(person.cookie, await codeOf(uri))).status).toBe(401)
  expect((await ask('ownSignIn.read', person.cookie)).body.result.data.hasSecondFactor).toBe(false)
})

test('five wrong codes end the first step, and a right one after them is rejected', async () => {
  const { email, password, uri } = await withCodes()
  const cookie = cookiesOf(await knock(email, password))
  const wrong = await wrongCodeOf(uri)
  for (let tries = 0; tries < 5; tries += 1) await giveCode(cookie, wrong)
  expect((await giveCode(cookie, await codeOf(uri, NEXT))).status).toBe(401)
})

test('a second factor is turned off with the password, or by an admin of higher rank for somebody who lost it', async () => {
  const admin = await seated('global-admin')
  const one = await withCodes()
  expect((await act('ownSignIn.endCodes', one.cookie, { password: 'wrong' })).status).toBe(422)
  expect((await act('ownSignIn.endCodes', one.cookie, { password: one.password })).status).toBe(200)
  expect((await knock(one.email, one.password)).body.asksForCode).toBe(false)

  const other = await withCodes()
  await prisma.staffPasskey.create({
    data: {
      id: randomUUID(),
      userId: other.staffId,
      publicKey: 'k',
      credentialID: randomUUID(),
      counter: 0,
      deviceType: 'd',
      backedUp: false,
    },
  })
  const reset = () => act('staff.resetSecondFactor', admin.cookie, { staffId: other.staffId })
  expect((await reset()).body.result.data).toEqual({ passkeys: 1 })
  expect((await knock(other.email, other.password)).body.asksForCode).toBe(false)
  expect((await reset()).status).toBe(409)
})

test('only its owner can remove a passkey', async () => {
  const [one, other] = await Promise.all([seated('moderator'), seated('moderator')])
  const passkeyId = randomUUID()
  await prisma.staffPasskey.create({
    data: {
      id: passkeyId,
      userId: one.staffId,
      publicKey: 'k',
      credentialID: randomUUID(),
      counter: 0,
      deviceType: 'd',
      backedUp: false,
    },
  })
  expect((await act('ownSignIn.removePasskey', other.cookie, { passkeyId })).status).toBe(404)
  expect((await act('ownSignIn.removePasskey', one.cookie, { passkeyId })).status).toBe(200)
  expect((await ask('ownSignIn.read', one.cookie)).body.result.data.passkeys).toEqual([])
})

test('the role of an invited moderator applies in their community', async () => {
  const admin = await seated('global-admin')
  const { communityId } = await make.community()
  expect((await invited(admin.cookie, { roleId: 'community-moderator' })).answer.status).toBe(422)
  const { staffId } = await invited(admin.cookie, { roleId: 'community-moderator', communityId })
  expect((await ask('staff.read', admin.cookie, { staffId })).body.result.data.roles).toMatchObject([
    { roleId: 'community-moderator', scope: 'community', spaces: 1 },
  ])
})
