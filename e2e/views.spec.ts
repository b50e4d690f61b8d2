import type { Page } from '@playwright/test'
import { type Desk, expect, test } from './fixtures.ts'

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
  await expect(page.getByRole('option')).toHaveCount(1)
})

test('colleagues can open and copy a shared view but not change it', async ({ page, desk, browser }) => {
  await openQueue(page, desk, '&heldForMinutes=240')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('Late ones')
  await page.getByLabel('Share with all reviewers').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Late ones' })).toBeVisible()

  const colleague = await (await browser.newContext()).newPage()
  await desk.signIn(colleague, 'moderator')
  await colleague.goto(`${desk.url}/queue`)
  await colleague.getByRole('navigation').getByRole('link', { name: 'Late ones' }).click()
  await expect(colleague.getByRole('option')).toHaveCount(3)
  await colleague.getByRole('search').getByRole('button', { name: 'Late ones', exact: true }).click()
  await expect(colleague.getByRole('menuitem')).toHaveText(['Save as new view'])
  await colleague.context().close()
})

test('a backlog in a community that no longer holds items is shown with a link to review it', async ({
  page,
  desk,
}) => {
  const { communityId, displayName } = desk.community
  await desk.database.prisma.community.update({
    where: { communityId },
    data: { needApprovalOnCommentCreation: false },
  })
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  const list = page.getByRole('region', { name: 'Held', exact: true })
  await expect(list).toContainText(`${displayName} no longer holds new items; 8 are still waiting.`)
  await list.getByRole('link', { name: 'Review them' }).click()
  await expect(page).toHaveURL(new RegExp(`communityId=${communityId}&order=oldest`))
  await expect(page.getByRole('option').first()).toContainText(desk.held[7]?.text ?? '')
})

test('the layout does not shift while the queue and its popovers load', async ({ page, desk }) => {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Element | null }[]
    }
    const seen: string[] = []
    Object.assign(window, { shifts: seen })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        // Shifts caused by the person's own input don't count: a decided row leaves the list.
        if (!hadRecentInput) seen.push(`${value}: ${sources.map(({ node }) => node?.outerHTML ?? node?.nodeName)}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openQueue(page, desk)
  // Each item as a moderator sees it: with the post it is about, which was read ahead.
  for (const key of ['j', 'j', 'a', 'j']) {
    await expect(page.getByRole('article').getByText('High water at the quay')).toBeVisible()
    await page.keyboard.press(key)
  }
  await page.keyboard.press('f')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await page.evaluate(() => PerformanceObserver.supportedEntryTypes)).toContain('layout-shift')
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([])
})

async function openQueue(page: Page, desk: Desk, more = ''): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}${more}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()
}
