import { describe, expect, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { createSetupLink, setUp } from '#server/modules/accounts/access/set-up.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'

const { database, make } = await testDatabase()
const api = await testApi(database, { RATE_LIMITS: 'off' })
const limited = await testApi(database, { TRUST_PROXY: '1', RATE_LIMITS: 'signin=10/h' })
const own = { origin: api.url }

const signIn = (email: string, password: string, headers: Record<string, string> = own) =>
  api.call('POST', '/api/auth/sign-in/email', { body: { email, password }, headers })
/** A try where attempts are limited. */
const knock = (email: string, password: string, from: string) =>
  limited.call('POST', '/api/auth/sign-in/email', {
    body: { email, password },
    headers: { origin: limited.url, 'x-forwarded-for': from },
  })
const cookieOf = (answer: { headers: Headers }) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
const ask = (procedure: string, cookie: string, input?: unknown) =>
  api.call(
    'GET',
    `/api/trpc/${procedure}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
    { headers: { cookie } },
  )
const act = (procedure: string, cookie: string, body: unknown, headers: Record<string, string> = own) =>
  api.call('POST', `/api/trpc/${procedure}`, { body, headers: { cookie, ...headers } })

async function signedIn(role: { roleId: string; communityId?: string }) {
  const person = await api.staff(role)
  const answer = await signIn(person.email, person.password)
  expect(answer.status).toBe(200)
  return { ...person, cookie: cookieOf(answer) }
}

describe('signing in', () => {
  test('gives a session in a cookie that scripts cannot read and other sites do not send', async () => {
    const person = await api.staff({ roleId: 'moderator' })
    const answer = await signIn(person.email.toUpperCase(), person.password)
    expect(answer.headers.getSetCookie()[0]).toMatch(/^docket\.session_token=.*HttpOnly.*SameSite=Lax/i)
    const me = await ask('access.me', cookieOf(answer))
    expect(me.body.result.data).toMatchObject({
      staffId: person.staffId,
      userId: person.userId,
      email: person.email,
      reviews: true,
    })
  })

  test('logs a sign-in as done by the person, with the address in the part that can be erased', async () => {
    const person = await api.staff({ roleId: 'moderator' })
    await signIn(person.email, person.password)
    const entry = await database.prisma.audit.findFirst({
      where: { action: 'staff.signedIn', subjectId: person.staffId },
    })
    expect(entry).toMatchObject({
      actorKind: 'user',
      actorId: person.userId,
      source: 'desk',
      after: { by: 'password' },
    })
    expect(JSON.stringify(entry?.after)).not.toContain('127.0.0.1')
    const text = await database.prisma.auditText.findUnique({ where: { auditId: entry?.auditId ?? 0n } })
    expect(text?.text).toBe('127.0.0.1')
  })

  test('fails alike for a wrong password and an unknown address, and returns the attempts left', async () => {
    const person = await api.staff({ roleId: 'moderator' })
    for (const [email, left] of [
      [person.email, '9'],
      ['nobody@docket.example', '9'],
    ] as const) {
      const answer = await knock(email, 'not the password', '192.0.2.1')
      expect([answer.status, answer.body, answer.headers.get('x-tries-left')]).toEqual([
        401,
        { status: 'error', code: 400100, message: 'Unauthorized' },
        left,
      ])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test.runIf(IS_STRESS)(
    'is rejected after ten wrong attempts, with when to retry; a right one before that resets the count',
    async () => {
      const person = await api.staff({ roleId: 'moderator' })
      const attempt = (password: string) => knock(person.email, password, '192.0.2.2')
      for (let tries = 0; tries < 9; tries += 1) await attempt('wrong')
      expect((await attempt(person.password)).status).toBe(200)
      for (let tries = 0; tries < 10; tries += 1) expect((await attempt('wrong')).status).toBe(401)
      const refused = await attempt(person.password)
      expect([refused.status, refused.body.code]).toEqual([429, 400311])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )

  test('is rejected from a page of another site, without an origin, or as a form', async () => {
    const person = await api.staff({ roleId: 'moderator' })
    expect((await signIn(person.email, person.password, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await signIn(person.email, person.password, {})).status).toBe(403)
    expect((await signIn(person.email, person.password, { ...own, 'content-type': 'text/plain' })).status).toBe(400)
  })

  test('ends on sign-out, and at once when the account is disabled or its user banned', async () => {
    const first = await signedIn({ roleId: 'moderator' })
    await api.call('POST', '/api/auth/sign-out', { body: {}, headers: { ...own, cookie: first.cookie } })
    expect((await ask('access.me', first.cookie)).status).toBe(401)

    const second = await signedIn({ roleId: 'moderator' })
    await database.prisma.staffAccount.update({ where: { id: second.staffId }, data: { isDisabled: true } })
    expect((await ask('access.me', second.cookie)).status).toBe(401)
    expect((await signIn(second.email, second.password)).status).toBe(401)

    const third = await signedIn({ roleId: 'moderator' })
    await database.prisma.user.update({ where: { userId: third.userId }, data: { isGlobalBan: true } })
    expect((await ask('access.me', third.cookie)).status).toBe(401)
  })

  test('no other route of better-auth is open', async () => {
    for (const path of [
      'sign-up/email',
      'update-user',
      'change-password',
      'request-password-reset',
      'get-session',
      'delete-user',
    ]) {
      expect((await api.call('POST', `/api/auth/${path}`, { body: {}, headers: own })).status).toBe(404)
    }
  })

  test('rejects a cookie with a forged signature, also after the right one was used', async () => {
    const { cookie } = await signedIn({ roleId: 'moderator' })
    const forged = cookie.replace(/=([^.]+)\..*/, `=$1.${encodeURIComponent(Buffer.alloc(32).toString('base64'))}`)
    const longer = cookie.replace(/(session_token=[^;]+)/, '$1!')
    const statuses = []
    for (const sent of [forged, cookie, forged, longer]) statuses.push((await ask('access.me', sent)).status)
    expect(statuses).toEqual([401, 200, 401, 401])
  })
})

describe('the desk over tRPC', () => {
  test('a reviewer of one community gets 403 for another’s queue and 404 for its items, decisions and undo', async () => {
    const { communityId } = await make.community()
    const { cookie } = await signedIn({ roleId: 'community-moderator', communityId })
    const foreign = await make.heldComment({ data: { text: 'not for you' } })
    const colleague = await signedIn({ roleId: 'community-moderator', communityId: foreign.communityId })
    const decided = await act('review.decide', colleague.cookie, {
      ...comment(foreign),
      version: 1,
      outcome: 'approved',
    })
    const still = await make.heldComment({ communityId: foreign.communityId })

    const answers = [
      [await ask('review.queue', cookie, { communityId: foreign.communityId }), 403],
      [await ask('review.item', cookie, comment(still)), 404],
      [await act('review.decide', cookie, { ...comment(still), version: 1, outcome: 'approved' }), 404],
      [await act('review.undo', cookie, { decisionId: decided.body.result.data.decisionId }), 404],
    ] as const
    for (const [answer, status] of answers) {
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.body)).not.toContain('not for you')
    }
    expect((await ask('review.queue', cookie, {})).body.result.data.items).toEqual([])
    expect(
      (await ask('review.counts', cookie)).body.result.data.communities.map(
        (one: { communityId: string }) => one.communityId,
      ),
    ).toEqual([communityId])
  })

  test('support cannot read pending items, and nobody can read anything without a session', async () => {
    const { cookie } = await signedIn({ roleId: 'support' })
    const held = await make.heldComment()
    expect((await ask('access.me', cookie)).body.result.data.reviews).toBe(false)
    expect((await ask('review.queue', cookie, { communityId: held.communityId })).status).toBe(403)
    expect((await ask('review.counts', cookie)).body.result.data).toEqual({
      total: 0,
      mine: 0,
      escalated: 0,
      reported: 0,
      communities: [],
    })
    for (const procedure of ['access.me', 'review.counts', 'review.queue'])
      expect((await ask(procedure, '', {})).status).toBe(401)
  })

  test('rejects a mutation from another site before reading it', async () => {
    const { cookie } = await signedIn({ roleId: 'moderator' })
    const body = { ...comment(await make.heldComment()), version: 1, outcome: 'approved' }
    expect((await act('review.decide', cookie, body, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await act('review.decide', cookie, body, { origin: 'null' })).status).toBe(403)
    expect((await act('review.decide', cookie, body, {})).status).toBe(403)
  })

  test('names invalid input and leaks nothing internal', async () => {
    const { cookie } = await signedIn({ roleId: 'moderator' })
    const bad = await act('review.decide', cookie, { commentId: 'a\0', version: 0, outcome: 'maybe' })
    expect([bad.status, bad.body.error.data.docket.wire, bad.body.error.message]).toEqual([
      422,
      500000,
      'Parameters validation error',
    ])
    expect(JSON.stringify(bad.body)).not.toMatch(/stack|node_modules|select /i)
    const unknown = await ask('review.nothing', cookie)
    expect(unknown.status).toBe(404)
    const halfSent = await api.call('POST', '/api/trpc/review.decide', {
      body: '{"commentId":',
      headers: { ...own, cookie },
    })
    expect(halfSent.status).toBeGreaterThanOrEqual(400)
    expect(halfSent.status).toBeLessThan(500)
  })
})

describe('the set-up link', async () => {
  const { database: fresh } = await testDatabase()

  test('creates one admin, once, while there is none: of two at once, one', async () => {
    const ctx = systemCtx(fresh)
    const links = [await createSetupLink(ctx), await createSetupLink(ctx)]
    const results = await Promise.allSettled(
      links.map((token, index) =>
        setUp(ctx, {
          token: token ?? '',
          name: 'First',
          email: `first${index}@docket.example`,
          password: 'twelve letters',
        }),
      ),
    )
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await fresh.prisma.staffAccount.count()).toBe(1)
    expect(await createSetupLink(ctx)).toBeUndefined()
    const late = await setUp(ctx, {
      token: links[0] ?? '',
      name: 'Late',
      email: 'late@docket.example',
      password: 'twelve letters',
    }).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(DomainError)
  })
})

const comment = ({ commentId }: { commentId: string }) => ({ subjectType: 'comment', subjectId: commentId })
