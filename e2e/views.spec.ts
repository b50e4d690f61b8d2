import type { Page } from '@playwright/test'
import { openQueue, publishNewComments } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'

test('a view can be saved, opened, changed, renamed, set as default and closed', async ({ page, desk }) => {
  await openQueue(page, desk, '&text=third')
  const filters = page.getByRole('search')
  const nav = page.getByRole('navigation')
  await filters.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('Thirds')
  await page.keyboard.press('Enter')
  await expect(nav.getByRole('link', { name: 'Thirds' })).toHaveAttribute('aria-current', 'true')
  await expect(nav.getByRole('link', { name: 'Thirds' })).toHaveText(/Thirds\s*1$/)
  await expect(filters).toContainText('View Thirds')
  await expect(filters.getByRole('button', { name: 'Thirds', exact: true })).toBeFocused()

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Text contains' })).toBeFocused()
  await page.keyboard.type('fifth')
  await page.keyboard.press('Enter')
  await filters.getByRole('button', { name: 'Thirds changed' }).click()
  await page.getByRole('menuitem', { name: 'Save changes' }).click()
  await filters.getByRole('button', { name: 'Thirds', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Name').fill('Fifths')
  await page.keyboard.press('Enter')
  await filters.getByRole('button', { name: 'Fifths', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Set as my default' }).click()
  await expect(filters).toContainText('Your default view Fifths')

  await page.goto(`${desk.url}/queue`)
  await expect(filters).toContainText('Your default view Fifths')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option')).toContainText(desk.held[4]?.text ?? '')

  await filters.getByRole('button', { name: 'Close view' }).click()
  await expect(page.getByRole('option')).toHaveCount(8)
  await page.reload()
  await expect(page.getByRole('option')).toHaveCount(8)
  await expect(filters).not.toContainText('default view')

  await nav.getByRole('link', { name: 'Fifths' }).click()
  await expect(page.getByRole('option')).toHaveCount(1)
  await nav.getByRole('link', { name: 'Held' }).click()
  await expect(page.getByRole('option')).toHaveCount(8)

  await nav.getByRole('link', { name: 'Fifths' }).click()
  await filters.getByRole('button', { name: 'Fifths', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(nav.getByRole('link', { name: 'Fifths' })).toBeHidden()
  await expect(filters.getByRole('button', { name: 'Save view' })).toBeFocused()
  await expect(page.getByRole('option')).toHaveCount(1)
})

test('keys pressed while the form of a view is loading do nothing', { tag: '@stress' }, async ({ page, desk }) => {
  await openQueue(page, desk, '&order=oldest')
  await expect(page.getByRole('article')).toBeVisible()
  const loaded = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('marsh')
  loaded.resolve()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Marsh')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Marsh' })).toBeVisible()
  for (const { commentId } of desk.held) expect(await desk.stateOf(commentId)).toBe('pending')
})

test('a shared view is in colleagues’ navigation at once, to open and copy but not to change', {
  tag: '@stress',
}, async ({ page, desk, browser }) => {
  const colleague = await (await browser.newContext()).newPage()
  await desk.signIn(colleague, 'moderator')
  await colleague.goto(`${desk.url}/queue`)
  await expect(colleague.getByRole('option')).toHaveCount(8)

  await openQueue(page, desk, '&heldForMinutes=240')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('Late ones')
  await page.getByLabel('Share with all reviewers').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Late ones' })).toBeVisible()

  await colleague.getByRole('navigation').getByRole('link', { name: 'Late ones' }).click()
  await expect(colleague.getByRole('option')).toHaveCount(3)
  await colleague.getByRole('search').getByRole('button', { name: 'Late ones', exact: true }).click()
  await expect(colleague.getByRole('menuitem')).toHaveText(['Save as new view'])
  await colleague.context().close()
})

test('a backlog in a community that no longer holds items is shown with a link to review it', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId, displayName } = desk.community
  await publishNewComments(desk)
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  const list = page.getByRole('region', { name: 'Held', exact: true })
  await expect(list).toContainText(`${displayName} no longer holds new items; 8 are still waiting.`)
  await list.getByRole('link', { name: 'Review them' }).click()
  await expect(page).toHaveURL(new RegExp(`communityId=${communityId}&order=oldest`))
  await expect(page.getByRole('option').first()).toContainText(desk.held[7]?.text ?? '')
})

test('the layout does not shift while the queue and its popovers load', { tag: '@stress' }, async ({ page, desk }) => {
  const shifts = await watchShifts(page)
  await openQueue(page, desk)
  for (const key of ['j', 'j', 'a', 'j']) {
    await expect(page.getByRole('article').getByText('High water at the quay').first()).toBeVisible()
    await page.keyboard.press(key)
  }
  await page.keyboard.press('f')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await shifts()).toEqual([])
})

