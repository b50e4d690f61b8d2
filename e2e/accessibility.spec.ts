import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type Desk, expect, test } from './fixtures.ts'

const WIDTHS = [1440, 1024, 640, 320]
const THEMES = ['light', 'dark'] as const

/** React Aria hides the page behind what is open, whose own container is no landmark. */
const BEHIND_AN_OVERLAY = ['region', 'aria-hidden-focus', 'page-has-heading-one']

for (const width of WIDTHS) {
  for (const theme of THEMES) {
    test(`axe finds nothing at ${width} px, ${theme}`, async ({ page, desk }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.context().addCookies([{ name: 'docket_theme', value: theme, url: desk.url }])

      await page.goto(`${desk.url}/sign-in`)
      await expectNoFindings(page)

      await openQueue(page, desk)
      await expectNoFindings(page)

      await page.getByRole('option').first().click()
      await page.keyboard.press('r')
      await expect(page.getByText('Nobody is told for').filter({ visible: true })).toBeVisible()
      await expectNoFindings(page)
    })
  }
}

test('axe finds nothing where nothing matches, where something failed, and where there is no page', async ({
  page,
  desk,
}) => {
  await openQueue(page, desk, '&startDate=2020-01-01&endDate=2020-01-01&timeZone=UTC')
  await expect(page.getByRole('heading', { name: 'None of 8 match' })).toBeVisible()
  await expectNoFindings(page)

  await page.goto(queueOf(desk))
  await page.route('**/api/trpc/review.decide**', (route) => route.abort())
  await page.keyboard.press('a')
  await expect(page.getByText('1 decision waits here')).toBeVisible()
  await expectNoFindings(page)

  await page.goto(`${desk.url}/no-such-page`)
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
  await expectNoFindings(page)
})

test('axe finds nothing in what opens over the desk', async ({ page, desk }) => {
  test.slow()
  await openQueue(page, desk)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoFindings(page, BEHIND_AN_OVERLAY)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Written between' }).click()
  await expect(page.getByRole('button', { name: 'Last 7 days' })).toBeVisible()
  await expectNoFindings(page, BEHIND_AN_OVERLAY)
  await page.keyboard.press('Escape')

  await page.getByRole('banner').getByRole('button', { name: 'Time zone' }).click()
  await expect(page.getByRole('option', { name: 'Asia/Kathmandu' })).toBeVisible()
  await expectNoFindings(page, BEHIND_AN_OVERLAY)
})

test('nothing breaks the page policy, and nothing is said to the console', async ({ page, desk }) => {
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))

  await page.goto(`${desk.url}/sign-in`)
  await openQueue(page, desk)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(said).toEqual([])
})

const queueOf = (desk: Desk, more = '') => `${desk.url}/queue?communityId=${desk.community.communityId}${more}`

async function openQueue(page: Page, desk: Desk, more = ''): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk, more))
  await expect(page.getByRole('heading', { level: 1, name: 'Held' })).toBeVisible()
}

async function expectNoFindings(page: Page, except: string[] = []): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).disableRules(except).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
}
