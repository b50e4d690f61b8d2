import type { Browser, Page } from '@playwright/test'
import { statesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('preferences apply in another browser and are rendered by the server', { tag: '@stress' }, async ({
  page,
  desk,
  browser,
}) => {
  const account = await desk.account('moderator')
  await signIn(page, desk, account)
  await openPreferences(page, desk)
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.getByRole('button', { name: 'Choose a time zone' }).click()
  await page.getByRole('searchbox', { name: 'Find a time zone' }).fill('kathmandu')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Asia/Kathmandu, in every browser')).toBeVisible()
  await keptAs(desk, account, { theme: 'dark', density: 'compact', zone: 'Asia/Kathmandu' })

  const other = await otherBrowser(browser, desk, account)
  const answer = await other.goto(`${desk.url}/queue`)
  const html = (await answer?.text()) ?? ''
  expect(html).toContain('data-theme="dark"')
  expect(html).toContain('data-density="compact"')
  await expect(other.getByRole('banner')).toContainText('Asia/Kathmandu')
  await other.context().close()
})

test('a saved preference overrides an older cookie', { tag: '@stress' }, async ({ page, desk }) => {
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue`)
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'My preferences' }).click()
  await kept(page, () => page.getByRole('radio', { name: 'Light' }).check())
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

  await page.context().addCookies([{ name: 'docket_theme', value: 'dark', url: desk.url }])
  const answer = await page.reload()
  expect(await answer?.text()).toContain('data-theme="light"')
})

test('reports a change that was not saved and saves it on retry', { tag: '@stress' }, async ({ page, desk }) => {
  const account = await desk.account('moderator')
  await signIn(page, desk, account)
  await openPreferences(page, desk)
  await page.route('**/api/trpc/preferences.change**', (route) => route.abort())
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await expect(page.getByText('Changes not saved.')).toBeVisible()

  await page.unroute('**/api/trpc/preferences.change**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Changes not saved.')).toBeHidden()
  await keptAs(desk, account, { theme: 'dark', density: 'compact' })
})

test.describe('custom shortcuts', () => {
  test('a custom key works, is shown everywhere and frees the old key', { tag: '@stress' }, async ({ page, desk }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await kept(page, () => page.keyboard.press('y'))
    await expect(page.getByRole('button', { name: 'Change the key for “approve”, now Y' })).toBeFocused()

    await openQueue(page, desk)
    await expect(page.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-keyshortcuts', 'Y')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog').getByText('Y', { exact: true }).first()).toBeAttached()
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.keyboard.press('y')
    await expect(page.getByRole('status')).toContainText('Approved: Author first')
    await expect
      .poll(() => statesOf(desk, 0, 1), { message: 'waited until the approval has arrived' })
      .toEqual(['approved', 'pending'])
  })

  test('offers to swap keys when a key is already used', { tag: '@stress' }, async ({ page, desk }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await page.keyboard.press('r')
    await expect(page.getByText('R is already used for “reject”.')).toBeVisible()
    await page.getByRole('button', { name: 'Swap keys' }).click()
    await expect(page.getByRole('button', { name: 'Change the key for “approve”, now R' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change the key for “reject”, now A' })).toBeVisible()

    await page.getByRole('button', { name: 'Reset all shortcuts' }).click()
    await expect(page.getByRole('button', { name: 'Change the key for “approve”, now A' })).toBeVisible()
  })

  test('rejects reserved keys, and Escape cancels', { tag: '@stress' }, async ({ page, desk }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter is reserved by the browser')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Change the key for “approve”, now A' })).toBeFocused()
  })

  test('with single-key shortcuts off no letter acts, and named keys still move', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await kept(page, () => page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space'))

    await openQueue(page, desk)
    await expect(page.getByRole('button', { name: 'Approve' })).not.toHaveAttribute('aria-keyshortcuts')
    await page.getByRole('option').first().focus()
    for (const key of ['a', 'r', 'j', '?']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: desk.held[1]?.text ?? '' })).toBeFocused()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(await statesOf(desk, 0, 1)).toEqual(['pending', 'pending'])
  })
})

test.describe('wellness', () => {
  test('hidden text is shown with its key, and the next item is hidden again', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await kept(page, () => page.getByRole('radio', { name: 'Always' }).check())

    await openQueue(page, desk)
    const text = page.getByText(desk.held[0]?.text ?? '')
    await expect(page.getByRole('article').getByText('Hidden text').first()).toBeVisible()
    await expect(text).toHaveCount(0)
    for (const key of ['e', '0', 'b']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog')).toBeVisible()
      if (key !== 'b') await expect(page.getByRole('dialog')).toContainText('Hidden text')
      await expect(text).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.keyboard.press('t')
    await expect(page.getByRole('article').getByText(desk.held[0]?.text ?? '')).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('article').getByText(desk.held[1]?.text ?? '')).toHaveCount(0)
  })

  test('hides only flagged text when set to do so', { tag: '@stress' }, async ({ page, desk }) => {
    const [flagged, plain] = desk.held
    await desk.database.prisma.comment.update({
      where: { commentId: flagged?.commentId ?? '' },
      data: { flagCount: 2 },
    })
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await kept(page, () => page.getByRole('radio', { name: 'When flagged' }).check())

    await openQueue(page, desk)
    await expect(page.getByRole('article').getByText('Hidden text, flagged')).toBeVisible()
    await expect(page.getByText(flagged?.text ?? '')).toHaveCount(0)
    await page.keyboard.press('j')
    await expect(page.getByRole('article').getByText(plain?.text ?? '')).toBeVisible()
  })

  test('suggests a break after the chosen number of decisions without moving anything', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    await page.getByRole('spinbutton', { name: 'after this many decisions' }).fill('2')
    await kept(page, () => page.keyboard.press('Enter'))

    await openQueue(page, desk)
    const approve = page.getByRole('button', { name: 'Approve' })
    const before = await approve.boundingBox()
    await page.keyboard.press('a')
    await expect(page.getByText('Time to rest your eyes.')).toBeHidden()
    await page.keyboard.press('a')
    await expect(page.getByText('2 decisions. Time to rest your eyes.')).toBeVisible()
    expect(await approve.boundingBox()).toEqual(before)
    await page.getByRole('button', { name: 'Dismiss and restart the count' }).click()
    await expect(page.getByText('Time to rest your eyes.')).toBeHidden()
  })

  test('a hidden image is shown greyscale and blurred first, then in full', { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await desk.signIn(page, 'moderator')
    await openPreferences(page, desk)
    const picture = page.getByRole('img', { name: 'A boat at the quay.' })
    await expect(picture).toHaveCount(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(picture).toHaveCSS('filter', /blur.*grayscale|grayscale.*blur/)
    await page.getByRole('button', { name: 'Show original' }).click()
    await expect(picture).toHaveCSS('filter', 'none')
  })
})

type Account = Awaited<ReturnType<Desk['account']>>

async function signIn(page: Page, desk: Desk, { email, password }: Account): Promise<void> {
  const answer = await page.request.post(`${desk.url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: desk.url },
  })
  expect(answer.ok()).toBe(true)
}

async function otherBrowser(browser: Browser, desk: Desk, account: Account): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, desk, account)
  return page
}

async function openPreferences(page: Page, desk: Desk): Promise<void> {
  await page.goto(`${desk.url}/settings/preferences`)
  await expect(page.getByRole('heading', { level: 1, name: 'My preferences' })).toBeVisible()
}

async function openQueue(page: Page, desk: Desk): Promise<void> {
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('option').first()).toBeVisible()
}

/** Runs an act, and waits for the server's response. */
async function kept(page: Page, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse(/preferences\.change/)
  await act()
  expect((await answer).ok()).toBe(true)
}

async function keptAs(desk: Desk, { email }: Account, expected: object): Promise<void> {
  const { prisma } = desk.database
  const readPreferences = async () => {
    const { networkUserId } = await prisma.staffAccount.findUniqueOrThrow({ where: { email } })
    const kept = await prisma.staffPreference.findUnique({ where: { userId: networkUserId } })
    return kept?.preferences
  }
  await expect.poll(readPreferences, { message: 'waited until the preferences are saved' }).toEqual(expected)
}
