import type { Page } from '@playwright/test'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { sampled } from '#server/testing/scaled.ts'
import { expectNoFindings, windows } from './axe.ts'
import { queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

interface Scene {
  page: Page
  desk: Desk
  /** Opens the queue, at its first item by default. */
  open(search?: string): Promise<void>
}

/** How to reach each state of the queue, and what shows that it was reached. Decisions made for it are undone. */
const STATES: Record<string, (scene: Scene) => Promise<void>> = {
  'item open': async ({ page, open }) => {
    await open()
    await expect(page.getByRole('article')).toContainText('The first comment says')
  },
  empty: async ({ page, open }) => {
    await open('?view=escalated')
    await expect(page.getByRole('heading', { name: 'No escalated items' })).toBeVisible()
  },
  'nothing matches': async ({ page, open }) => {
    await open('?startDate=2020-01-01&endDate=2020-01-01&timeZone=UTC')
    await expect(page.getByRole('heading', { name: /^No matches in/ })).toBeVisible()
  },
  loading: async ({ page, open }) => {
    await open('?')
    await page.route(queriesOf('review.queue'), () => {})
    await openAnother(page)
    await expect(page.getByText('Loading').first()).toBeAttached()
  },
  failed: async ({ page, open }) => {
    await open('?')
    await page.route(queriesOf('review.queue'), (route) => route.abort())
    await openAnother(page)
    await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
  },
  'offline, with decisions that wait': async ({ page, open }) => {
    await open()
    await page.route('**/api/trpc/review.decide**', (route) => route.abort())
    await page.keyboard.press('a')
    await expect(page.getByText('1 decision will be sent')).toBeVisible()
  },
  'a decision that can be taken back': async ({ page, open }) => {
    await open()
    await page.keyboard.press('a')
    await expect(page.getByText('Undo (').filter({ visible: true })).toBeVisible()
  },
  'the figures of the day': async ({ page, open }) => {
    await open()
    await page.keyboard.press('a')
    await expect(page.getByText(/^Today: \d+ decided/)).toBeAttached()
  },
  'a decision of another tab': async ({ page, open }) => {
    await open()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.keyboard.press('a')
    await expect(page.getByRole('region', { name: 'Decision in another tab' }).filter({ visible: true })).toBeVisible()
    await other.close()
  },
  'a swipe that has begun': async ({ page, open }) => {
    await open()
    const box = (await page.getByRole('article').boundingBox()) ?? { x: 0, y: 0 }
    const finger = await page.context().newCDPSession(page)
    const at = (x: number) => ({ touchPoints: [{ x: box.x + 40 + x, y: box.y + 60 }] })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0) })
    for (const x of [20, 60, 110]) await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) })
    await expect(page.getByRole('article')).toContainText('The')
  },
  'a view being saved': async ({ page, open }) => {
    await open('?text=comment')
    const filters = page.getByRole('button', { name: /filter/ }).filter({ visible: true })
    if (await filters.first().isVisible()) await filters.first().click()
    await page.getByRole('button', { name: 'Save view' }).filter({ visible: true }).click()
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
  },
  'reasons for a rejection': async ({ page, open }) => {
    await open()
    await page.keyboard.press('r')
    const more = page.getByRole('button', { name: 'Reason', exact: true }).filter({ visible: true })
    const reasons = page.getByRole('group', { name: 'Reason for' }).filter({ visible: true })
    await expect(more.or(reasons).first()).toBeVisible()
    if (await more.isVisible()) await more.click()
    await expect(reasons).toBeVisible()
  },
  conflict: async ({ page, desk, open }) => {
    await page.route('**/api/trpc/live.events**', (route) => route.abort())
    await open()
    const [first] = await waiting(desk)
    const { name } = await desk.decideElsewhere(first ?? '', 'rejected')
    await page.keyboard.press('a')
    await expect(page.getByText(`${name} rejected the comment`).filter({ visible: true })).toBeVisible()
  },
  ...dialogs({
    'a reason in words': ['0', /^Reject the item by Author/],
    ban: ['b', /^Ban Author/],
    note: ['n', /^Note on Author/],
    escalate: ['e', /^Escalate this item by Author/],
    'the thread': ['o', 'Thread'],
    'earlier texts': ['h', 'Earlier texts'],
    'the keys': ['?', 'Keyboard shortcuts'],
  }),
  'a ban just made': async ({ page, open }) => {
    await open()
    for (const key of ['b', '2', 'Enter']) await page.keyboard.press(key)
    await expect(page.getByRole('region', { name: 'Last action' }).filter({ visible: true })).toBeVisible()
  },
  'an approval to be reversed': async ({ page, desk, open }) => {
    const [, second] = await waiting(desk)
    await desk.decideElsewhere(second ?? '', 'approved')
    await open(`?item=comment:${second}`)
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  palette: async ({ page, desk, open }) => {
    await open()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').fill(desk.community.displayName)
    const found = page.getByRole('dialog').getByRole('option', { name: desk.community.displayName })
    await expect(found.first()).toBeVisible()
  },
  'choosing a filter': async ({ page, open }) => {
    await open('?text=comment&heldForMinutes=60')
    await page.keyboard.press('f')
    await expect(page.getByRole('menuitem', { name: 'Written between' })).toBeVisible()
  },
  calendar: async ({ page, open }) => {
    await open('?text=comment')
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'Written between' }).click()
    await expect(page.getByRole('grid').first()).toBeVisible()
  },
  'time zones': async ({ page, open }) => {
    await open('?startDate=2026-01-01&timeZone=UTC')
    await page.getByRole('button', { name: 'Time zone' }).filter({ visible: true }).first().click()
    await expect(page.getByRole('option', { name: 'Asia/Kathmandu' })).toBeVisible()
  },
  'many chosen': async ({ page, open }) => {
    await open('?')
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar', { name: 'Selected items' })).toBeVisible()
  },
  'what will happen to many': async ({ page, open }) => {
    await open('?')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toContainText('will be approved and published.')
  },
  reported: async ({ page, desk, open }) => {
    await open(`?view=reported&communityId=${desk.community.communityId}`)
    await page.getByRole('option').first().click()
    await expect(page.getByRole('article')).toContainText('Cheap watches')
  },
}

