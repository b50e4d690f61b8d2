import type { Page } from '@playwright/test'
import { SETTINGS_PARTS } from '#components/settings/settings-parts.ts'
import { sampled } from '#server/testing/scaled.ts'
import { expectNoFindings, windows } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a chosen language applies immediately and is used by the server for another browser', { tag: '@stress' }, async ({
  page,
  desk,
  browser,
}) => {
  const { email, password } = await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/settings/preferences`)
  const arabic = page.getByRole('radio', { name: 'العربية' })
  await arabic.check()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('heading', { level: 1, name: 'تفضيلاتي' })).toBeVisible()
  await expect(page).toHaveTitle(/تفضيلاتي/)
  await expect(arabic).toBeFocused()

  const other = await (await browser.newContext()).newPage()
  await other.request.post(`${desk.url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: desk.url },
  })
  const answer = await other.goto(`${desk.url}/queue`)
  expect(await answer?.text()).toMatch(/<html lang="ar" dir="rtl"/)
  await other.context().close()

  await page.getByRole('radio', { name: 'English' }).check()
  await expect(page.getByRole('heading', { level: 1, name: 'My preferences' })).toBeVisible()
})

test('the sign-in page uses the browser language of any region', { tag: '@stress' }, async ({ browser, desk }) => {
  const page = await (await browser.newContext({ locale: 'de-AT' })).newPage()
  await page.goto(`${desk.url}/sign-in`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('button', { name: 'Anmelden', exact: true })).toBeVisible()
  await page.context().close()
})

test('a page loads only the messages of its own language', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await speak(page, desk, 'de')
  const html = (await (await page.goto(`${desk.url}/queue`))?.text()) ?? ''
  expect(html).toContain('Zurückgehalten')
  expect(html).not.toContain('Your decisions are safe.')
  expect(html).not.toContain('مجتمع')
})

test('a moderator decides in Arabic with the same keys and the list on the right', async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  await speak(page, desk, 'ar')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  const [list, context] = await Promise.all([
    page.getByRole('listbox').boundingBox(),
    page.getByRole('complementary').boundingBox(),
  ])
  expect(list?.x).toBeGreaterThan(context?.x ?? Number.POSITIVE_INFINITY)
  await page.keyboard.press('a')
  await expect(page.getByRole('status')).toContainText('Author first')
  const state = () => desk.stateOf(desk.held[0]?.commentId ?? '')
  await expect.poll(state, { message: 'waited until it is approved' }).toBe('approved')
  await page.keyboard.press('u')
  await expect.poll(state, { message: 'waited until it is pending again' }).toBe('pending')
})

test('popovers and dialogs in Arabic open in place and have no axe findings', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  await speak(page, desk, 'ar')
  const overlays = page.locator('[role=dialog], [role=menu]')
  for (const size of windows(320)) {
    await page.setViewportSize(size)
    await page.goto(`${desk.url}/queue?item=comment:${desk.held[0]?.commentId}`)
    for (const key of sampled(['f', 'Control+k', '?', 'b', 'n', 'e'], 3)) {
      await page.keyboard.press(key)
      await expect(overlays.first()).toBeVisible()
      await expectNoFindings(page)
      // On a phone the filters are in a sheet, and their options open from it.
      for (let open = await overlays.count(); open > 0; open = await overlays.count()) {
        await page.keyboard.press('Escape')
        await expect.poll(() => overlays.count(), { message: 'waited until Escape closes one' }).toBeLessThan(open)
      }
    }
  }
})

const PAGES = ['queue', 'queue?view=reported', 'channels', 'communities', 'users', 'messages', 'audit', 'insights']

const SPOKEN = [
  ['ar', 320],
  ['de', 320],
  ['ar', 1440],
] as const

for (const [language, width] of sampled(SPOKEN, 1)) {
  test(`pages in ${language} at ${width} px have no axe findings and fit the width`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await desk.signIn(page, 'admin')
    await speak(page, desk, language)
    for (const path of sampled([...PAGES, ...SETTINGS_PARTS.map(({ href }) => href.slice(1))], 4)) {
      await test.step(path, async () => {
        await page.goto(`${desk.url}/${path}`)
        await expect(page.getByRole('heading').filter({ visible: true }).first()).toBeVisible()
        await expectNoFindings(page)
      })
    }
  })
}

async function speak(page: Page, desk: Desk, language: 'de' | 'ar'): Promise<void> {
  await page.context().addCookies([{ name: 'docket_language', value: language, url: desk.url }])
}
