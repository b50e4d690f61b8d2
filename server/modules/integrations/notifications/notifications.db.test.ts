import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import {
  fillNotifications,
  lookForNotifications,
} from '#server/modules/integrations/notifications/fill-notifications.ts'
import { readMailSettings } from '#server/modules/integrations/notifications/mail/mail-settings.ts'
import { createMailTask } from '#server/modules/integrations/notifications/mail/send-due-mail.ts'
import {
  changeOwnNotifications,
  readOwnNotifications,
  resumeMail,
} from '#server/modules/integrations/notifications/own-notifications.ts'
import type { NotificationsChange, Pace, Topic } from '#server/modules/integrations/notifications/schema.ts'
import { stopNotifications } from '#server/modules/integrations/notifications/stop-notifications.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import { asAdmin, asUser, clockAt, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { testNotifications } from '#server/testing/notifications.ts'
import { openSmtpStub } from '#server/testing/smtp-stub.ts'
import { createStaffAccount, type StaffAccount } from '#server/testing/staff-account.ts'

const { database, prisma, pool, make } = await testDatabase()
const HOUR_MS = 3_600_000
/** More than a mail takes on the busiest machine. */
const UNHURRIED_MS = 20_000

beforeEach(async () => {
  await prisma.notification.deleteMany()
  await prisma.notificationChoice.deleteMany()
  await prisma.notificationPerson.deleteMany()
})

