import type { Page } from '@playwright/test'
import { type Desk, expect, test } from './fixtures.ts'

/** A window of 1440 × 900 at 200 % and 400 %, and other low ones. */
const WINDOWS = [
  { width: 720, height: 450 },
  { width: 800, height: 600 },
  { width: 640, height: 480 },
  { width: 360, height: 225 },
  { width: 320, height: 256 },
]

test('the text being judged gets at least half of a low window, also while a decision can be undone', async ({
  page,
  desk,
}) => {
  await openItem(page, desk)
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Undo' }).filter({ visible: true })).toBeVisible()
  for (const size of WINDOWS) {
    await page.setViewportSize(size)
    await expect
      .poll(() => shareOfText(page), { message: `waited until it has half of ${size.width} × ${size.height}` })
      .toBeGreaterThanOrEqual(0.5)
  }
})

test('who reads further down stays there in a window of another width', { tag: '@stress' }, async ({ page, desk }) => {
  await page.setViewportSize({ width: 360, height: 225 })
  await openItem(page, desk)
  const written = page.getByRole('article').getByText('The first comment says')
  await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author first')
  await expect(written).toBeInViewport()
  await page.getByRole('heading', { name: 'Same text, past decisions' }).scrollIntoViewIfNeeded()
  await expect(written).not.toBeInViewport()
  await page.setViewportSize({ width: 320, height: 256 })
  await expect(written).not.toBeInViewport()
})

test('text of 400 % leaves half of the window to what is judged', { tag: '@stress' }, async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 64, fixed: 52 } })
  await openItem(page, desk)
  await expect
    .poll(() => shareOfText(page), { message: 'waited until it has half of the window' })
    .toBeGreaterThanOrEqual(0.5)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440)
})

test('an item, a person and an audit entry each print on one page, under a title that names them', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const pages = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length
  await desk.signIn(page, 'admin')
  const { commentId, userId } = desk.held[0] ?? {}
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}&item=comment:${commentId}`)
  await expect(page).toHaveTitle('Comment by Author first · Held · Docket')
  await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author first')
  expect(await pages()).toBe(1)

  await page.goto(`${desk.url}/users/${userId}`)
  await expect(page).toHaveTitle('Author first · Docket')
  expect(await pages()).toBe(1)

  await desk.decideElsewhere(commentId ?? '', 'approved')
  await page.goto(`${desk.url}/audit?communityId=${desk.community.communityId}&action=comment.approved`)
  await page.getByRole('row').nth(1).click()
  await expect(page).toHaveTitle('Comment: approved · Audit log · Docket')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByText('Every action taken at the desk')).toBeHidden()
  expect(await pages()).toBe(1)
})

test('text of 400 % is not cut off in the bars of the desk', { tag: '@stress' }, async ({ page, desk }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 64, fixed: 52 } })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users`)
  for (const bar of [page.getByRole('banner'), page.getByRole('button', { name: 'Any status' })])
    expect(await bar.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1)
})

test('in a low window a key opens the context over the item, and the same key closes it', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await openItem(page, desk)
  const context = page.getByRole('complementary', { name: 'Context' })
  await expect(context).toBeHidden()
  await page.keyboard.press('i')
  await expect(context).toBeFocused()
  await expect(context).toContainText('Author first')
  await page.keyboard.press('i')
  await expect(context).toBeHidden()
  await expect(page.getByRole('option').first()).toBeFocused()
})

test('an item prints with its context, without the list and the bars', { tag: '@stress' }, async ({ page, desk }) => {
  await openItem(page, desk)
  await expect(page.getByRole('complementary', { name: 'Context' })).toContainText('Author first')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article').getByText('The first comment says')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Context' })).toBeVisible()
  for (const hidden of [page.getByRole('navigation'), page.getByRole('listbox'), page.getByRole('toolbar')])
    await expect(hidden.filter({ visible: true })).toHaveCount(0)
  const bottomOf = async (of: ReturnType<Page['getByRole']>) => {
    const { y = 0, height = 0 } = (await of.boundingBox()) ?? {}
    return y + height
  }
  const context = page.getByRole('complementary', { name: 'Context' })
  expect((await context.boundingBox())?.y).toBeGreaterThanOrEqual(await bottomOf(page.getByRole('article')))
})

async function openItem(page: Page, desk: Desk): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}&item=comment:${desk.held[0]?.commentId}`)
  await expect(page.getByRole('article')).toContainText('The first comment says')
}

/** How much of the window's height is left between the bars to the open item; 0 if its text isn't there. */
function shareOfText(page: Page): Promise<number> {
  return page.evaluate(() => {
    const region = document.querySelector('article section[tabindex]')
    const text = region?.querySelector('[dir=auto].font-member.text-item')
    if (!region || !text) return 0
    const head = document.querySelector('article > div')
    const bars = document.querySelector('article > div:last-child')
    // Where the bars have no box of their own, the first of them.
    const hasBox = bars && getComputedStyle(bars).display !== 'contents'
    const bar = (hasBox ? bars : bars?.firstElementChild)?.getBoundingClientRect()
    // On a phone, the whole page scrolls between the bars, in the lowest windows with the item's head.
    const isFixed = head && getComputedStyle(head).position !== 'static'
    const isScroller = getComputedStyle(region).overflowY === 'auto'
    const from = isFixed || isScroller ? (head?.getBoundingClientRect().bottom ?? 0) : 0
    const until = bar?.top ?? 0
    const judged = text.getBoundingClientRect()
    return judged.top >= from && judged.top < until ? (until - from) / window.innerHeight : 0
  })
}
