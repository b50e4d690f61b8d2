import type { Page } from '@playwright/test'
import { hold, idOf, openQueue, queriesOf, queueOf, row, statesOf, textOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test.describe('deciding by keyboard', () => {
  test('a moderator decides three comments by keyboard, undoes the last and decides it again, and all counts follow', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    const link = page.getByRole('navigation').getByRole('link', { name: desk.community.displayName })
    await expect(link).toContainText('8')

    await page.keyboard.press('a')
    await page.keyboard.press('r')
    await page.keyboard.press('a')
    await expect(row(page, desk, 3)).toBeFocused()
    await expect(link).toContainText('5')
    await expect(page.getByRole('search')).toContainText('5 held in')
    await expect(page.getByText('Today: 3 decided')).toBeVisible()
    await page.keyboard.press('u')

    await expect(page.getByRole('status')).toHaveText('Undone: Author third')
    await expect(row(page, desk, 2)).toBeFocused()
    await expect
      .poll(() => statesOf(desk, 0, 1, 2), { message: 'waited until all three decisions have arrived' })
      .toEqual(['approved', 'rejected', 'pending'])
    await page.keyboard.press('r')
    await expect
      .poll(() => statesOf(desk, 2), { message: 'waited until the new decision has arrived' })
      .toEqual(['rejected'])
  })

  test('j and k move through the list and update the address', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')

    await expect(row(page, desk, 1)).toBeFocused()
    await expect(page).toHaveURL(new RegExp(`item=comment:${desk.held[1]?.commentId}`))
    await expect(page.getByRole('article').getByText(textOf(desk, 1))).toBeVisible()
  })

  test('a comment decided again before its undo has arrived has the second decision', async ({ page, desk }) => {
    await openQueue(page, desk)
    const undo = await approveDuringUndo(page, desk)
    await expect(row(page, desk, 0)).toHaveCount(0)
    expect(await statesOf(desk, 0)).toEqual(['rejected'])

    undo()
    await expect
      .poll(() => statesOf(desk, 0), { message: 'waited until the second decision has arrived' })
      .toEqual(['approved'])
    await expect(page.getByRole('search')).toContainText('7 held in')
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Undone: Author first')
    await expect.poll(() => statesOf(desk, 0), { message: 'waited until it is pending again' }).toEqual(['pending'])
  })

  test('a comment decided again while its undo comes too late keeps the first decision', async ({ page, desk }) => {
    await openQueue(page, desk)
    const undo = await approveDuringUndo(page, desk)
    await desk.database.prisma.event.updateMany({
      where: { subjectId: idOf(desk, 0) },
      data: { releasesAt: new Date(Date.now() - 1_000) },
    })

    undo()
    await expect(page.getByRole('status')).toHaveText(/^Too late to undo/)
    await expect(row(page, desk, 0)).toHaveCount(0)
    const decisions = await desk.database.prisma.decision.findMany({ where: { subjectId: idOf(desk, 0) } })
    expect(decisions.map(({ outcome, undoneAt }) => ({ outcome, undoneAt }))).toEqual([
      { outcome: 'rejected', undoneAt: null },
    ])
    await expect(page.getByRole('search')).toContainText('7 held in')
  })

  test('a decision made in one tab is undone from another', async ({ page, desk }) => {
    await openQueue(page, desk)
    const other = await page.context().newPage()
    await other.goto(queueOf(desk))
    await page.keyboard.press('a')
    await expect
      .poll(() => statesOf(desk, 0), { message: 'waited until the approval has arrived' })
      .toEqual(['approved'])
    await expect(other.getByRole('region', { name: 'Decision in another tab' })).toContainText(
      'Approved in another tab: Author first',
    )
    await other.keyboard.press('u')
    await expect(other.getByRole('status')).toHaveText('Undone: Author first')
    await expect(other.getByRole('article')).toContainText(textOf(desk, 0))
    await expect(page.getByRole('region', { name: 'Decision in another tab' })).toContainText(
      'Undone in another tab: Author first',
    )
    await expect(page.getByRole('region', { name: 'Last decision' })).toHaveCount(0)
    expect(await statesOf(desk, 0)).toEqual(['pending'])
    await other.keyboard.press('u')
    await expect(other.getByRole('status')).toContainText('Nothing to undo.')
  })

  test('after ten seconds a decision can no longer be undone', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    const decidedAt = Date.now()
    await page.clock.setFixedTime(decidedAt)
    await page.keyboard.press('a')
    const toast = page.getByRole('region', { name: 'Last decision' })
    await expect(toast).toContainText('Undo (10 s)')
    await page.clock.setFixedTime(decidedAt + 10_500)
    await expect(toast).toContainText('Can no longer be undone')

    // Only the browser's clock was moved: on the server the time is over as well.
    await expect
      .poll(() => statesOf(desk, 0), { message: 'waited until the approval has arrived' })
      .toEqual(['approved'])
    await desk.database.prisma.event.updateMany({
      where: { subjectId: idOf(desk, 0) },
      data: { releasesAt: new Date(Date.now() - 1_000) },
    })
    await page.keyboard.press('u')
    await expect(page.getByRole('status')).toHaveText('Nothing to undo. Earlier decisions can no longer be undone.')
    expect(await statesOf(desk, 0)).toEqual(['approved'])
  })

  test('shortcuts are off while typing and with a modifier', async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('Control+a')
    await page.getByRole('banner').getByRole('button', { name: 'Time zone' }).click()
    await page.getByRole('searchbox', { name: 'Find a time zone' }).pressSequentially('australia')
    await expect(page.getByRole('option', { name: 'Australia/Perth' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')

    await expect(row(page, desk, 0)).toBeVisible()
    expect(await statesOf(desk, 0, 1)).toEqual(['pending', 'pending'])
  })

  test('the question mark opens the shortcuts, and Escape closes them', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Undo the last action')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test.describe('when something goes wrong', () => {
  test('shows who decided first and keeps the place in the list', async ({ page, desk }) => {
    // They receive no live event before they decide.
    await page.route('**/api/trpc/live.events**', (route) => route.abort())
    await openQueue(page, desk)
    const { name } = await desk.decideElsewhere(idOf(desk, 0), 'rejected')
    await page.keyboard.press('a')

    await expect(page.getByText(`${name} rejected the comment by Author first`)).toBeVisible()
    await expect(page.getByText('Your approval wasn’t counted.')).toBeVisible()
    await expect(row(page, desk, 0)).toBeHidden()
    await expect(row(page, desk, 1)).toBeFocused()
  })

  test('an item whose decision fails returns with an error, and a list that fails to load can be retried', async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.route('**/api/trpc/review.decide**', (route) => route.fulfill({ status: 500, json: UNEXPECTED }))
    await page.keyboard.press('a')

    await expect(page.getByText('Couldn’t approve the comment by Author first.')).toBeVisible()
    await expect(page.getByRole('option').first()).toContainText(textOf(desk, 0))
    expect(await statesOf(desk, 0)).toEqual(['pending'])

    await page.route(queriesOf('review.queue'), (route) => route.abort())
    await page.getByRole('button', { name: 'Newest held first' }).click()
    await page.getByRole('menuitemradio', { name: 'Oldest held first' }).click()
    await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible()
    await page.unroute(queriesOf('review.queue'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('option').first()).toContainText(textOf(desk, 7))
  })

  test('an empty result explains itself and offers to remove the filter', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk, '&startDate=2020-01-01&endDate=2020-01-02&timeZone=UTC')
    await expect(page.getByRole('heading', { name: 'No matches in 8 items' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove date filter' }).last().click()
    await expect(row(page, desk, 0)).toBeVisible()
  })

  test('a search without matches offers no new items', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('no such words')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^No matches/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /new$/ })).toHaveCount(0)
  })

  test('the address of the queue leads support staff to their own start page', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'support')
    await page.goto(`${desk.url}/queue`)
    await expect(page).toHaveURL(`${desk.url}/users`)
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeAttached()
  })
})

