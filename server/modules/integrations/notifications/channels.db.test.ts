import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { fillNotifications } from '#server/modules/integrations/notifications/fill-notifications.ts'
import { readMailServer } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import {
  changeMailSettings,
  changeNotificationTexts,
  readMailSettings,
} from '#server/modules/integrations/notifications/mail/mail-settings.ts'
import { createMailTask } from '#server/modules/integrations/notifications/mail/send-due-mail.ts'
import { sendMail } from '#server/modules/integrations/notifications/mail/send-mail.ts'
import { testMail } from '#server/modules/integrations/notifications/mail/test-mail.ts'
import { changeOwnNotifications } from '#server/modules/integrations/notifications/own-notifications.ts'
import { createPushTask } from '#server/modules/integrations/notifications/push/send-due-push.ts'
import { subscribe, unsubscribe } from '#server/modules/integrations/notifications/push/subscriptions.ts'
import { ensureVapid } from '#server/modules/integrations/notifications/push/vapid.ts'
import { MailSettingsChange } from '#server/modules/integrations/notifications/schema.ts'
import { signStop } from '#server/modules/integrations/notifications/stop-link.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { testApi } from '#server/testing/api.ts'
import { asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { createBrowserKeys, openPushStub } from '#server/testing/push-stub.ts'
import { openSmtpStub } from '#server/testing/smtp-stub.ts'
import { createStaffAccount, type StaffAccount } from '#server/testing/staff-account.ts'

const { database, prisma, make } = await testDatabase()
const SERVER = { security: 'starttls', username: '', fromAddress: 'docket@desk.example', fromName: 'Docket' } as const

const as = (account: StaffAccount, over: Partial<Ctx> = {}) => {
  const { userId, name, staffId } = account
  return ctxOf(database, { kind: 'user', userId, name, staffId }, over)
}
const admin = async (): Promise<Ctx> => {
  const { userId, name, staffId } = await createStaffAccount(database, { roleId: 'global-admin', name: 'Ada' })
  return ctxOf(database, {
    kind: 'admin',
    userId,
    name,
    staffId,
    rank: 1_000,
    permissions: new Set(['MANAGE_CREDENTIALS']),
  })
}
const versionOf = async () => (await prisma.notificationSettings.findUniqueOrThrow({ where: { id: 1 } })).version

describe('the mail server of the settings', () => {
  test('its password is stored sealed, never shown or logged, kept by a change without one, and used to sign in', async () => {
    const signedIn: string[][] = []
    const stub = await openSmtpStub({ signIn: (...given) => signedIn.push(given) > 0 })
    onTestFinished(stub.close)
    const ctx = await admin()
    const server = { ...SERVER, host: '127.0.0.1', port: stub.port, username: 'docket' }
    const change = async (password?: string | null) => {
      const more = password === undefined ? {} : { password }
      return changeMailSettings(ctx, { version: await versionOf(), server: { ...server, ...more } }, testNotifications)
    }
    const answers = [await change('a secret'), await change(), await readMailSettings(ctx, testNotifications)]
    expect(answers.map((answer) => answer.server?.hasPassword)).toEqual([true, true, true])
    expect(await testMail(ctx, testNotifications)).toEqual({ durationMs: expect.any(Number), to: expect.any(String) })
    expect(signedIn).toEqual([['docket', 'a secret']])
    expect(stub.mails.map(({ headers }) => headers.subject)).toEqual(['Test mail from Docket'])

    const logged = await prisma.audit.findMany({ where: { action: 'notifications.mailChanged' } })
    const stored = await prisma.notificationSettings.findUniqueOrThrow({ where: { id: 1 } })
    expect(logged).toHaveLength(2)
    expect(
      JSON.stringify([answers, logged.map(({ after }) => after)]) + Buffer.from(stored.password ?? []).toString(),
    ).not.toContain('a secret')
    const otherSecret = { ...testNotifications, key: Buffer.alloc(32) }
    expect(await testMail(ctx, otherSecret)).toMatchObject({ problem: 'secret' })
    expect((await change(null)).server?.hasPassword).toBe(false)
  })

  test('of two admins who change it at once, one does; nobody else may read, change or test it', async () => {
    const ctx = await admin()
    const version = await versionOf()
    const change = () => changeMailSettings(ctx, { version, server: null }, testNotifications).catch(failureOf)
    expect((await Promise.all([change(), change()])).filter((result) => result === 'CHANGED')).toHaveLength(1)
    expect(
      await changeNotificationTexts(ctx, { version, includesText: true }, testNotifications).catch(failureOf),
    ).toBe('CHANGED')
    expect(await testMail(ctx, testNotifications).catch(failureOf)).toBe('NOT_FOUND')
    const { communityId } = await make.community()
    const moderator = as(await createStaffAccount(database, { roleId: 'community-moderator', communityId }))
    const acts = [
      () => readMailSettings(moderator, testNotifications),
      () => changeMailSettings(moderator, { version, server: null }, testNotifications),
      () => changeNotificationTexts(moderator, { version, includesText: true }, testNotifications),
      () => testMail(moderator, testNotifications),
    ]
    for (const act of acts) expect(await act().catch(failureOf)).toBe('FORBIDDEN')
    const fixed = { ...testNotifications, smtp: { url: 'smtps://mail.internal', from: 'Desk <desk@desk.example>' } }
    const again = { version: await versionOf(), server: null }
    expect(await changeMailSettings(ctx, again, fixed).catch(failureOf)).toBe('FORBIDDEN')
    expect(await readMailSettings(ctx, fixed)).toMatchObject({
      isFromEnvironment: true,
      server: { host: 'mail.internal', port: 465, fromName: 'Desk', fromAddress: 'desk@desk.example' },
    })
  })

  test.each([
    ['a\r\nb.example', 25],
    ['mail.example/path', 25],
    ['user@mail.example', 25],
    ['', 25],
    ['mail.example', 0],
    ['mail.example', 65_536],
  ])('rejects %j with port %i', (host, port) => {
    expect(MailSettingsChange.safeParse({ version: 1, server: { ...SERVER, host, port } }).success).toBe(false)
  })

  const MAIL = { to: { name: 'A', address: 'a@desk.example' }, subject: 'S', text: 'T' }

  test('it is only connected to at public addresses, every one of them, whatever its name leads to', async () => {
    const stub = await openSmtpStub()
    onTestFinished(stub.close)
    const server = { ...SERVER, host: 'mail.example', port: stub.port, password: undefined, isTrusted: false }
    const send = (addresses: string[], more: object = {}) =>
      sendMail({ ...server, ...more }, MAIL, {
        allowsLoopback: false,
        resolve: async () => addresses.map((address) => ({ address })),
      })
    for (const addresses of [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['8.8.8.8', '127.0.0.1'], ['::1']])
      expect(await send(addresses)).toMatchObject({ problem: 'address' })
    expect(await send([], { host: '[::1]' })).toMatchObject({ problem: 'address' })
    expect(await send([])).toMatchObject({ problem: 'name' })
    expect(stub.mails).toEqual([])
    expect(await send(['127.0.0.1'], { isTrusted: true })).not.toHaveProperty('problem')
  })

  test.each([
    ['a port where nobody listens', { port: 1 }, 'connection'],
    ['a sender that is refused', { fromAddress: 'no@desk.example' }, 'sender'],
    ['a server that speaks no TLS', { security: 'tls' as const }, 'certificate'],
  ])('says why with %s', async (_, wrong, problem) => {
    const stub = await openSmtpStub({ sender: (address) => (address.startsWith('no@') ? 550 : undefined) })
    onTestFinished(stub.close)
    const server = { ...SERVER, host: '127.0.0.1', port: stub.port, password: undefined, isTrusted: true, ...wrong }
    expect(await sendMail(server, MAIL, { allowsLoopback: true })).toMatchObject({ problem })
  })

  test('without one, what is due is dropped', async () => {
    await prisma.notificationSettings.update({ where: { id: 1 }, data: { host: null } })
    expect(await readMailServer(systemCtx(database), testNotifications)).toBeUndefined()
    const { mina } = await handed('mail')
    await createMailTask(testNotifications)(systemCtx(database))
    expect(await statesOf(mina)).toEqual(['dropped'])
  })
})

/** A moderator with this channel, and an item that a colleague handed to them. */
async function handed(channel: 'mail' | 'push') {
  const { communityId } = await make.community({ displayName: 'Harbour' })
  const moderator = () => createStaffAccount(database, { roleId: 'community-moderator', communityId, name: 'Mina' })
  const [mina, colleague] = [await moderator(), await moderator()]
  await changeOwnNotifications(
    as(mina),
    { zone: 'UTC', choice: { topic: 'escalated', channel, pace: 'once' } },
    testNotifications,
  )
  const { commentId } = await make.heldComment({ communityId })
  const item = { subjectType: 'comment' as const, subjectId: commentId }
  await escalate(ctxOf(database, asUser(colleague.userId)), { ...item, note: 'Look', handTo: mina.userId })
  await inTransaction(systemCtx(database), sequenceEvents)
  while (await fillNotifications(systemCtx(database)));
  return { mina, item }
}

const statesOf = async ({ userId }: StaffAccount) =>
  (await prisma.notification.findMany({ where: { userId } })).map(({ state }) => state)

describe('push', () => {
  beforeEach(async () => void (await prisma.pushSubscription.deleteMany()))

  async function browsers(account: StaffAccount, paths: string[]) {
    const stub = await openPushStub()
    onTestFinished(stub.close)
    const keys = paths.map(() => createBrowserKeys())
    for (const [index, path] of paths.entries()) {
      const given = keys[index]?.keys ?? { p256dh: '', auth: '' }
      await subscribe(as(account), { endpoint: `${stub.url}${path}`, keys: given }, testNotifications)
    }
    return { stub, keys }
  }

  test('all browsers of a person get what only they can read, signed by the network', async () => {
    const { mina, item } = await handed('push')
    const { stub, keys } = await browsers(mina, ['/one', '/two'])
    const push = createPushTask(testNotifications)
    await push(systemCtx(database))
    await push(systemCtx(database))
    const messages = stub.received.map(({ path, body }) => keys[path === '/one' ? 0 : 1]?.read(body))
    const message = {
      title: 'An item in Harbour was handed to you (escalated by Name of',
      url: `https://desk.example/queue?view=escalated&item=comment%3A${item.subjectId}`,
    }
    expect(messages).toEqual(
      Array(2).fill({ ...message, title: expect.stringContaining(message.title), body: '', tag: expect.any(String) }),
    )
    const { authorization } = stub.received[0]?.headers ?? {}
    const { publicKey } = await ensureVapid(systemCtx(database), testNotifications)
    const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(String(authorization)) ?? []
    expect(key).toBe(publicKey)
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      aud: stub.url,
      sub: 'https://desk.example',
    })
    expect(await statesOf(mina)).toEqual(['sent'])
  })

  test('a browser that is gone is forgotten, and a service that fails is asked again', async () => {
    const { mina } = await handed('push')
    const { stub } = await browsers(mina, ['/gone', '/never-was', '/fails'])
    const statuses: Record<string, number> = { '/gone': 410, '/never-was': 404, '/fails': 503 }
    stub.answerWith((path) => statuses[path] ?? 201)
    const clock = clockAt(new Date().toISOString())
    const ctx = { ...systemCtx(database), now: clock.now }
    const push = createPushTask(testNotifications)
    await push(ctx)
    const left = await prisma.pushSubscription.findMany({ where: { userId: mina.userId } })
    expect(left.map(({ endpoint }) => endpoint)).toEqual([`${stub.url}/fails`])
    expect(await statesOf(mina)).toEqual(['waiting'])
    stub.answerWith(() => 201)
    await push(ctx)
    clock.advance(60_000)
    await push(ctx)
    expect(await statesOf(mina)).toEqual(['sent'])
    expect(stub.received.filter(({ path }) => path === '/fails')).toHaveLength(2)
  })

  test('an address in a private network is rejected, and not posted to either', async () => {
    const { mina } = await handed('push')
    const { keys } = createBrowserKeys()
    const strict = { ...testNotifications, allowsLoopback: false }
    for (const endpoint of ['http://127.0.0.1/a', 'https://10.0.0.1/a', 'https://[::1]/a', 'http://push.example/a'])
      expect(await subscribe(as(mina), { endpoint, keys }, strict).catch(failureOf)).toBe('INVALID_PARAMETERS')
    const { stub } = await browsers(mina, ['/one'])
    await createPushTask(strict)(systemCtx(database))
    expect(stub.received).toEqual([])
    expect(await statesOf(mina)).toEqual(['waiting'])
    await prisma.notification.deleteMany({ where: { userId: mina.userId } })
  })

  test('a browser belongs to who turned push on in it last, and only they can turn it off', async () => {
    const [one, other] = [await handed('push'), await handed('push')]
    const { stub } = await browsers(one.mina, ['/shared'])
    const endpoint = `${stub.url}/shared`
    await subscribe(as(other.mina), { endpoint, keys: createBrowserKeys().keys }, testNotifications)
    expect(await unsubscribe(as(one.mina), { endpoint })).toEqual({ browsers: 0 })
    await createPushTask(testNotifications)(systemCtx(database))
    expect(stub.received).toHaveLength(1)
    expect([await statesOf(one.mina), await statesOf(other.mina)]).toEqual([['dropped'], ['sent']])
    expect(await unsubscribe(as(other.mina), { endpoint })).toEqual({ browsers: 0 })
  })

  test('the keys of the network are made once by several callers at once, and again with another secret', async () => {
    await prisma.notificationSettings.update({ where: { id: 1 }, data: { vapidPublic: null, vapidPrivate: null } })
    const read = (parts = testNotifications) => ensureVapid(systemCtx(database), parts)
    const [first, ...others] = await Promise.all([read(), read(), read()])
    expect(others).toEqual([first, first])
    const { mina } = await handed('push')
    await browsers(mina, ['/one'])
    const changed = await read({ ...testNotifications, key: Buffer.alloc(32, 1) })
    expect(changed.publicKey).not.toBe(first.publicKey)
    expect(await prisma.pushSubscription.count({ where: { userId: mina.userId } })).toBe(0)
  })
})

test('mail programs stop a mail’s notifications with one request without cookies; opening the address changes nothing', async () => {
  const api = await testApi(database)
  const { mina } = await handed('mail')
  const token = signStop(testNotifications.linkKey, { staffId: mina.staffId, topics: ['escalated'] }, new Date())
  const path = `/api/notifications/stop?token=${token}`
  const isOn = async () => (await prisma.notificationChoice.count({ where: { userId: mina.userId } })) > 0
  const opened = await fetch(`${api.url}${path}`, { redirect: 'manual' })
  expect([opened.status, opened.headers.get('location'), await isOn()]).toEqual([302, `/stop?token=${token}`, true])

  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (to: string) => (await fetch(`${api.url}${to}`, { method: 'POST', headers, body })).status
  expect([await post(`${path}x`), await post('/api/notifications/stop'), await isOn()]).toEqual([404, 422, true])
  expect([await post(path), await isOn(), await post(path)]).toEqual([200, false, 200])
})
