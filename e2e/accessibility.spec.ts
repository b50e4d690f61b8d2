import AxeBuilder from '@axe-core/playwright'
import type { CDPSession, Page } from '@playwright/test'
import { type Desk, expect, test } from './fixtures.ts'

/** Axe looks at every element, and a zone picker has hundreds. */
test.describe.configure({ timeout: 60_000 })

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

const LOOKS = [
  { look: 'light', cookies: { docket_theme: 'light' }, media: {}, widths: WIDTHS },
  { look: 'dark', cookies: { docket_theme: 'dark' }, media: {}, widths: WIDTHS },
  { look: 'forced colours', cookies: {}, media: { forcedColors: 'active' }, widths: [1440, 320] },
  { look: 'right to left', cookies: { docket_dir: 'rtl' }, media: {}, widths: [1440, 320] },
] as const

for (const { look, cookies, media, widths } of LOOKS) {
  for (const width of widths) {
    test.describe(`${width} px, ${look}`, () => {
      test.beforeEach(async ({ page, desk }) => {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia(media)
        const pairs = Object.entries(cookies).map(([name, value]) => ({ name, value, url: desk.url }))
        await page.context().addCookies(pairs)
        await openQueue(page, desk)
      })

      test('axe finds nothing in the palette and the list of keys, and nothing is too wide', async ({ page, desk }) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('textbox').fill(desk.community.displayName)
        const found = page.getByRole('dialog').getByRole('option', { name: desk.community.displayName })
        await expect(found.first()).toBeVisible()
        await expectNoFindings(page, BEHIND_AN_OVERLAY)
        await expectWithin(page, width)
        await page.keyboard.press('Escape')

        await page.getByRole('option').first().focus()
        await page.keyboard.press('?')
        await expect(page.getByRole('dialog', { name: 'Keys on this page' })).toBeVisible()
        await expectNoFindings(page, BEHIND_AN_OVERLAY)
      })

      test('axe finds nothing in the preferences, and nothing is too wide', async ({ page, desk }) => {
        await page.goto(`${desk.url}/settings/preferences#keys`)
        await page.getByRole('button', { name: 'Choose a zone' }).click()
        await expect(page.getByRole('searchbox', { name: 'Find a time zone' })).toBeVisible()
        await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
        await page.keyboard.press('r')
        await expect(page.getByRole('button', { name: 'Swap the two' })).toBeVisible()
        await expectNoFindings(page)
        await expectWithin(page, width)
      })
    })
  }
}

test('axe finds nothing where text is covered and a pause is suggested', async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await page.request.post(`${desk.url}/api/trpc/preferences.change`, {
    data: { coveredText: 'all', pauseAfterDecisions: 1 },
    headers: { origin: desk.url },
  })
  await page.goto(queueOf(desk))
  await page.keyboard.press('a')
  await expect(page.getByText('Time to rest your eyes.')).toBeVisible()
  await expect(page.getByRole('article').getByRole('button', { name: 'Show text' }).first()).toBeVisible()
  await expectNoFindings(page)
})

test('turned round, the desk stands right to left', async ({ page, desk }) => {
  await page.context().addCookies([{ name: 'docket_dir', value: 'rtl', url: desk.url }])
  await openQueue(page, desk)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const [list, context] = await Promise.all([
    page.getByRole('listbox').boundingBox(),
    page.getByRole('complementary').boundingBox(),
  ])
  expect(list?.x).toBeGreaterThan(context?.x ?? Number.POSITIVE_INFINITY)
})

test('one decision is heard in its order: where one is, what comes next, what was decided, what was taken back', async ({
  page,
  desk,
}) => {
  await openQueue(page, desk)
  const heard = await listen(page)
  await page.getByRole('option').first().focus()
  await page.keyboard.press('r')
  await expect(page.getByRole('option', { name: desk.held[1]?.text ?? '' })).toBeFocused()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Taken back: Author first')

  expect(await heard()).toEqual([
    expect.stringMatching(/^option Author first .*The first comment says/),
    expect.stringMatching(/^option Author second .*The second comment says/),
    'Rejected: Author first. A digit says why; for ten seconds it can be taken back.',
    expect.stringMatching(/^option Author first .*The first comment says/),
    'Taken back: Author first',
  ])
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - article "Comment by Author first":
      - region "The comment in its conversation"
      - toolbar "Decide":
        - button "Approve"
        - button "Reject"
  `)
})

/** What a screen reader is given from now on: the name and role of what gets the focus, and the words of the live region. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Accessibility.enable')
  const heard: Promise<string>[] = []
  await page.exposeBinding('heardWords', (_source, words: string) => void heard.push(Promise.resolve(words)))
  await page.exposeBinding('heardFocus', () => void heard.push(nameOfFocus(session)))
  await page.evaluate(() => {
    const { heardWords, heardFocus } = window as unknown as Record<string, (words?: string) => void>
    const region = document.querySelector('[role=status]')
    if (!region) throw new Error('There is no live region.')
    new MutationObserver(() => region.textContent && heardWords?.(region.textContent)).observe(region, {
      childList: true,
    })
    document.addEventListener('focusin', () => heardFocus?.())
  })
  return () => Promise.all(heard)
}

async function nameOfFocus(session: CDPSession): Promise<string> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  const [node] = nodes
  return `${node?.role?.value} ${node?.name?.value}`
}

async function expectWithin(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight)).toBe(true)
}

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