test.describe('what is on the screen', () => {
  test('an item shows its parent, its author, both times and what a member wrote as text, with links to follow', async ({
    page,
    desk,
  }) => {
    const text = '<img src=x onerror=alert(1)> see https://example.org/a. \u202Eand on'
    const { prisma } = desk.database
    await prisma.comment.update({ where: { commentId: idOf(desk, 0) }, data: { data: { text } } })
    await prisma.user.update({
      where: { userId: desk.held[1]?.userId ?? '' },
      data: { displayName: ' Ann \t\n  Lee ' },
    })
    await openQueue(page, desk)
    const item = page.getByRole('article')
    await expect(item.getByRole('heading', { name: 'Comment by Author first' })).toBeAttached()
    await expect(item.getByText('Is the lower road open again?')).toBeVisible()
    await expect(item.getByText('Written', { exact: true })).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author first')
    await expect(item.getByText('<img src=x onerror=alert(1)> see')).toBeVisible()
    const link = item.getByRole('link', { name: 'https://example.org/a' })
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await expect(link).toHaveAttribute('target', '_blank')

    // A name with odd white space neither stops the page nor is lost from its title.
    await page.keyboard.press('j')
    await expect(page).toHaveTitle(/by Ann Lee · Held/)
    await page.keyboard.press('j')
    await expect(page).toHaveTitle(/by Author third · Held/)
    await page.keyboard.press('k')
    await page.keyboard.press('a')
    await expect
      .poll(() => statesOf(desk, 1), { message: 'waited until the decision has arrived' })
      .toEqual(['approved'])
  })

  test('an item shows what classifiers say of it, the highest score first', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { commentId } = desk.held[0] ?? { commentId: '' }
    const measured = {
      subjectType: 'comment' as const,
      subjectId: commentId,
      measuredAt: new Date(),
      receivedAt: new Date(),
    }
    await desk.database.prisma.signal.createMany({
      data: [
        { ...measured, name: 'spam', score: 0.125 },
        { ...measured, name: 'toxicity', score: 0.9, modelVersion: 'v3' },
      ],
    })
    await openQueue(page, desk)
    const signals = page.getByRole('article').getByRole('definition').filter({ hasText: 'toxicity' })
    await expect(signals.getByRole('button')).toHaveText(['toxicity 0.90', 'spam 0.13'])
    const toxicity = signals.getByRole('button', { name: 'toxicity 0.90' })
    await expect(toxicity).toHaveAccessibleDescription(/^v3, measured /)
    await toxicity.focus()
    await expect(signals.getByRole('tooltip')).toHaveText(/^v3, measured /)
  })

  test('an item held by a rule names the rule, not the setting of its community, and marks what it found', {
    tag: '@stress',
  }, async ({ page, desk }) => {
    const { commentId } = desk.held[0] ?? { commentId: '' }
    const { prisma } = desk.database
    const createdAt = new Date()
    const { communityId } = desk.community
    const rule = { communityId, position: 1, name: 'Phone numbers', state: 'live' as const, ownerId: 'admin' }
    const { ruleId } = await prisma.rule.create({ data: { ...rule, createdAt, updatedAt: createdAt } })
    const written = { kinds: ['comment'], condition: {}, action: { type: 'hold' }, createdBy: 'admin', createdAt }
    await prisma.ruleVersion.create({ data: { ruleId, version: 1, ...written } })
    const found = [{ field: 'text', from: 4, to: 9 }]
    const match = { isLive: true, subjectType: 'comment' as const, subjectId: commentId, found, createdAt }
    await prisma.ruleMatch.create({ data: { ruleId, version: 1, ...match } })
    await openQueue(page, desk)
    const why = page.getByRole('article').getByRole('definition').filter({ hasText: 'Phone numbers' })
    await expect(why).toHaveText('Rule: Phone numbers')
    await expect(page.getByRole('article').getByText('are held for review')).toHaveCount(0)
    await expect(page.getByRole('article').locator('mark')).toHaveText(['first'])
  })

  test('a link to an item far down scrolls its row into view', { tag: '@stress' }, async ({ page, desk }) => {
    await page.setViewportSize({ width: 1440, height: 500 })
    await desk.signIn(page, 'moderator')
    await page.goto(`${queueOf(desk)}&item=comment:${desk.held[7]?.commentId}`)
    await expect(row(page, desk, 7)).toBeInViewport({ ratio: 1 })
  })

  test('the list marks where items become overdue', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await expect(page.getByText('service target 4 h', { exact: true })).toBeVisible()
    await expect(page.getByText('3 overdue', { exact: true })).toBeVisible()
    // The line is no option of the list, so its description says it.
    await expect(page.getByRole('listbox')).toHaveAccessibleDescription(/service target 4 h, 3 overdue/)
  })

  test('days use the current time zone and show their range in UTC', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk, '&startDate=2026-11-09&endDate=2026-11-15&timeZone=Asia/Kathmandu')
    const filters = page.getByRole('search')
    await expect(filters).toContainText('9 Nov and 15 Nov 2026')
    await expect(filters).toContainText('(8 Nov 18:15 to 15 Nov 18:15 UTC)')
    await filters.getByRole('button', { name: 'Remove date filter' }).click()
    await expect(page).not.toHaveURL(/startDate|endDate|timeZone/)
    await expect(row(page, desk, 0)).toBeVisible()
  })

  test('a date range can be chosen from presets', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Written between' }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL(/startDate=\d{4}-\d\d-\d\d&endDate=\d{4}-\d\d-\d\d&timeZone=/)
    await expect(row(page, desk, 0)).toBeVisible()
  })

  test('the queue reads its next rows and items on load, and needs less than 180 kB of script', async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // What other tests change for the whole network would be read again.
    await hold(page, '**/api/trpc/live.events**')
    await page.goto(queueOf(desk))
    await expect
      .poll(() => asked.some((path) => path.endsWith('/review.wave')), {
        message: 'waited until the last request of a loaded queue is sent',
      })
      .toBe(true)
    const scriptBytes = await page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    })

    const own = asked.filter((path) => path.startsWith('/api/') && path !== '/api/trpc/live.events')
    // All rows of this queue were rendered; the items after the open one are read at once. Then its lease is taken, and its wave looked up.
    const later = /^\/api\/trpc\/(leases\.|review\.wave$)/
    expect(own.filter((path) => !later.test(path))).toEqual([expect.stringMatching(/review\.item/)])
    expect(scriptBytes).toBeGreaterThan(0)
    expect(scriptBytes).toBeLessThanOrEqual(180_000)
  })
})

