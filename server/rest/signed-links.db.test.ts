import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { digestOf } from '#server/core/ids.ts'
import { recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const { call, url, staff, signIn, tokenOf } = await testApi(database)
const DAY = '2026-03-01'

await call('PUT', '/api/v3/network-settings/moderation', { token: await tokenOf(), body: { isReportEnabled: true } })
await recordAudits(ctxOf(database, asUser('someone'), { now: () => new Date(`${DAY}T12:00:00Z`) }), [
  { action: 'user.globallyBanned', subjectType: 'user', subjectId: 'someone' },
])

/** Calls the desk's own interface as a signed-in person. */
async function desk(cookie: string, procedure: string, input: unknown): Promise<string> {
  const answer = await call('POST', `/api/trpc/${procedure}`, { body: input, headers: { cookie, origin: url } })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.result.data
}

/** How the desk gets a link, by the file that signs it. */
const LINKS: Record<string, (cookie: string) => Promise<string>> = {
  'server/modules/ledger/audit/export-audit.ts': (cookie) => desk(cookie, 'audit.export', {}),
  'server/modules/ledger/audit/open-report.ts': (cookie) => desk(cookie, 'reports.open', { fileId: DAY }),
  'server/modules/people/export-person.ts': async (cookie) =>
    desk(cookie, 'users.export', { userId: (await make.user()).userId, reason: 'A letter' }),
  'server/modules/review/export/export-queue.ts': (cookie) => desk(cookie, 'review.export', {}),
}

test('every link that is signed is in the table of these tests', () => {
  const files = readdirSync('server/modules', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `server/modules/${name}`)
  const signing = files.filter((file) => readFileSync(file, 'utf8').includes('signLink('))
  expect(signing.sort()).toEqual(Object.keys(LINKS).sort())
})

interface Asker {
  staffId: string
  userId: string
}

/** How people lose what they had when they asked for a link. */
const LOSSES: Record<string, (asker: Asker) => Promise<unknown>> = {
  'their account is switched off': ({ staffId }) =>
    prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } }),
  'their session is ended': ({ staffId }) => prisma.staffSession.deleteMany({ where: { userId: staffId } }),
  'they lose their role': ({ userId }) => prisma.user.update({ where: { userId }, data: { roles: [] } }),
  'they are banned from the network': ({ userId }) =>
    prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
}

const cases = Object.keys(LINKS).flatMap((file) => Object.keys(LOSSES).map((loss) => ({ file, loss })))

/** Without a role the queue has nothing in it: the file is its header. */
async function showsNothing(answer: Response): Promise<boolean> {
  if (answer.status === 403 || answer.status === 404) return true
  return answer.status === 200 && /^\uFEFF?type,id,[a-z_,]+\r\n$/.test(await answer.text())
}

test.each(cases)('a link signed by $file ends when $loss', async ({ file, loss }) => {
  await make.heldComment()
  const account = await staff({ roleId: 'global-admin' })
  const { networkUserId } = await prisma.staffAccount.findUniqueOrThrow({ where: { id: account.staffId } })
  const cookie = await signIn(account)
  const path = (await LINKS[file]?.(cookie)) ?? ''
  const open = () => fetch(`${url}${path}`, { headers: { cookie } })
  expect(await showsNothing(await open())).toBe(false)
  await LOSSES[loss]?.({ staffId: account.staffId, userId: networkUserId })
  expect(await showsNothing(await open())).toBe(true)
})

/** The address that REST redirects an app to. */
async function redirectOf(token: string): Promise<string> {
  const sent = await fetch(`${url}/api/v1/reports/moderation-activity/download?fileId=${DAY}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
  })
  expect(sent.status).toBe(302)
  return `${url}${sent.headers.get('location')}`
}

const statusAt = async (address: string) => (await fetch(address)).status
const which = (token: string) => ({ digest: new Uint8Array(digestOf(token)) })

test('the address of a report works without a token, until the token that asked for it is revoked', async () => {
  const token = await adminTokenOf(database, 'support')
  const address = await redirectOf(token)
  expect(await statusAt(address)).toBe(200)
  await prisma.accessToken.update({ where: which(token), data: { revokedAt: new Date() } })
  expect(await statusAt(address)).toBe(404)
})

test('the address of a report ends when the token may no longer read reports', async () => {
  const token = await adminTokenOf(database, 'support')
  const address = await redirectOf(token)
  await prisma.accessToken.update({ where: which(token), data: { roleId: 'channel-moderator' } })
  expect([403, 404]).toContain(await statusAt(address))
})

test('the address of a report ends when the person who issued the token is switched off', async () => {
  const issuer = await staff({ roleId: 'global-admin' })
  const { networkUserId } = await prisma.staffAccount.findUniqueOrThrow({ where: { id: issuer.staffId } })
  const token = await adminTokenOf(database, 'support')
  await prisma.accessToken.update({ where: which(token), data: { createdBy: networkUserId } })
  const address = await redirectOf(token)
  expect(await statusAt(address)).toBe(200)
  await prisma.staffAccount.update({ where: { id: issuer.staffId }, data: { isDisabled: true } })
  expect(await statusAt(address)).toBe(404)
})

test('the address of a report is for the credential that asked for it: no other can be put in its place', async () => {
  const [token, other] = [await adminTokenOf(database, 'support'), await adminTokenOf(database, 'support')]
  const address = new URL(await redirectOf(token))
  const { tokenId } = await prisma.accessToken.findUniqueOrThrow({ where: which(other) })
  address.searchParams.set('credentialId', tokenId)
  expect(await statusAt(String(address))).toBe(404)
})