for (const size of windows(320)) {
  test(`states of the queue have no axe findings and fit ${size.width} × ${size.height}`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await reportOne(desk)
    await desk.signIn(page, 'moderator')
    for (const [state, come] of sampled(Object.entries(STATES), 4)) {
      await test.step(state, async () => {
        // A tab of its own: decisions that one state leaves unsent would be sent in the next one.
        const tab = await page.context().newPage()
        await tab.setViewportSize(size)
        await come({ page: tab, desk, open: (search) => openQueue(tab, desk, search) })
        await expectNoFindings(tab)
        await tab.close()
      })
    }
  })
}

function dialogs(given: Record<string, readonly [key: string, title: string | RegExp]>): typeof STATES {
  const states = Object.entries(given).map(([state, [key, name]]): [string, (typeof STATES)[string]] => [
    state,
    async ({ page, open }) => {
      await open()
      await page.keyboard.press(key)
      const dialog = page.getByRole('dialog', { name })
      await expect(dialog).toBeVisible()
      await expect(dialog.getByText(/Searching|Loading|Checking/)).toBeHidden()
    },
  ])
  return Object.fromEntries(states)
}

async function openQueue(page: Page, desk: Desk, search?: string): Promise<void> {
  const [first] = await waiting(desk)
  await page.goto(`${desk.url}/queue${search ?? `?item=comment:${first}`}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** The pending comments, newest held first. */
async function waiting({ database, community: { communityId } }: Desk): Promise<string[]> {
  const held = await database.prisma.comment.findMany({
    where: { communityId, approvalStatus: 'pending' },
    orderBy: { queuedAt: 'desc' },
    select: { commentId: true },
  })
  return held.map(({ commentId }) => commentId)
}

/** Switches to the other order, which isn't loaded yet. */
async function openAnother(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Newest held first' }).filter({ visible: true }).click()
  await page.getByRole('menuitemradio', { name: 'Oldest held first' }).click()
}

async function reportOne({ database, community: { communityId } }: Desk): Promise<void> {
  const make = factoriesOf(database)
  const { commentId } = await make.heldComment({
    communityId,
    approvalStatus: null,
    data: { text: 'Cheap watches, ask me.' },
  })
  const { userId } = await make.user()
  await flag(ctxOf(database, asUser(userId)), flaggableComment, {
    id: commentId,
    flag: { reason: 'Spam or scams', detail: 'sells watches' },
  })
}

test('a page whose messages don’t load says so, and works once they do', async ({ page, desk }) => {
  await page.clock.install()
  await page.route('**/catalogue/**', (route) => route.abort())
  await page.goto(`${desk.url}/sign-in`)
  await expect(page.getByRole('heading', { name: 'Couldn’t load this page' })).toBeVisible()
  await page.unroute('**/catalogue/**')
  // Until then, trying again shows the same failure.
  await page.clock.runFor(1_000)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