test('scripts are served precompressed and cached permanently', { tag: '@stress' }, async ({ page, desk }) => {
  const script = page.waitForResponse((response) => response.url().endsWith('.js'))
  await page.goto(`${desk.url}/sign-in`)
  const headers = await (await script).allHeaders()
  expect(headers['content-encoding']).toBe('br')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['x-content-type-options']).toBe('nosniff')
  const { status } = await fetch(`${desk.url}/_next/static/chunks/none.js`)
  expect(status).toBe(404)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 700 }, hasTouch: true })

  test('list and item are separate pages, and back returns to the list', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await expect(page.getByRole('article')).toBeHidden()
    await row(page, desk, 1).tap()
    await expect(page.getByRole('article').getByText(textOf(desk, 1))).toBeVisible()
    await expect(page.getByRole('listbox')).toBeHidden()
    // The address follows what is shown.
    await expect(page).toHaveURL(/item=/)
    await page.goBack()
    await expect(row(page, desk, 1)).toBeVisible()
  })

  test('a decision opens the next comment and can be undone there', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await row(page, desk, 0).tap()
    await page.getByRole('button', { name: 'Reject' }).tap()
    await expect(page.getByRole('article').getByText(textOf(desk, 1))).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(page.getByRole('article').getByText(textOf(desk, 0))).toBeVisible()
    await expect.poll(() => statesOf(desk, 0), { message: 'waited until it is pending again' }).toEqual(['pending'])
  })

  test('a swipe to the right approves and one to the left rejects, with the same undo', async ({ page, desk }) => {
    await openQueue(page, desk)
    await row(page, desk, 0).tap()
    await swipe(page, textOf(desk, 0), 160)
    await expect(page.getByRole('article').getByText(textOf(desk, 1))).toBeVisible()
    await expect
      .poll(() => statesOf(desk, 0), { message: 'waited until the approval has arrived' })
      .toEqual(['approved'])
    await swipe(page, textOf(desk, 1), -160)
    await expect
      .poll(() => statesOf(desk, 1), { message: 'waited until the rejection has arrived' })
      .toEqual(['rejected'])
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(page.getByRole('article').getByText(textOf(desk, 1))).toBeVisible()
    await expect
      .poll(() => statesOf(desk, 0, 1), { message: 'waited until the rejection is undone' })
      .toEqual(['approved', 'pending'])
    await swipe(page, textOf(desk, 1), 60)
    expect(await statesOf(desk, 1)).toEqual(['pending'])
  })

  test('a lost connection is shown beside the name of the page, not over it', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await openQueue(page, desk)
    await page.context().setOffline(true)
    await expect(page.getByRole('banner').getByText('Offline', { exact: true })).toBeVisible()
    const name = await page.getByRole('button', { name: /^Views of the queue:/ }).boundingBox()
    const next = await page.getByRole('button', { name: 'Search or run a command' }).boundingBox()
    expect(name?.width).toBeGreaterThan(60)
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan(next?.x ?? 0)
  })

  test('the page fits 320 px', { tag: '@stress' }, async ({ page, desk }) => {
    await openQueue(page, desk)
    await row(page, desk, 0).tap()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

/** tRPC's response for a server error. */
const UNEXPECTED = {
  error: {
    code: -32603,
    message: 'Unexpected error',
    data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, docket: { wire: 500000, requestId: 'none' } },
  },
}

/** Rejects the first item, undoes that and approves it before the undo is sent, which the returned function does. */
async function approveDuringUndo(page: Page, desk: Desk): Promise<() => void> {
  await page.keyboard.press('r')
  await expect
    .poll(() => statesOf(desk, 0), { message: 'waited until the rejection has arrived' })
    .toEqual(['rejected'])
  const undo = await hold(page, '**/api/trpc/review.undo**')
  await page.keyboard.press('u')
  await expect(row(page, desk, 0)).toBeFocused()
  await page.keyboard.press('a')
  await expect(row(page, desk, 1)).toBeFocused()
  return undo
}

/** Moves a finger sideways over a text, by CSS pixels. */
async function swipe(page: Page, text: string, by: number): Promise<void> {
  const box = await page.getByRole('article').getByText(text).boundingBox()
  const [x, y] = [160 - by / 2, (box?.y ?? 0) + 8]
  const session = await page.context().newCDPSession(page)
  // At the pace of a finger: after a jerk the browser takes the next tap for one that stops its scrolling.
  let timestamp = Date.now() / 1_000
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) => {
    timestamp += 0.05
    const touchPoints = at === undefined ? [] : [{ x: at, y }]
    return session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp })
  }
  await touch('touchStart', x)
  for (const part of [0.25, 0.5, 0.75, 1, 1]) await touch('touchMove', x + by * part)
  await touch('touchEnd')
}
