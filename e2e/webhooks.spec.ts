import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from '@playwright/test'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { createReceiver, type Received } from '../docs/examples/receiver.ts'
import { expectNoFindings, windows } from './axe.ts'
import { queriesOf } from './desk-pages.ts'
import { test as base, type Desk, expect } from './fixtures.ts'

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ desk }, use) => {
    const receiver = await startReceiver(desk)
    await use(receiver)
    receiver.stop()
    // At most ten endpoints can exist.
    await desk.database.prisma.webhookEndpoint.updateMany({
      where: { url: { contains: desk.community.communityId } },
      data: { removedAt: new Date() },
    })
  },
})

test('an admin adds an endpoint, sees its secret once, tests it and receives an event', async ({
  page,
  desk,
  receiver,
}) => {
  const { url, arrived } = receiver
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/webhooks`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' })
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url)
  await dialog.getByRole('radio', { name: 'Selected events' }).check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one event.')
  await dialog.getByRole('checkbox', { name: 'v3.comment.didApprove' }).check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()

  const endpoint = page.getByRole('region', { name: url })
  const secret = (await endpoint.getByText(/^whsec_/).textContent()) ?? ''
  await endpoint.getByRole('button', { name: 'Copy secret' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  receiver.knowSecret(secret)

  await endpoint.getByRole('button', { name: 'Send test', exact: true }).click()
  await expect(endpoint).toContainText('Response 200')
  // Other people's decisions made at the same time arrive there too.
  expect(arrived.map(({ event }) => event)).toContain('webhook.didTest')

  const subjectId = await approveAtOnce(desk)
  await expect.poll(() => idsIn(arrived), { message: 'waited until the approval has arrived' }).toContain(subjectId)

  await page.reload()
  await expect(endpoint).toContainText('v3.comment.didApprove')
  await expect(endpoint).not.toContainText('Never')
  await expect(page.getByText(secret)).toHaveCount(0)
})

test('a failed delivery is shown, retried and can be sent again', async ({ page, desk, receiver }) => {
  const endpointId = await addEndpoint(page, desk, receiver)
  receiver.fail()
  const subjectId = await approveAtOnce(desk)
  await page.goto(deliveriesOf(desk, { endpointId, subjectId }))
  await untilFailed(desk, { endpointId, subjectId })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('row', { name: /didApprove/ })).toContainText('Response 500')
  const link = page.getByRole('row', { name: /didApprove/ }).getByRole('link')
  await expect(link).toHaveAttribute('href', /^\/settings\/webhooks\/deliveries\/./)
  await link.click()

  await expect(page.getByRole('heading', { level: 1, name: 'v3.comment.didApprove' })).toBeVisible()
  const tries = page.getByRole('region', { name: 'Attempts' })
  await expect(tries.getByRole('listitem').first()).toContainText(/Attempt \d.*Response 500.*in \d+ ms/)
  const sent = page.getByRole('region', { name: 'Request' })
  await expect(sent).toContainText(/webhook-id: evt_\d+_\w+/)
  await expect(sent.getByText('{\n  "event": "v3.comment.didApprove",\n  "data": {\n', { exact: false })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Retrying')

  receiver.recover()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(tries.getByRole('listitem').first()).toContainText('Response 200')
  await expect(page.getByRole('main')).toContainText('Delivered')
  expect(idsIn(receiver.arrived)).toContain(subjectId)
})

test('failed deliveries or a time range can be sent again after a preview of the count', { tag: '@stress' }, async ({
  page,
  desk,
  receiver,
}) => {
  const from = new Date().toISOString()
  const failed = [await approveAtOnce(desk), await approveAtOnce(desk)]
  // An endpoint receives what is published once it is there.
  await whenPublished(desk, failed)
  const endpointId = await addEndpoint(page, desk, receiver)
  await createFailed(desk, endpointId, failed)
  await page.goto(deliveriesOf(desk, { endpointId, state: 'failed' }))
  await page.getByRole('button', { name: 'Send again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send again…' })
  await expect(dialog).toContainText('2 deliveries will be sent again with the same IDs.')
  await dialog.getByRole('button', { name: 'Send 2' }).click()
  await expect(page.getByRole('status')).toHaveText('Sending 2 deliveries.')
  await expect
    .poll(() => idsIn(receiver.arrived), { message: 'waited until both have arrived' })
    .toEqual(expect.arrayContaining(failed))

  const before = new Date(Date.now() + 60_000).toISOString()
  for (const subjectId of failed) {
    await page.goto(deliveriesOf(desk, { endpointId, subjectId, from, before }))
    await expect(page.getByRole('row').filter({ hasText: subjectId })).toHaveCount(1)
  }
  await page.getByRole('button', { name: 'Send again…' }).click()
  await expect(dialog).toContainText(/\d+ events will be sent/)
  await dialog.getByRole('textbox', { name: 'Before' }).or(dialog.getByLabel('Before')).fill('2020-01-01T00:00')
  await expect(dialog).toContainText('Enter a start, and an end after it.')
})

test('a private address is rejected with an error', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/settings/webhooks`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const address = page.getByRole('dialog').getByRole('textbox', { name: 'URL' })
  const REFUSED = [
    ['https://169.254.169.254/latest/meta-data', 'This is a private address'],
    ['https://10.0.0.7/hooks', 'This is a private address'],
    ['https://[fd00::1]/hooks', 'This is a private address'],
    ['http://receiver.example/hooks', 'The URL must start with https.'],
    ['https://me:secret@receiver.example', 'The URL can’t contain a user name or password.'],
  ] as const
  for (const [url, words] of REFUSED) {
    await address.fill(url)
    await address.press('Control+Enter')
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
    await expect(address).toHaveValue(url)
  }
  const urls = REFUSED.map(([url]) => url)
  expect(await desk.database.prisma.webhookEndpoint.count({ where: { url: { in: urls } } })).toBe(0)
})

