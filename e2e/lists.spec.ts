import type { Locator, Page } from '@playwright/test'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { sampled } from '#server/testing/scaled.ts'
import { expectNoFindings, windows } from './axe.ts'
import { hold, queriesOf, refuse } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

interface List {
  /** Opens the full list; creates what it needs. */
  open(desk: Desk): Promise<string>
  procedure: string
  /** Sets a filter without results. */
  narrow(page: Page, desk: Desk): Promise<void>
  nothing: string | RegExp
  rows?: (page: Page) => Locator
}

const NOBODY = 'qxzwvjkp'
const tableRows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') })
const type = (field: string) => (page: Page) => page.getByRole('searchbox', { name: field }).fill(NOBODY)

const LISTS: Record<string, List> = {
  channels: {
    open: async (desk) => {
      await talk(desk)
      await talk(desk)
      return '/channels'
    },
    procedure: 'channels.list',
    narrow: type('Channel name or ID'),
    nothing: 'No matches',
  },
  'members of a channel': {
    open: async (desk) => `/channels/${(await talk(desk)).channelId}`,
    procedure: 'members.list',
    narrow: type('Name or ID'),
    nothing: 'No matches',
  },
  messages: {
    open: async (desk) => `/messages?query=${(await talk(desk)).word}`,
    procedure: 'messages.search',
    narrow: type('Search messages'),
    nothing: 'No matches',
    rows: (page) => page.getByRole('region', { name: 'Results' }).getByRole('listitem'),
  },
  communities: {
    open: async (desk) => {
      await factoriesOf(desk.database).community()
      return '/communities'
    },
    procedure: 'communities.list',
    narrow: type('Community name or ID'),
    nothing: 'No matches',
  },
  'members of a community': {
    open: async (desk) => `/communities/${desk.community.communityId}`,
    procedure: 'members.list',
    narrow: type('Name or ID'),
    nothing: 'No matches',
  },
  people: {
    open: async () => '/users',
    procedure: 'users.find',
    narrow: type('ID, name or handle'),
    nothing: `No matches for “${NOBODY}”`,
  },
  'the log': {
    open: async (desk) => {
      for (const subjectId of ['one', 'two'])
        await recordAudit(systemCtx(desk.database), { action: 'message.tried', subjectType: 'message', subjectId })
      return '/audit?action=message.tried'
    },
    procedure: 'audit.list',
    narrow: async (page, { community: { displayName } }) => {
      await page.getByRole('button', { name: 'all communities' }).click()
      await page.getByRole('searchbox').fill(displayName)
      await page.getByRole('option', { name: displayName }).click()
    },
    nothing: 'No matching actions',
  },
  deliveries: {
    open: async (desk) => {
      await deliver(desk)
      return '/settings/webhooks/deliveries'
    },
    procedure: 'webhooks.deliveries',
    narrow: async (page) => {
      await page.getByRole('searchbox', { name: 'Subject ID' }).fill(NOBODY)
      await page.keyboard.press('Enter')
    },
    nothing: 'No matching deliveries',
  },
}

for (const size of windows(1440)) {
  for (const [name, list] of sampled(Object.entries(LISTS), 1)) {
    test(`${name} at ${size.width} × ${size.height}: filled, loading, failed and empty states are announced and have no axe findings`, {
      tag: '@scaled',
    }, async ({ page, desk }) => {
      await page.setViewportSize(size)
      await desk.signIn(page, 'admin')
      await page.goto(desk.url + (await list.open(desk)))
      const rows = (list.rows ?? tableRows)(page)
      await expect(rows.first()).toBeVisible()
      await expectNoFindings(page)

      const answer = await hold(page, queriesOf(list.procedure), refuse)
      await list.narrow(page, desk)
      // Earlier rows stay until newer ones arrive; without any, placeholders are shown.
      await expect(rows.or(page.getByText('Loading')).first()).toBeAttached()
      await expectNoFindings(page)
      answer()
      await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
      await expectNoFindings(page)

      await page.unroute(queriesOf(list.procedure))
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { name: list.nothing })).toBeVisible()
      await expectNoFindings(page)
    })
  }
}

for (const name of sampled(['channels', 'members of a channel', 'communities', 'people', 'the log'], 1)) {
  test(`${name}: the table is one tab stop, arrow keys move between named rows`, { tag: '@scaled' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'admin')
    const list = LISTS[name]
    await page.goto(desk.url + (await list?.open(desk)))
    const rows = tableRows(page)
    await rows.nth(1).waitFor()
    for (let stop = 0; stop < 60 && !(await rows.first().evaluate((row) => row.matches(':focus'))); stop += 1)
      await page.keyboard.press('Tab')
    await expect(rows.first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(rows.nth(1)).toBeFocused()
    await expect(rows.nth(1)).toHaveAccessibleName(/\S/)
    await page.keyboard.press('Tab')
    await expect(rows.nth(1)).not.toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(rows.nth(1)).toBeFocused()
  })
}

async function talk(desk: Desk): Promise<{ channelId: string; word: string }> {
  const make = channelFactoriesOf(desk.database)
  const word = `w${crypto.randomUUID().slice(0, 8)}`
  const { channelId } = await make.channel({ displayName: `Quayside ${word}` })
  for (const displayName of ['Asha', 'Bram']) {
    const { userId } = await make.channelUser({ channelId, displayName })
    await make.message({ channelId, userId, data: { text: `Said ${word}` } })
  }
  return { channelId, word }
}

async function deliver({ database }: Desk): Promise<void> {
  const { endpointId } = await database.prisma.webhookEndpoint.create({
    data: { url: 'https://hooks.example/lists', secret: Buffer.alloc(0), disabledAt: new Date() },
  })
  await database.prisma.delivery.create({
    data: {
      deliveryId: crypto.randomUUID(),
      endpointId,
      eventSeq: 8_000_000n,
      eventName: 'channel.didBan',
      subjectType: 'channel',
      subjectId: 'one',
      state: 'failed',
      createdAt: new Date(),
      finishedAt: new Date(),
      queuedAt: new Date(0),
    },
  })
}