test('the layout does not shift when an item is shown before its thread is loaded', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const shifts = await watchShifts(page)
  await openQueue(page, desk)
  const held = Promise.withResolvers<void>()
  await page.route(/review\.(item|look)/, async (route) => {
    await held.promise
    await route.continue()
  })
  const item = page.getByRole('article')
  for (const { text } of desk.held.slice(1, 6)) {
    await page.keyboard.press('j')
    await expect(item).toContainText(text)
  }
  await expect(item.getByText('High water at the quay')).toHaveCount(0)
  expect(await shifts()).toEqual([])

  const releasedAt = await page.evaluate(() => performance.now())
  held.resolve()
  await expect(item.getByText('High water at the quay').first()).toBeVisible()
  expect(await shifts(releasedAt)).toEqual([])
})

test('hundreds of communities weigh little in the page, and are all in the navigation by name without a layout shift', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { communityId } = desk.community
  const zebras = Array.from({ length: 120 }, (_, index) => `Zebra ${communityId} ${index}`)
  const names = [`Aardvark ${communityId}`, ...zebras]
  await desk.database.prisma.community.createMany({
    data: names.map((displayName) => ({
      communityId: crypto.randomUUID(),
      displayName,
      needApprovalOnCommentCreation: true,
    })),
  })
  const shifts = await watchShifts(page)
  await desk.signIn(page, 'admin')
  // Where nothing is held: others decide on what says the same as items of the desk's community.
  const { communityId: empty } = await desk.database.prisma.community.findFirstOrThrow({
    where: { displayName: `Aardvark ${communityId}` },
  })
  const answer = await page.goto(`${desk.url}/queue?communityId=${empty}`)
  const [sent = ''] = (await answer?.text())?.match(/<nav .*?<\/nav>/s) ?? []
  // Shared views of other tests have more in their links.
  expect(sent.match(/href="\/queue\?communityId=[^"&]*"/g)).toHaveLength(24)
  const nav = page.getByRole('navigation', { name: 'Desk' })
  for (const name of names.slice(-2)) await expect(nav.getByRole('link', { name })).toHaveCount(1)
  await expect(nav.locator('li[aria-hidden]')).toHaveCount(0)
  // Whatever is held in each: this one has all of it, and doesn't come first.
  const links = await nav.locator('a[href^="/queue?communityId="]:not([href*="&"]) bdi').allTextContents()
  expect(links).toEqual(links.toSorted((a, b) => a.localeCompare(b)))
  expect(links.indexOf(desk.community.displayName)).toBeGreaterThan(
    links.indexOf(`Aardvark ${desk.community.communityId}`),
  )
  expect(await shifts()).toEqual([])
})

/**
 * Notes layout shifts. The returned function lists them, each with what moved: the whole list from a time on, or else those that are no
 * consequence of the person's own input, as when a decided row leaves the list.
 */
async function watchShifts(page: Page): Promise<(sinceMs?: number) => Promise<string[]>> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}x${height}`
    const nameOf = (node: Node | null) =>
      node instanceof Element ? (node.cloneNode() as Element).outerHTML : `"${node?.textContent}"`
    const seen: Shift[] = []
    const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[])))
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, {
      readShifts: async (sinceMs?: number) => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        seen.push(...(observer.takeRecords() as Shift[]))
        return seen
          .filter(({ startTime, hadRecentInput }) => (sinceMs === undefined ? !hadRecentInput : startTime > sinceMs))
          .map(({ value, startTime, sources }) => {
            const moved = sources.map(
              (of) => `${nameOf(of.node)} from ${placeOf(of.previousRect)} to ${placeOf(of.currentRect)}`,
            )
            return `${value.toFixed(4)} at ${Math.round(startTime)} ms: ${moved.join('; ')}`
          })
      },
    })
  })
  return async (sinceMs) => {
    expect(await page.evaluate(() => PerformanceObserver.supportedEntryTypes)).toContain('layout-shift')
    return page.evaluate(
      (since) => (window as unknown as { readShifts: (since?: number) => Promise<string[]> }).readShifts(since),
      sinceMs,
    )
  }
}