/** A mail server, and Docket with it, at a time that the test sets. */
async function scene(behaviour: Parameters<typeof openSmtpStub>[0] = {}) {
  const server = await openSmtpStub(behaviour)
  onTestFinished(server.close)
  const clock = clockAt(new Date().toISOString())
  const system: Ctx = { ...systemCtx(database), now: clock.now }
  const parts = { ...testNotifications, smtp: server.smtp }
  const { communityId } = await make.community({ displayName: 'Harbour' })
  const as = (account: Pick<StaffAccount, 'userId' | 'name' | 'staffId'>) =>
    ctxOf(database, { kind: 'user', ...account }, { now: clock.now })
  const moderator = (name = 'Mina Rao') =>
    createStaffAccount(database, { name, roleId: 'community-moderator', communityId })
  const task = createMailTask(parts, { allowsLoopback: true, limitMs: UNHURRIED_MS })

  return {
    ...{ server, clock, system, parts, communityId, as, moderator },
    /** What this person chose. */
    wants: (account: StaffAccount, topic: Topic, pace: Pace | null = 'once', more: Partial<NotificationsChange> = {}) =>
      changeOwnNotifications(as(account), { zone: 'UTC', ...more, choice: { topic, channel: 'mail', pace } }, parts),
    item: async (over: object = {}) => {
      const { commentId } = await make.heldComment({ communityId, ...over })
      return { subjectType: 'comment' as const, subjectId: commentId }
    },
    /** Writes the notifications of all that has happened. */
    fill: async () => {
      await inTransaction(system, sequenceEvents)
      while (await fillNotifications(system));
    },
    /** Sends what is due, as one process does it until nothing is left. */
    send: async (by = task) => {
      while (await by(system));
    },
    newTask: (limitMs = UNHURRIED_MS) => createMailTask(parts, { allowsLoopback: true, limitMs }),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** A moderator who wants notifications at once, and an item that a colleague handed to them. */
async function handed(scene: Scene, pace: Pace = 'once', more: Partial<NotificationsChange> = {}) {
  const [mina, colleague] = [await scene.moderator(), await scene.moderator('Col League')]
  await scene.wants(mina, 'escalated', pace, more)
  const item = await scene.item()
  await escalate(scene.as(colleague), { ...item, note: 'Is this a threat?', handTo: mina.userId })
  await scene.fill()
  return { mina, colleague, item }
}

const statesOf = async (userId: string) =>
  (await prisma.notification.findMany({ where: { userId }, orderBy: { notificationId: 'asc' } })).map(
    ({ state }) => state,
  )

test('who is handed an item gets one mail that leads to it, and can be stopped from it', async () => {
  const desk = await scene()
  const { mina, item } = await handed(desk)
  await desk.fill()
  await desk.send()
  await desk.send()

  const [mail, ...others] = desk.server.mails
  expect(others).toEqual([])
  expect(mail).toMatchObject({ from: 'docket@desk.example', to: [mina.email] })
  expect(mail?.headers).toMatchObject({
    from: 'Docket <docket@desk.example>',
    to: `Mina Rao <${mina.email}>`,
    subject: 'An item in Harbour was handed to you (escalated by Col League)',
    'list-unsubscribe': expect.stringMatching(/^<https:\/\/desk\.example\/api\/notifications\/stop\?token=[\w.-]+>$/),
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    'auto-submitted': 'auto-generated',
  })
  expect(mail?.text).toContain(`https://desk.example/queue?view=escalated&item=comment%3A${item.subjectId}`)
  expect(mail?.text).not.toContain('threat')
  expect(await statesOf(mina.userId)).toEqual(['sent'])
})

test('there is another notification when an item is handed over again, but none of what one does oneself', async () => {
  const desk = await scene()
  const { mina, colleague, item } = await handed(desk)
  await desk.send()
  await handOver(desk.as(colleague), { ...item, handTo: null })
  await handOver(desk.as(mina), { ...item, handTo: mina.userId })
  await desk.fill()
  await desk.send()
  expect(desk.server.mails).toHaveLength(1)
  await handOver(desk.as(colleague), { ...item, handTo: mina.userId })
  await desk.fill()
  await desk.send()
  expect(desk.server.mails).toHaveLength(2)
})

test.each<[what: string, until: (desk: Scene, found: Awaited<ReturnType<typeof handed>>) => Promise<unknown>]>([
  ['it is decided', (desk, { colleague, item }) => decide(desk.as(colleague), { ...item, outcome: 'approved' })],
  ['it goes to somebody else', (desk, { colleague, item }) => handOver(desk.as(colleague), { ...item, handTo: null })],
  [
    'the person loses the role',
    (_, { mina }) => prisma.communityUser.updateMany({ where: { userId: mina.userId }, data: { roles: [] } }),
  ],
  [
    'the account is disabled',
    (_, { mina }) => prisma.staffAccount.update({ where: { id: mina.staffId }, data: { isDisabled: true } }),
  ],
  ['the person turns it off', (desk, { mina }) => desk.wants(mina, 'escalated', null)],
])('nothing is sent if before that %s', async (_, until) => {
  const desk = await scene()
  const found = await handed(desk, 'hourly')
  await until(desk, found)
  desk.clock.advance(HOUR_MS)
  await desk.send()
  expect(desk.server.mails).toEqual([])
  expect(await statesOf(found.mina.userId)).toEqual(['dropped'])
})

test('two processes at once send a mail once', async () => {
  const desk = await scene()
  await handed(desk)
  await Promise.all([desk.send(desk.newTask()), desk.send(desk.newTask()), desk.send(desk.newTask())])
  expect(desk.server.mails).toHaveLength(1)
})

test('a process that dies after it has sent a mail sends it once more, with the same id, and never again', async () => {
  let isAnswering = false
  const desk = await scene({ mail: () => (isAnswering ? undefined : 'hangs') })
  const { mina } = await handed(desk)
  // It never learns that the mail was taken.
  const dying = desk.send(desk.newTask(60_000))
  await eventually('the mail has arrived', () => desk.server.mails.length).toBe(1)
  await desk.send()
  expect(desk.server.mails).toHaveLength(1)

  isAnswering = true
  desk.clock.advance(60_001)
  await desk.send()
  const ids = desk.server.mails.map(({ headers }) => headers['message-id'])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  expect(await statesOf(mina.userId)).toEqual(['sent'])
  await desk.server.close()
  await dying
  desk.clock.advance(24 * HOUR_MS)
  await desk.send()
  expect(await statesOf(mina.userId)).toEqual(['sent'])
  expect(desk.server.mails).toHaveLength(2)
})

test('a digest has all of a day in one mail, at the hour of the person’s zone', async () => {
  const desk = await scene()
  const { mina, colleague } = await handed(desk, 'daily', { zone: 'Asia/Kathmandu', digestHour: 18 })
  const second = await desk.item()
  await escalate(desk.as(colleague), { ...second, note: 'This too', handTo: mina.userId })
  await desk.fill()
  const dueTimes = await prisma.notification.findMany({ where: { userId: mina.userId } })
  // A quarter past twelve in UTC.
  expect(dueTimes.map(({ dueAt }) => dueAt.toISOString().slice(11))).toEqual(['12:15:00.000Z', '12:15:00.000Z'])
  await desk.send()
  expect(desk.server.mails).toEqual([])
  desk.clock.advance(24 * HOUR_MS)
  await desk.send()
  expect(desk.server.mails.map(({ headers }) => headers.subject)).toEqual(['Notifications: 2'])
  expect(desk.server.mails[0]?.text.match(/view=escalated/g)).toHaveLength(2)
})

test('a pending notification moves with a change of pace, and quiet hours hold it back', async () => {
  const desk = await scene()
  const { mina } = await handed(desk, 'daily')
  const hour = desk.clock.now().getUTCHours()
  const quiet = { from: hour, until: (hour + 3) % 24 }
  await desk.wants(mina, 'escalated', 'once', { quiet })
  await desk.send()
  expect(desk.server.mails).toEqual([])
  desk.clock.advance(3 * HOUR_MS)
  await desk.send()
  expect(desk.server.mails).toHaveLength(1)
})

test('there is a notification of reports once an item has as many as the person chose, to those who may decide on it', async () => {
  const desk = await scene()
  const [mina, outsider] = [await desk.moderator(), await createStaffAccount(database, { roleId: 'support' })]
  for (const account of [mina, outsider]) await desk.wants(account, 'reports', 'once', { reportsFrom: 2 })
  const { subjectId } = await desk.item({ approvalStatus: null })
  const report = async () => {
    const { userId } = await make.user()
    await flag(ctxOf(database, asUser(userId)), flaggableComment, { id: subjectId, flag: { reason: 'Spam or scams' } })
    await desk.fill()
    await desk.send()
  }
  await report()
  expect(desk.server.mails).toEqual([])
  await report()
  await report()
  expect(desk.server.mails.map(({ to, headers }) => [to, headers.subject])).toEqual([
    [[mina.email], 'Reports on an item in Harbour: 2'],
  ])
  expect(desk.server.mails[0]?.text).toContain(`/queue?view=reported&item=comment%3A${subjectId}`)
})

test('there is a notification of overdue items by community, at most once an hour, for those who review it', async () => {
  const desk = await scene()
  const [mina, outsider] = [await desk.moderator(), await createStaffAccount(database, { roleId: 'support' })]
  for (const account of [mina, outsider]) await desk.wants(account, 'overdue')
  const now = desk.clock.now()
  await prisma.notificationPosition.update({ where: { id: 1 }, data: { lookedAt: now } })
  await prisma.serviceTarget.create({
    data: { communityId: desk.communityId, withinMinutes: 30, sharePercent: 90, updatedAt: now },
  })
  const look = async (minutes: number) => {
    desk.clock.advance(minutes * 60_000)
    await lookForNotifications(desk.system)
    await desk.send()
    return desk.server.mails.map(({ headers }) => headers.subject)
  }
  await desk.item({ queuedAt: now })
  expect(await look(29)).toEqual([])
  await desk.item({ queuedAt: new Date(now.getTime() + 10 * 60_000) })
  expect(await look(2)).toEqual(['Overdue items in Harbour: 1'])
  expect(await look(20)).toHaveLength(1)
  await desk.item({ queuedAt: new Date(now.getTime() + 61 * 60_000) })
  expect((await look(61)).slice(1)).toEqual(['Overdue items in Harbour: 3'])
  expect(desk.server.mails.flatMap(({ to }) => to)).toEqual([mina.email, mina.email])
  expect(desk.server.mails[0]?.text).toContain(`/queue?communityId=${desk.communityId}&heldForMinutes=30&order=oldest`)
})

test('those who manage a rule get a notification when it returned to shadow by itself, and none of other changes', async () => {
  const desk = await scene()
  const [mina, outsider] = [await desk.moderator(), await createStaffAccount(database, { roleId: 'support' })]
  for (const account of [mina, outsider]) await desk.wants(account, 'rules')
  const now = desk.clock.now()
  const { communityId } = desk
  const rule = await prisma.rule.create({
    data: {
      position: 1,
      name: 'Links',
      communityId,
      state: 'shadow',
      ownerId: mina.userId,
      createdAt: now,
      updatedAt: now,
    },
  })
  const changed = async (action: `rule.${string}`) => {
    await inTransaction(desk.system, (ctx) => recordRule(ctx, rule, { action }))
    await desk.fill()
    await desk.send()
    return desk.server.mails.map(({ to, headers }) => [...to, headers.subject])
  }
  expect(await changed('rule.stateChanged')).toEqual([])
  expect(await changed('rule.overturned')).toHaveLength(1)
  expect(desk.server.mails[0]?.to).toEqual([mina.email])
  expect(desk.server.mails[0]?.text).toContain('The rule “Links” went back to shadow')
  expect(desk.server.mails[0]?.text).toContain(`/settings/rules/${rule.ruleId}`)
})

test('those who manage webhooks get one notification of an endpoint that keeps failing, and one when it is off', async () => {
  const desk = await scene()
  const [admin, mina] = [await createStaffAccount(database, { roleId: 'global-admin' }), await desk.moderator()]
  for (const account of [admin, mina]) await desk.wants(account, 'webhooks')
  const url = 'https://hooks.example/secret-path'
  const data = { url, secret: Buffer.from('s'), failingSince: desk.clock.now() }
  const { endpointId } = await prisma.webhookEndpoint.create({ data })
  const look = async (minutes: number) => {
    desk.clock.advance(minutes * 60_000)
    await lookForNotifications(desk.system)
    await desk.send()
    return desk.server.mails.map(({ to, headers }) => [...to, headers.subject])
  }
  expect(await look(14)).toEqual([])
  const failing = [admin.email, 'Webhook deliveries to hooks.example are failing']
  expect(await look(1)).toEqual([failing])
  expect(await look(60)).toEqual([failing])
  await prisma.webhookEndpoint.update({
    where: { endpointId },
    data: { disabledAt: desk.clock.now(), disabledReason: 'failing' },
  })
  expect(await look(1)).toHaveLength(2)
  expect(desk.server.mails.map(({ raw }) => raw).join()).not.toContain('secret-path')
  await prisma.webhookEndpoint.delete({ where: { endpointId } })
})

test('an address that is refused for good gets no more mail after three tries, until the person turns it on again', async () => {
  let code: number | undefined = 550
  const desk = await scene({ recipient: () => code })
  const { mina, colleague } = await handed(desk)
  const again = async () => {
    await desk.send()
    desk.clock.advance(12 * HOUR_MS)
  }
  await again()
  await again()
  expect((await readOwnNotifications(desk.as(mina), desk.parts)).mailEnded).toBeUndefined()
  await again()
  expect((await readOwnNotifications(desk.as(mina), desk.parts)).mailEnded).toEqual({
    at: expect.any(String),
    code: 550,
  })
  expect(await statesOf(mina.userId)).toEqual(['dropped'])
  const { ended } = await readMailSettings(ctxOf(database, asAdmin(['MANAGE_CREDENTIALS'])), desk.parts)
  expect(ended).toEqual([{ userId: mina.userId, displayName: 'Mina Rao', at: expect.any(String), code: 550 }])

  const other = await desk.item()
  const hand = async () => {
    await escalate(desk.as(colleague), { ...other, note: 'And this', handTo: mina.userId })
    await desk.fill()
  }
  await hand()
  expect(await statesOf(mina.userId)).toEqual(['dropped'])
  await resumeMail(desk.as(mina), desk.parts)
  code = undefined
  await handOver(desk.as(colleague), { ...other, handTo: null })
  await handOver(desk.as(colleague), { ...other, handTo: mina.userId })
  await desk.fill()
  await desk.send()
  expect(desk.server.mails).toHaveLength(1)
})

test.each<[what: string, behaviour: Parameters<typeof openSmtpStub>[0], limitMs: number, settings: object]>([
  ['does not answer', { connect: () => 'hangs' }, 300, { lastProblem: 'timeout' }],
  ['refuses the sign-in', { signIn: () => false }, UNHURRIED_MS, { lastProblem: 'signIn', lastCode: 535 }],
  ['asks to come later', { recipient: () => 451 }, UNHURRIED_MS, { lastProblem: 'later', lastCode: 451 }],
])('a server that %s loses nothing, is shown, and is asked again', async (_, behaviour, limitMs, shown) => {
  const desk = await scene(behaviour)
  const url = `smtp://docket:pass@127.0.0.1:${desk.server.port}`
  const parts = { ...desk.parts, smtp: { ...desk.server.smtp, url } }
  const { mina } = await handed(desk)
  await desk.send(createMailTask(parts, { allowsLoopback: true, limitMs }))
  expect(await statesOf(mina.userId)).toEqual(['waiting'])
  expect(await prisma.notificationSettings.findUnique({ where: { id: 1 } })).toMatchObject(shown)
  for (const step of Object.keys(behaviour ?? {})) Reflect.deleteProperty(desk.server.behaviour, step)
  desk.clock.advance(HOUR_MS)
  await desk.send(createMailTask(parts, { allowsLoopback: true, limitMs: UNHURRIED_MS }))
  expect(desk.server.mails).toHaveLength(1)
})

test('names can’t add headers, and arrive in any script', async () => {
  const desk = await scene()
  const name = 'ميناء\r\nBcc: all@desk.example 👩‍👩‍👧 \u2028 Rao'
  const mina = await desk.moderator('Mina')
  await prisma.staffAccount.update({ where: { id: mina.staffId }, data: { name } })
  await prisma.community.update({
    where: { communityId: desk.communityId },
    data: { displayName: 'Hafen\r\nX-Evil: 1 東京' },
  })
  await desk.wants(mina, 'escalated')
  const colleague = await desk.moderator('Col\nLeague')
  await escalate(desk.as(colleague), { ...(await desk.item()), note: 'Look', handTo: mina.userId })
  await desk.fill()
  await desk.send()
  const [mail] = desk.server.mails
  expect(mail?.to).toEqual([mina.email])
  expect(Object.keys(mail?.headers ?? {})).not.toEqual(expect.arrayContaining(['bcc']))
  expect(Object.keys(mail?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-evil']))
  expect(mail?.text).toContain('An item in Hafen X-Evil: 1 東京 was handed to you (escalated by Col League)')
})

test('notifications quote what was written only if the network allows it, and not for people who cover texts', async () => {
  const desk = await scene()
  const [mina, nina, colleague] = [await desk.moderator(), await desk.moderator('Nina'), await desk.moderator('Col')]
  for (const account of [mina, nina]) await desk.wants(account, 'escalated')
  await prisma.staffPreference.create({ data: { userId: nina.userId, preferences: { coveredText: 'all' } } })
  const tell = async () => {
    for (const { userId: handTo } of [mina, nina]) {
      const item = await desk.item({ data: { text: 'The ferry sank.\nTwice.' } })
      await escalate(desk.as(colleague), { ...item, note: 'Look', handTo })
    }
    await desk.fill()
    await desk.send()
    return desk.server.mails.splice(0).filter(({ text }) => text.includes('> The ferry sank. Twice.'))
  }
  expect(await tell()).toEqual([])
  await prisma.notificationSettings.update({ where: { id: 1 }, data: { includesText: true } })
  onTestFinished(
    async () => void (await prisma.notificationSettings.update({ where: { id: 1 }, data: { includesText: false } })),
  )
  expect((await tell()).map(({ to }) => to)).toEqual([[mina.email]])
})

test('the link in a mail stops its topics only; a changed link, and one older than ninety days, does nothing', async () => {
  const desk = await scene()
  const { mina } = await handed(desk)
  await desk.wants(mina, 'reports', 'daily')
  await desk.send()
  const token = /token=([\w.-]+)/.exec(desk.server.mails[0]?.text ?? '')?.[1] ?? ''
  const nobody = ctxOf(database, { kind: 'nobody' }, { now: desk.clock.now })
  const topics = async () =>
    (await readOwnNotifications(desk.as(mina), desk.parts)).choices.map(({ topic, pace }) => [topic, pace])

  const changed = [`${token}x`, `x${token}`, token.replace('.', 'x.'), token.slice(0, -1), '', '.']
  for (const wrong of changed) expect(await stop(nobody, wrong).catch(failureOf)).toBe('NOT_FOUND')
  desk.clock.advance(90 * 24 * HOUR_MS + 1)
  expect(await stop(nobody, token).catch(failureOf)).toBe('NOT_FOUND')
  expect(await topics()).toEqual([
    ['escalated', 'once'],
    ['reports', 'daily'],
  ])
  desk.clock.advance(-24 * HOUR_MS)
  expect(await stop(nobody, token)).toEqual({ topics: ['escalated'] })
  expect(await stop(nobody, token)).toEqual({ topics: ['escalated'] })
  expect(await topics()).toEqual([['reports', 'daily']])
})

const stop = async (ctx: Ctx, token: string) => stopNotifications(ctx, { token }, testNotifications)

test('a row that fails holds up nobody else, neither when notifications are written nor when they are sent', async () => {
  const desk = await scene()
  const [broken, mina, colleague] = [
    await desk.moderator('Broken'),
    await desk.moderator(),
    await desk.moderator('Col'),
  ]
  for (const account of [broken, mina]) await desk.wants(account, 'escalated')
  await pool.query(
    `create function fail_notification() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  )
  const fail = (on: 'insert' | 'update') =>
    pool.query(
      `create trigger fail_${on} before ${on} on notification for each row when (new.user_id = '${broken.userId}') execute function fail_notification()`,
    )
  const tell = async () => {
    for (const { userId: handTo } of [broken, mina])
      await escalate(desk.as(colleague), { ...(await desk.item()), note: 'Look', handTo })
    await desk.fill()
  }
  await tell()
  await fail('update')
  await desk.send()
  expect(desk.server.mails.splice(0).map(({ to }) => to)).toEqual([[mina.email]])
  await fail('insert')
  await tell()
  await desk.send()
  expect(desk.server.mails.map(({ to }) => to)).toEqual([[mina.email]])
})

test('nobody else’s notifications can be read or changed, and admins without an account have none', async () => {
  const { parts } = await scene()
  expect(await readOwnNotifications(ctxOf(database, asAdmin()), parts).catch(failureOf)).toBe('UNAUTHORIZED')
})
