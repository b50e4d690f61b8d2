import { describe, expect, test } from 'vitest'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'

/** Sign-in attempts an hour; few, as comparing a password is slow on purpose. */
const LIMIT = 3
const { database, prisma } = await testDatabase()
const api = await testApi(database, { TRUST_PROXY: '1', RATE_LIMITS: `signin=${LIMIT}/h` })

const knock = (email: string, password: string, { from, cookie = '' }: { from: string; cookie?: string }) =>
  api.call('POST', '/api/auth/sign-in/email', {
    body: { email, password },
    headers: { origin: api.url, 'x-forwarded-for': from, cookie },
  })
const deviceOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .find((cookie) => cookie.startsWith('docket.device=')) ?? ''
const failuresOf = (subjectId: string) =>
  prisma.audit.findMany({ where: { action: 'staff.signInFailed', subjectId }, orderBy: { auditId: 'asc' } })
let networks = 0
/** Addresses of a network that no other test uses. */
const network = () => {
  networks += 1
  const own = networks
  return (host: number) => `10.${own}.${Math.floor(host / 250)}.${host % 250}`
}

describe('a person’s sign-in attempts', () => {
  test('are not used up by strangers elsewhere: the right password works from anywhere', async () => {
    const address = network()
    const person = await api.staff({ roleId: 'moderator' })
    for (let tries = 0; tries < LIMIT + 2; tries += 1)
      expect((await knock(person.email, 'wrong', { from: address(1) })).status).toBe(tries < LIMIT ? 401 : 429)
    expect((await knock(person.email, person.password, { from: address(2) })).status).toBe(200)
  })

  test.runIf(IS_STRESS)(
    'count separately on a device and at an address where they signed in, however many strangers guess',
    async () => {
      const address = network()
      const person = await api.staff({ roleId: 'moderator' })
      const device = deviceOf(await knock(person.email, person.password, { from: address(1) }))
      expect(device).not.toBe('')

      let rejections = 0
      for (let stranger = 0; stranger < 2 * LIMIT + 4; stranger += 1)
        if ((await knock(person.email, 'wrong', { from: address(100 + stranger) })).status === 429) rejections += 1
      expect(rejections).toBe(4)
      expect((await knock(person.email, person.password, { from: address(99) })).status).toBe(429)
      expect((await knock(person.email, person.password, { from: address(98), cookie: device })).status).toBe(200)
      expect((await knock(person.email, person.password, { from: address(1) })).status).toBe(200)
    },
  )

  test.runIf(IS_STRESS)('on a known device are not used up by strangers of the same address', async () => {
    const address = network()
    const person = await api.staff({ roleId: 'moderator' })
    const device = deviceOf(await knock(person.email, person.password, { from: address(1) }))
    for (let tries = 0; tries <= LIMIT; tries += 1) await knock(person.email, 'wrong', { from: address(1) })
    expect((await knock(person.email, person.password, { from: address(1) })).status).toBe(429)
    expect((await knock(person.email, person.password, { from: address(1), cookie: device })).status).toBe(200)
  })

  test.runIf(IS_STRESS)(
    'are counted on a known device too, and a device is only known to the accounts that signed in on it',
    async () => {
      const address = network()
      const [person, other] = [await api.staff({ roleId: 'moderator' }), await api.staff({ roleId: 'moderator' })]
      const device = deviceOf(await knock(person.email, person.password, { from: address(1) }))
      for (let tries = 0; tries < LIMIT; tries += 1)
        await knock(person.email, 'wrong', { from: address(tries), cookie: device })
      expect((await knock(person.email, person.password, { from: address(11), cookie: device })).status).toBe(429)

      for (let tries = 0; tries < LIMIT; tries += 1)
        await knock(other.email, 'wrong', { from: address(20), cookie: device })
      expect((await knock(other.email, other.password, { from: address(20), cookie: device })).status).toBe(429)
      const forged = `${device.slice(0, -4)}AAAA`
      expect((await knock(person.email, person.password, { from: address(11), cookie: forged })).status).toBe(200)
    },
  )

  test('count per IPv6 network, not per address', async () => {
    const person = await api.staff({ roleId: 'moderator' })
    const statuses: number[] = []
    for (let tries = 0; tries <= LIMIT; tries += 1)
      statuses.push((await knock(person.email, 'wrong', { from: `2001:db8:7:7::${tries}` })).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect((await knock(person.email, person.password, { from: '2001:db8:7:8::1' })).status).toBe(200)
  })
})

test('never count by the leftmost address of a chain, which anyone can write', async () => {
  const trusting = await testApi(database, { TRUST_PROXY: 'true', RATE_LIMITS: 'signin=1/h' })
  const caller = network()(1)
  const statuses: number[] = []
  for (let tries = 0; tries < 6; tries += 1) {
    const headers = { 'x-forwarded-for': `192.0.2.${tries}, ${caller}` }
    statuses.push((await trusting.call('GET', '/api/auth/passkey/generate-authenticate-options', { headers })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

describe('a failed sign-in', () => {
  test('is logged with address and account, and whether the account exists, is disabled or has too many attempts', async () => {
    const address = network()
    const person = await api.staff({ roleId: 'moderator' })
    await knock(person.email, 'wrong', { from: address(1) })
    await prisma.staffAccount.update({ where: { id: person.staffId }, data: { isDisabled: true } })
    for (let tries = 0; tries <= LIMIT; tries += 1) await knock(person.email, person.password, { from: address(1) })
    const rows = await failuresOf(person.staffId)
    expect(rows.map(({ after }) => Object(after).why)).toEqual([
      'wrong',
      ...Array.from({ length: LIMIT - 1 }, () => 'switchedOff'),
      'tooManyTries',
    ])
    expect(rows[0]).toMatchObject({ actorKind: 'nobody', actorId: null, subjectType: 'staff', source: 'desk' })
    const text = await prisma.auditText.findFirst({ where: { auditId: rows[0]?.auditId ?? 0n } })
    expect(text?.text).toBe(`${person.email} · ${address(1)}`)

    await knock('Nobody.Here@docket.example', 'wrong', { from: address(2) })
    const unknown = await failuresOf('unknown')
    const last = unknown.at(-1)
    expect(last?.after).toMatchObject({ by: 'password', why: 'unknownAccount' })
    expect((await prisma.auditText.findFirst({ where: { auditId: last?.auditId ?? 0n } }))?.text).toBe(
      `nobody.here@docket.example · ${address(2)}`,
    )
  })

  test('gets the same answer, header by header, for an account that exists, a disabled one and none', async () => {
    const address = network()
    const [person, off] = [await api.staff({ roleId: 'moderator' }), await api.staff({ roleId: 'moderator' })]
    await prisma.staffAccount.update({ where: { id: off.staffId }, data: { isDisabled: true } })
    const answers = [
      await knock(person.email, 'wrong', { from: address(1) }),
      await knock(off.email, off.password, { from: address(2) }),
      await knock('none@docket.example', 'wrong', { from: address(3) }),
    ].map(({ status, body, headers }) => {
      const seen = Object.fromEntries(headers.entries())
      for (const changing of ['date', 'x-request-id']) delete seen[changing]
      return { status, body, seen }
    })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  /** Someone with a passkey, and sign-ins with it that fail. */
  async function passkeyAt({ staff, call, url }: typeof api) {
    const { staffId } = await staff({ roleId: 'moderator' })
    const credentialID = `credential-of-${staffId}`
    await prisma.staffPasskey.create({
      data: {
        id: `key-of-${staffId}`,
        userId: staffId,
        publicKey: 'k',
        credentialID,
        counter: 0,
        deviceType: 'd',
        backedUp: false,
      },
    })
    const fail = (from: string) =>
      call('POST', '/api/auth/passkey/verify-authentication', {
        body: { response: { id: credentialID } },
        headers: { origin: url, 'x-forwarded-for': from },
      })
    return { staffId, fail }
  }

  test('with a passkey is logged too, with the account if known', async () => {
    const person = await passkeyAt(api)
    expect((await person.fail(network()(1))).status).toBe(401)
    expect((await failuresOf(person.staffId)).map(({ after }) => after)).toMatchObject([
      { by: 'passkey', why: 'wrong' },
    ])
  })

  test('adds at most twenty rows a minute from one address, and the next row has the number left out', async () => {
    const person = await passkeyAt(await testApi(database, { TRUST_PROXY: '1', RATE_LIMITS: 'off' }))
    const address = network()
    for (let tries = 0; tries < 23; tries += 1) await person.fail(address(1))
    expect(await failuresOf(person.staffId)).toHaveLength(20)
    await person.fail(address(2))
    expect((await failuresOf(person.staffId)).at(-1)?.after).toMatchObject({ leftOutBefore: 3 })
  })
})
