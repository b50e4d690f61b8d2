import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/core/database/open-database.ts'
import { readSettings } from '#server/core/env.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { severableProxy } from '#server/testing/severable-proxy.ts'
import { whenOver } from '#server/testing/when-over.ts'

const { database, url, prisma } = await testDatabase()
const provider = await startProvider()
const openId = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_NAME: 'Acme',
  RATE_LIMITS: 'off',
}
const api = await testApi(database, openId)
const welcoming = await testApi(database, { ...openId, OIDC_NEW_ROLE: 'support' })
const plain = await testApi(database)

/** What the provider leaves out or adds. */
interface Answers {
  withoutIdToken?: boolean
  /** Instead of the one that was asked for. */
  nonce?: string
  /** Userinfo answers no JSON. */
  withBrokenUserInfo?: boolean
  /** In the ID token, instead of the whole profile. */
  inToken?: Partial<Profile>
}

interface Profile {
  sub: string
  email: string
  email_verified: unknown
  name: string
}
const profile = (over: Partial<Profile> = {}): Profile => ({
  sub: randomUUID(),
  email: `${randomUUID()}@acme.example`,
  email_verified: true,
  name: 'Kim of Acme',
  ...over,
})

/** A fake OpenID provider: it says who signed in, once for each code. */
async function startProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const asked = new Map<string, { profile: Profile; nonce: string | null; answers: Answers }>()
  const userInfo = new Map<string, Profile>()
  const sign = (claims: object) => {
    const content = [{ alg: 'RS256', kid: 'one', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey).toString('base64url')}`
  }
  /** The tokens for a code, once. */
  const tokensFor = (code: string) => {
    const given = asked.get(code)
    asked.delete(code)
    const now = Math.floor(Date.now() / 1000)
    if (given === undefined) return { error: 'invalid_grant' }
    const { profile, answers } = given
    const nonce = answers.nonce ?? given.nonce
    const claims = { iss: issuer, aud: 'desk', iat: now, exp: now + 60, nonce, ...(answers.inToken ?? profile) }
    if (!answers.withBrokenUserInfo) userInfo.set(code, profile)
    return {
      access_token: code,
      token_type: 'Bearer',
      expires_in: 60,
      ...(!answers.withoutIdToken && { id_token: sign(claims) }),
    }
  }
  const server = createServer(async (request, response) => {
    const answer = (body: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration') {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    }
    if (request.url === '/keys')
      return answer({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (request.url === '/userinfo') {
      const found = userInfo.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
      return found ? answer(found) : response.end('<h1>Out of order</h1>')
    }
    const sent = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    return answer(tokensFor(sent.get('code') ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenOver(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    /** The callback URL that the browser is redirected to, once this person has signed in at the provider. */
    comeBack(address: string, profile: Profile, answers: Answers): string {
      const wanted = new URL(address).searchParams
      const code = randomUUID()
      asked.set(code, { profile, nonce: wanted.get('nonce'), answers })
      return String(new URLSearchParams({ code, state: wanted.get('state') ?? '' }))
    },
  }
}

type Api = typeof api

const begin = (at: Api) =>
  at.call('POST', '/api/auth/sign-in/social', { body: { path: '/queue' }, headers: { origin: at.url } })

const comeBack = (at: Api, begun: { headers: Headers }, query: string) =>
  fetch(`${at.url}/api/auth/callback/openid?${query}`, { headers: { cookie: cookiesOf(begun) }, redirect: 'manual' })

/** From the sign-in page to the provider and back: the final URL and its cookies. */
async function throughProvider(at: Api, who: Profile, answers: Answers = {}) {
  const begun = await begin(at)
  expect(begun.status).toBe(200)
  const back = await comeBack(at, begun, provider.comeBack(begun.body.url, who, answers))
  return { location: back.headers.get('location') ?? '', cookie: cookiesOf(back) }
}

const cookiesOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
const me = async (at: Api, cookie: string) =>
  (await at.call('GET', '/api/trpc/access.me', { headers: { cookie } })).body.result?.data

test('signs in an account by an address that the provider verified, and recognises it again', async () => {
  const account = await api.staff({ roleId: 'moderator' })
  const who = profile({ email: account.email })
  const first = await throughProvider(api, who)
  expect(first.location).toMatch(/\/queue$/)
  expect(await me(api, first.cookie)).toMatchObject({ staffId: account.staffId })
  const logins = await prisma.staffLogin.findMany({ where: { userId: account.staffId, providerId: 'openid' } })
  expect(logins).toMatchObject([{ accountId: who.sub, accessToken: null, refreshToken: null, idToken: null }])

  const again = await throughProvider(api, { ...who, email: `moved-${who.email}` })
  expect(await me(api, again.cookie)).toMatchObject({ staffId: account.staffId })
  const acts = await prisma.audit.findMany({ where: { subjectId: account.staffId }, orderBy: { auditId: 'asc' } })
  expect(acts.map(({ action, after }) => [action, Object(after).by])).toEqual([
    ['staff.created', undefined],
    ['staff.linked', undefined],
    ['staff.signedIn', 'openId'],
    ['staff.signedIn', 'openId'],
  ])
})

test('accepts the invite of an invited person, whose link then stops working', async () => {
  const email = `${randomUUID()}@acme.example`
  const cookie = await api.signIn(await api.staff({ roleId: 'global-admin' }))
  const invited = await api.call('POST', '/api/trpc/staff.invite', {
    body: { email, name: 'Kim', roleId: 'support' },
    headers: { cookie, origin: api.url },
  })
  const { token, staffId } = invited.body.result.data
  expect(await me(api, (await throughProvider(api, profile({ email }))).cookie)).toMatchObject({ staffId })
  const input = encodeURIComponent(JSON.stringify({ token }))
  expect((await api.call('GET', `/api/trpc/staff.link?input=${input}`)).status).toBe(404)
})

test.each([
  'state=unknown&code=some',
  'code=some',
  'error=access_denied',
])('a callback that belongs to no sign-in, as with %s, leads to the sign-in page, which says so', async (query) => {
  const back = await fetch(`${api.url}/api/auth/callback/openid?${query}`, { redirect: 'manual' })
  expect(back.status).toBe(302)
  expect(new URL(back.headers.get('location') ?? '', api.url).pathname).toBe('/sign-in')
  expect(back.headers.get('location')).toMatch(/[?&]error=/)
})

test('while the database is unavailable, both steps answer 503; once it is back, people sign in again', async () => {
  const way = await severableProxy(new URL(url))
  const opened = openDatabase({ url: way.url, connections: 4, onError: () => {} })
  whenOver(() => opened.close())
  const away = await testApi(opened, { ...openId, LOG_LEVEL: 'silent' })
  const account = await api.staff({ roleId: 'moderator' })
  const who = profile({ email: account.email })
  const begun = await begin(away)
  expect(begun.status).toBe(200)

  await way.cut()
  expect((await begin(away)).status).toBe(503)
  expect((await comeBack(away, begun, provider.comeBack(begun.body.url, who, {}))).status).toBe(503)
  expect((await comeBack(away, begun, 'state=unknown&code=some')).status).toBe(503)

  await way.mend()
  const { cookie } = await throughProvider(away, who)
  expect(await me(away, cookie)).toMatchObject({ staffId: account.staffId })
})

test('sends people without an account, or without a verified address, back to the sign-in page', async () => {
  const account = await api.staff({ roleId: 'moderator' })
  for (const who of [profile(), profile({ email: account.email, email_verified: false })]) {
    const { location, cookie } = await throughProvider(api, who)
    expect(location).toMatch(/\/sign-in\?then=%2Fqueue&error=/)
    expect(await me(api, cookie)).toBeUndefined()
  }
  expect(await prisma.staffLogin.count({ where: { userId: account.staffId, providerId: 'openid' } })).toBe(0)
})

test.each([
  'false',
  'TRUE',
  'yes',
  '',
  1,
  0,
  null,
  undefined,
  {},
  [],
  [true],
])('does not take an address for verified that the provider calls %j', async (email_verified) => {
  const account = await api.staff({ roleId: 'global-admin' })
  const { location, cookie } = await throughProvider(api, profile({ email: account.email, email_verified }))
  expect(location).toMatch(/\/sign-in\?then=%2Fqueue&error=/)
  expect(await me(api, cookie)).toBeUndefined()
  const stranger = await throughProvider(welcoming, profile({ email_verified }))
  expect(await me(welcoming, stranger.cookie)).toBeUndefined()
})

test('takes the text "true" of a provider that sends texts, and a capital letter in the address', async () => {
  const account = await api.staff({ roleId: 'moderator' })
  const who = profile({ email: account.email.toUpperCase(), email_verified: 'true' })
  expect(await me(api, (await throughProvider(api, who)).cookie)).toMatchObject({ staffId: account.staffId })
})

test('an address with a letter that only Unicode folds to another is not that other address', async () => {
  const account = await api.staff({ roleId: 'global-admin' })
  const who = profile({ email: account.email.replace('docket', 'doc\u212Aet') })
  expect(who.email.toLowerCase()).toBe(account.email)
  const { cookie } = await throughProvider(api, who)
  expect(await me(api, cookie)).toBeUndefined()
})

test.each<[string, Answers]>([
  ['without an ID token, whatever userinfo answers', { withoutIdToken: true }],
  ['with the nonce of another sign-in', { nonce: 'another' }],
  ['without an address, if userinfo can’t be read', { inToken: { sub: 'somebody' }, withBrokenUserInfo: true }],
  ['with a userinfo answer about somebody else', { inToken: { sub: 'somebody-else' } }],
])('signs nobody in %s', async (_case, answers) => {
  const account = await api.staff({ roleId: 'moderator' })
  const { location, cookie } = await throughProvider(api, profile({ email: account.email }), answers)
  expect(location).toMatch(/\/sign-in\?then=%2Fqueue&error=/)
  expect(await me(api, cookie)).toBeUndefined()
})

test('reads the address from userinfo where the ID token has none', async () => {
  const account = await api.staff({ roleId: 'moderator' })
  const who = profile({ email: account.email })
  const { cookie } = await throughProvider(api, who, { inToken: { sub: who.sub } })
  expect(await me(api, cookie)).toMatchObject({ staffId: account.staffId })
})

test('rejects an account that is switched off', async () => {
  const account = await api.staff({ roleId: 'moderator' })
  await prisma.staffAccount.update({ where: { id: account.staffId }, data: { isDisabled: true } })
  const { location, cookie } = await throughProvider(api, profile({ email: account.email }))
  expect(location).toMatch(/\/sign-in\?.*error=/)
  expect(await me(api, cookie)).toBeUndefined()
})

test('where a role for new people is set, creates an account with it for anyone the provider verified', async () => {
  const who = profile()
  const { cookie } = await throughProvider(welcoming, who)
  const made = await me(welcoming, cookie)
  expect(made).toMatchObject({ name: 'Kim of Acme', email: who.email, roles: [{ roleId: 'support' }] })
  const unverified = await throughProvider(welcoming, profile({ email_verified: false }))
  expect(await me(welcoming, unverified.cookie)).toBeUndefined()
  const created = await prisma.audit.findFirst({ where: { action: 'staff.created', subjectId: made.staffId } })
  expect([created?.actorKind, created?.actorId]).toEqual(['system', 'openid'])
})

test('without the settings there is no such sign-in, and its URL leads nowhere off the desk', async () => {
  const body = { path: '/queue' }
  expect((await plain.call('POST', '/api/auth/sign-in/social', { body, headers: { origin: plain.url } })).status).toBe(
    404,
  )
  expect((await plain.call('GET', '/api/trpc/access.signInOptions')).body.result.data).toEqual({})
  expect((await api.call('GET', '/api/trpc/access.signInOptions')).body.result.data).toEqual({ openIdName: 'Acme' })
  for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example'])
    expect(
      (await api.call('POST', '/api/auth/sign-in/social', { body: { path }, headers: { origin: api.url } })).status,
    ).toBe(422)
})

test('incomplete settings are reported with the names of those that are missing', () => {
  expect(() => readSettings({ OIDC_ISSUER: 'https://id.example' })).toThrow(
    /OIDC_CLIENT_ID: required.*\n.*OIDC_CLIENT_SECRET: required/,
  )
})

test.each([
  '//evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/\\evil.example',
  'https://evil.example',
])('does not redirect to %s after sign-in', async (path) => {
  const answer = await api.call('POST', '/api/auth/sign-in/social', { body: { path }, headers: { origin: api.url } })
  expect([answer.status, answer.body.code]).toEqual([422, 500000])
})