test('a delivery blocked because of a private address says so', { tag: '@stress' }, async ({
  page,
  desk,
  receiver,
}) => {
  const endpointId = await addEndpoint(page, desk, receiver)
  const { prisma } = desk.database
  const deliveryId = crypto.randomUUID()
  const startedAt = new Date()
  await prisma.delivery.create({
    data: {
      deliveryId,
      endpointId,
      eventSeq: 8_000_000n,
      eventName: 'user.didFlag',
      subjectType: 'user',
      subjectId: 'u',
      state: 'failed',
      tries: 1,
      createdAt: startedAt,
      finishedAt: startedAt,
      queuedAt: new Date(0),
    },
  })
  await prisma.deliveryTry.create({
    data: { deliveryId, number: 1, isLast: true, startedAt, durationMs: 3, problem: 'address' },
  })
  await page.goto(deliveriesOf(desk, { endpointId, state: 'failed' }))
  await expect(page.getByRole('row', { name: 'user.didFlag' })).toContainText('Blocked: private address')
  await page.getByRole('row', { name: 'user.didFlag' }).click()
  await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Blocked: private address')
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click()
  await expect(page.getByRole('main')).toContainText('Skipped')
})

test('by keyboard, a secret is replaced and an endpoint disabled, enabled, edited and removed', {
  tag: '@stress',
}, async ({ page, desk, receiver }) => {
  const { url } = receiver
  await addEndpoint(page, desk, receiver)
  await page.goto(`${desk.url}/settings/webhooks`)
  const endpoint = page.getByRole('region', { name: url })
  const press = async (name: string) => {
    await endpoint.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await press('New secret…')
  await expect(page.getByRole('dialog')).toContainText('Both secrets sign for one day')
  await page.getByRole('button', { name: 'New secret…' }).last().focus()
  await page.keyboard.press('Enter')
  await expect(endpoint.getByText(/^whsec_/)).toBeVisible()
  await expect(endpoint).toContainText('The previous secret also signs until')
  await press('Done')
  await expect(endpoint.getByText(/^whsec_/)).toHaveCount(0)

  // The list is read again only after both.
  const switched = Promise.withResolvers<void>()
  await page.route(queriesOf('webhooks.endpoints'), async (route) => {
    await switched.promise
    await answerWithOnly(route, url)
  })
  await press('Disable')
  await expect(endpoint.getByRole('button', { name: 'Enable' })).toBeVisible()
  await expect(endpoint.getByRole('button', { name: 'Send test', exact: true })).toHaveCount(0)
  await press('Enable')
  await expect(endpoint.getByRole('button', { name: 'Send test', exact: true })).toBeVisible()
  switched.resolve()

  await press('Edit…')
  await expect(page.getByRole('textbox', { name: 'URL' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('The archive')
  await page.keyboard.press('Control+Enter')
  await expect(endpoint).toContainText('The archive')

  await press('Remove…')
  await expect(page.getByRole('dialog')).toContainText('You can’t undo this.')
  await page.keyboard.press('Escape')
  await expect(endpoint).toBeVisible()
  await press('Remove…')
  await page.getByRole('button', { name: 'Remove permanently' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('an endpoint disabled after five days of failures says so and can be enabled again', { tag: '@stress' }, async ({
  page,
  desk,
  receiver,
}) => {
  const { url } = receiver
  await addEndpoint(page, desk, receiver)
  await desk.database.prisma.webhookEndpoint.updateMany({
    where: { url },
    data: { disabledAt: new Date(), disabledReason: 'failing' },
  })
  await page.goto(`${desk.url}/settings/webhooks`)
  const endpoint = page.getByRole('region', { name: url })
  await expect(endpoint).toContainText('nothing was delivered for five days')
  await endpoint.getByRole('button', { name: 'Enable' }).first().click()
  await expect(endpoint).not.toContainText('nothing was delivered for five days')
})

test('deliveries can be filtered and paged, and a reload keeps both', { tag: '@stress' }, async ({
  page,
  desk,
  receiver,
}) => {
  const endpointId = await addEndpoint(page, desk, receiver)
  const { prisma } = desk.database
  await prisma.delivery.createMany({
    data: Array.from({ length: 60 }, (_, index) => ({
      deliveryId: crypto.randomUUID(),
      endpointId,
      eventSeq: BigInt(9_000_000 + index),
      eventName: index % 2 ? 'channel.didBan' : 'user.didFlag',
      subjectType: 'channel',
      subjectId: `paged-${index}`,
      state: 'failed' as const,
      createdAt: new Date(Date.now() - index * 60_000),
      finishedAt: new Date(),
      queuedAt: new Date(0),
    })),
  })
  await page.goto(`${desk.url}/settings/webhooks/deliveries`)
  await page.getByRole('button', { name: 'All endpoints' }).click()
  await page.getByRole('menuitemradio', { name: receiver.url }).click()
  await expect(page).toHaveURL(/endpointId=/)
  await page.getByRole('button', { name: 'Any status' }).click()
  // The rows before and after are the same.
  const isRead = page.waitForResponse((response) => decodeURIComponent(response.url()).includes('"failed"'))
  await page.getByRole('menuitemradio', { name: 'Failed' }).click()
  await isRead
  await expect(page.getByRole('row', { name: 'paged-0' })).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('row', { name: 'paged-59' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: 'paged-59' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByRole('row', { name: 'paged-0' })).toBeVisible()

  await page.getByRole('button', { name: 'All events' }).click()
  await page.getByRole('searchbox', { name: 'Find an event' }).fill('didBan')
  await page.getByRole('option', { name: 'channel.didBan' }).click()
  await expect(page.getByRole('row')).toHaveCount(31)
  await page.getByRole('button', { name: 'Any time' }).click()
  await page.getByRole('button', { name: 'Last hour' }).click()
  await expect(page).toHaveURL(/from=/)
  await page.getByRole('searchbox', { name: 'Subject ID' }).fill('paged-7')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Subject ID' }).fill('nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/deliveries$/)

  await page.goto(`${desk.url}/settings/webhooks/deliveries?event=nothing.didHappen`)
  await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  const answer = await page.goto(`${desk.url}/settings/webhooks/deliveries/${crypto.randomUUID()}`)
  expect(answer?.status()).toBe(404)
})

for (const size of windows(320)) {
  test(`has no axe findings at ${size.width} × ${size.height} and fits the width`, { tag: '@stress' }, async ({
    page,
    desk,
    receiver,
  }) => {
    const endpointId = await addEndpoint(page, desk, receiver)
    receiver.fail()
    await desk.database.prisma.webhookEndpoint.create({
      data: {
        url: `https://hooks.example/${desk.community.communityId}`,
        secret: Buffer.alloc(0),
        disabledAt: new Date(),
        disabledReason: 'failing',
      },
    })
    const subjectId = await approveAtOnce(desk)
    await untilFailed(desk, { endpointId, subjectId })
    await page.setViewportSize(size)

    await page.goto(`${desk.url}/settings/webhooks`)
    await expect(page.getByRole('region', { name: receiver.url })).toContainText('Nothing delivered since')
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('radio', { name: 'Selected events' }).check()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoFindings(page)

    await page.goto(deliveriesOf(desk, { endpointId, subjectId }))
    await expect(page.getByRole('row', { name: subjectId })).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('button', { name: 'Send again…' }).click()
    await page.getByRole('radio', { name: 'A time range' }).check()
    await expectNoFindings(page)
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: subjectId }).click()
    await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Response 500')
    await expectNoFindings(page)
  })
}

interface Receiver {
  url: string
  arrived: Received[]
  /** Until then, requests wait. */
  knowSecret(secret: string): void
  fail(): void
  recover(): void
  stop(): void
}

/** The example receiver of the guide, at an address of this desk alone. */
async function startReceiver({ community: { communityId } }: Desk): Promise<Receiver> {
  const arrived: Received[] = []
  let isFailing = false
  const known = Promise.withResolvers<Server>()
  const server = createServer(async (...exchange) => {
    const receiver = await known.promise
    receiver.emit('request', ...exchange)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens to a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/${communityId}`,
    arrived,
    knowSecret: (secret) => {
      const receiver = createReceiver(secret, async (received) => {
        if (isFailing) throw new Error('it was told to')
        arrived.push(received)
      })
      known.resolve(receiver)
    },
    fail: () => {
      isFailing = true
    },
    recover: () => {
      isFailing = false
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs in an admin, who adds the receiver as an endpoint for approvals: those of other tests arrive there too. */
async function addEndpoint(page: Page, desk: Desk, { url, knowSecret }: Receiver): Promise<string> {
  await desk.signIn(page, 'admin')
  const answer = await page.request.post(`${desk.url}/api/trpc/webhooks.add`, {
    data: { url, events: ['v3.comment.didApprove'] },
    headers: { origin: desk.url },
  })
  const { result } = await answer.json()
  knowSecret(result.data.secret)
  return result.data.endpoint.endpointId
}

const deliveriesOf = ({ url }: Desk, filters: Record<string, string>) =>
  `${url}/settings/webhooks/deliveries?${new URLSearchParams(filters)}`

/** Waits until an attempt has failed. */
async function untilFailed({ database }: Desk, delivery: { endpointId: string; subjectId: string }): Promise<void> {
  const failed = { ...delivery, nextTryAt: { not: null } }
  await expect
    .poll(() => database.prisma.delivery.count({ where: failed }), { message: 'waited until an attempt has failed' })
    .toBe(1)
}

/** Deliveries of these approvals that were given up. */
async function createFailed(desk: Desk, endpointId: string, subjectIds: string[]): Promise<void> {
  const { prisma } = desk.database
  const events = await prisma.event.findMany({ where: await whenPublished(desk, subjectIds) })
  await prisma.delivery.createMany({
    data: events.map(({ seq, name, subjectType, subjectId }) => ({
      deliveryId: crypto.randomUUID(),
      endpointId,
      eventSeq: seq ?? 0n,
      eventName: name,
      subjectType,
      subjectId,
      state: 'failed' as const,
      tries: 1,
      createdAt: new Date(),
      finishedAt: new Date(),
      queuedAt: new Date(0),
    })),
  })
}

/** Leaves out the endpoints of other tests. */
async function answerWithOnly(route: Route, own: string): Promise<void> {
  const names = new URL(route.request().url()).pathname.split(/[/,]/)
  const response = await route.fetch()
  const answers: { result: { data: { url: string }[] } }[] = await response.json()
  const { result } = answers.at(names.indexOf('webhooks.endpoints') - names.length) ?? {}
  if (result) result.data = result.data.filter(({ url }) => url === own)
  await route.fulfill({ response, json: answers })
}

/** As over REST, where there is no undo time. */
/** Waits until the approvals of these are published. Returns the condition that finds them. */
async function whenPublished({ database: { prisma } }: Desk, subjectIds: string[]) {
  const approvals = { subjectId: { in: subjectIds }, name: 'v3.comment.didApprove', seq: { not: null } }
  await expect
    .poll(() => prisma.event.count({ where: approvals }), { message: 'waited until the approvals are published' })
    .toBe(subjectIds.length)
  return approvals
}

async function approveAtOnce(desk: Desk): Promise<string> {
  const { communityId } = desk.community
  const make = factoriesOf(desk.database)
  const { commentId: subjectId } = await make.heldComment({ communityId, data: { text: 'Approved at once' } })
  const actor = await make.reviewerOf(communityId)
  await decide(
    { ...systemCtx(desk.database), actor, source: 'rest', undoWindowMs: 0 },
    { subjectType: 'comment', subjectId, outcome: 'approved' },
  )
  return subjectId
}

const idsIn = (arrived: Received[]) =>
  arrived.flatMap(({ data }) => (Array.isArray(data.comments) ? data.comments : []).map(({ commentId }) => commentId))
