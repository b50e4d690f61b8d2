import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { idOf, row } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'

/** Acts with their number of keys, one item each, from the first on. */
const ACTS = {
  approved: ['a'],
  rejected: ['r'],
  'rejected with a reason': ['r', '1'],
  'banned for a day': ['b', '2', 'Enter'],
} as const

const DECISIONS = IS_STRESS ? scaled(24) : 12
const EVERY_MS = 250

test('approves in one key, rejects in one, gives a reason in two, bans in three and undoes in one', async ({
  page,
  desk,
}) => {
  await listenForPointer(page)
  await openQueue(page, desk)
  const lastAct = page.getByRole('region', { name: 'Last action' })
  for (const [index, keys] of Object.values(ACTS).entries()) {
    await expect(row(page, desk, index)).toBeFocused()
    for (const key of keys) await page.keyboard.press(key)
  }

  await expect(lastAct).toContainText('Banned Author fourth')
  await expect
    .poll(() => decisionsOf(desk), { message: 'waited until all three decisions have arrived' })
    .toEqual({
      [idOf(desk, 0)]: { outcome: 'approved', reasonId: null },
      [idOf(desk, 1)]: { outcome: 'rejected', reasonId: null },
      [idOf(desk, 2)]: { outcome: 'rejected', reasonId: 'spam' },
    })
  expect(await openBansOf(desk)).toHaveLength(1)

  await page.keyboard.press('u')
  await expect.poll(() => openBansOf(desk), { message: 'waited until the ban is lifted' }).toEqual([])
  await page.keyboard.press('u')
  await expect
    .poll(async () => Object.keys(await decisionsOf(desk)), { message: 'waited until the rejection is undone' })
    .not.toContain(idOf(desk, 2))
  expect(await pointerEventsOf(page)).toEqual([])
  await page.mouse.move(5, 5)
  expect(await pointerEventsOf(page)).toContain('pointermove')
})

test('filters by a preset of days in two keys', { tag: '@stress' }, async ({ page, desk }) => {
  await listenForPointer(page)
  await openQueue(page, desk)
  await expect(row(page, desk, 0)).toBeFocused()
  await page.keyboard.press('d')
  await expect(page.getByRole('button', { name: 'Yesterday' })).toBeVisible()
  await page.keyboard.press('2')
  await expect(page).toHaveURL(/startDate=\d{4}-\d\d-\d\d&endDate=\d{4}-\d\d-\d\d/)
  expect(await pointerEventsOf(page)).toEqual([])
})

test(`${DECISIONS} decisions at four a second are each applied and logged exactly once`, { tag: '@scaled' }, async ({
  page,
  desk,
}) => {
  await holdMore(desk, DECISIONS)
  const { name } = await openQueue(page, desk)
  await expect(row(page, desk, 0)).toBeFocused()

  const press = await handAt(page)
  const startedAt = Date.now()
  const presses = []
  for (let index = 0; index < DECISIONS; index += 1) {
    await sleep(Math.max(0, startedAt + index * EVERY_MS - Date.now()))
    presses.push(press(index % 3 === 2 ? 'r' : 'a'))
  }
  await Promise.all(presses)

  const { prisma } = desk.database
  const { communityId } = desk.community
  await expect
    .poll(() => prisma.decision.count({ where: { communityId } }), {
      message: 'waited until all decisions have arrived',
    })
    .toBe(DECISIONS)
  await expect(page.getByRole('search')).toContainText(`${desk.held.length} held in`)
  const made = await prisma.decision.findMany({
    where: { communityId },
    select: { subjectId: true, outcome: true, decidedByName: true },
  })
  expect(new Set(made.map(({ subjectId }) => subjectId)).size).toBe(DECISIONS)
  expect(new Set(made.map(({ decidedByName }) => decidedByName))).toEqual(new Set([name]))
  expect(made.filter(({ outcome }) => outcome === 'rejected')).toHaveLength(DECISIONS / 3)
  const logged = await prisma.audit.groupBy({
    by: ['subjectId'],
    where: { communityId, action: { in: ['comment.approved', 'comment.rejected'] } },
    _count: true,
  })
  expect(logged.map(({ _count }) => _count)).toEqual(Array(DECISIONS).fill(1))
  expect(await prisma.comment.count({ where: { communityId, approvalStatus: 'pending' } })).toBe(desk.held.length)
})

test('a decision costs two requests: the decision itself, and one for everything about the next item', async ({
  page,
  desk,
}) => {
  const looks: string[] = []
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // Only an item that has been open for a second has its wave looked up.
    if (pathname.startsWith('/api/') && !/\/(live\.events|review\.wave)$/.test(pathname)) asked.push(pathname)
  })
  page.on('response', (response) => {
    if (/\/(review\.look|leases\.take)/.test(response.url())) looks.push(response.url())
  })
  await openQueue(page, desk)
  await expect.poll(() => looks.length, { message: 'waited until the first item is leased' }).toBe(1)
  asked.length = 0

  for (const index of [0, 1, 2, 3, 4]) {
    await expect(row(page, desk, index)).toBeFocused()
    await page.keyboard.press('a')
    await expect.poll(() => looks.length, { message: 'waited until the next item is leased' }).toBe(index + 2)
  }
  await expect(page.getByRole('search')).toContainText('3 held in')
  // Where nobody decides for a while, these are read by themselves.
  const byThemselves = /^\/api\/trpc\/(review\.counts|targets\.states|,)+$/
  const own = asked.filter((path) => !byThemselves.test(path))
  expect(own.length, own.join()).toBeLessThanOrEqual(10)
})

test('the next item is shown before the list and the address update', async ({ page, desk }) => {
  await openQueue(page, desk)
  const came = await page.evaluateHandle((text) => {
    const order: string[] = []
    const { href } = window.location
    const shows = (where: string) => [...document.querySelectorAll(where)].some((each) => each.textContent === text)
    const places = {
      item: () => shows('article [dir=auto]'),
      list: () => shows('[role=option][aria-selected=true] [dir=auto]'),
      address: () => window.location.href !== href,
    }
    new MutationObserver(() => {
      const isNew = ([place, isThere]: [string, () => boolean]) => isThere() && !order.join().includes(place)
      const came = Object.entries(places).filter(isNew)
      if (came.length > 0) order.push(came.map(([place]) => place).join(' and '))
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    return order
  }, desk.held[1]?.text)
  await page.keyboard.press('a')
  await expect
    .poll(async () => (await came.jsonValue()).slice(0, 2), { message: 'waited until item and list are updated' })
    .toEqual(['item', 'list'])
  await expect(page).toHaveURL(new RegExp(`item=comment:${idOf(desk, 1)}$`))
})

test('keys pressed before the list has moved apply to the current item', async ({ page, desk }) => {
  await openQueue(page, desk)
  await expect(row(page, desk, 0)).toBeFocused()
  await Promise.all(Array.from({ length: 3 }, () => page.keyboard.press('ArrowDown')))
  await expect(page.getByRole('article')).toContainText(desk.held[3]?.text ?? 'a fourth')
  await expect(row(page, desk, 3)).toBeFocused()
})

test('a link of the navigation fetches its page while the pointer or the focus is on it', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'admin')
  // Away from the queue, where communities and views of other tests move the links.
  await page.goto(`${desk.url}/audit`)
  const asked: string[] = []
  const fetched: string[] = []
  page.on('request', (request) => asked.push(pathOf(request)))
  // The router closes a request as soon as it has read what it needs, which browsers call failed.
  const end = (request: Request) => request.headers()['next-router-prefetch'] ?? fetched.push(pathOf(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const link = (name: string) => page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name, exact: true })
  await link('Users').hover()
  await expect.poll(() => asked, { message: 'waited until the page under the pointer is fetched' }).toContain('/users')
  await link('Insights').focus()
  await expect.poll(() => fetched, { message: 'waited until the focused page is fetched' }).toContain('/insights')
  expect(asked).not.toContain('/communities')
  await link('Settings').hover()
  await expect
    .poll(() => asked, { message: 'waited until the page under the pointer is fetched' })
    .toContain('/settings/flags')

  asked.length = 0
  await link('Insights').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
  // Its content was fetched, too: what is still loaded are scripts, and the charts below the first screen.
  const below = '/api/trpc/insights.patterns'
  expect(asked.filter((path) => path === '/insights' || (path.startsWith('/api/') && path !== below))).toEqual([])
})

/** Presses keys as a person does, without waiting for the page to handle the last one. */
async function handAt(page: Page): Promise<(key: string) => Promise<unknown>> {
  const browser = await page.context().newCDPSession(page)
  return (key) => {
    const named = { key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) }
    return Promise.all([
      browser.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...named }),
      browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...named }),
    ])
  }
}

async function openQueue(page: Page, desk: Desk): Promise<{ name: string }> {
  const person = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await page.getByRole('option').first().focus()
  return person
}

/** Held before the desk's initial comments. */
async function holdMore(desk: Desk, count: number): Promise<void> {
  const { prisma } = desk.database
  const { communityId } = desk.community
  const { userId } = await factoriesOf(desk.database).user()
  const firstAt = Date.now() - 86_400_000
  await prisma.comment.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      commentId: `comment-${crypto.randomUUID()}`,
      targetType: 'community' as const,
      communityId,
      userId,
      dataTypes: ['text'],
      data: { text: `One more, number ${index}` },
      approvalStatus: 'pending' as const,
      createdAt: new Date(firstAt - index * 1_000),
      queuedAt: new Date(firstAt - index * 1_000),
    })),
  })
}

const pathOf = (request: Request) => new URL(request.url()).pathname

/** By outcome: two calls sent at the same time may arrive in either order. */
async function decisionsOf(desk: Desk) {
  const decisions = await desk.database.prisma.decision.findMany({
    where: { communityId: desk.community.communityId, undoneAt: null },
  })
  return Object.fromEntries(decisions.map(({ subjectId, outcome, reasonId }) => [subjectId, { outcome, reasonId }]))
}

function openBansOf(desk: Desk) {
  const { communityId } = desk.community
  return desk.database.prisma.ban.findMany({ where: { communityId, liftedAt: null } })
}
