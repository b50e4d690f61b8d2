import type { Browser, Page } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

const queueOf = (desk: Desk, more = '') => `/queue?communityId=${desk.community.communityId}${more}`
const row = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text })
const rowOf = (page: Page, desk: Desk, index: number) => row(page, desk.held[index]?.authorName ?? '')
const claimButton = (page: Page, name: 'Claim' | 'Release') =>
  page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name, exact: true })
const mineLink = (page: Page) => page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: /^Mine/ })

test.use({ viewport: { width: 1440, height: 900 } })

/** The page of another moderator of the community, at its queue. */
async function colleague(
  browser: Browser,
  desk: Desk,
): Promise<{ page: Page; name: string; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const { name } = await desk.signIn(page, 'moderator')
  await page.goto(queueOf(desk))
  return { page, name, close: () => context.close() }
}

test('a claimed item stays one’s own over a reload, is listed under Mine, and shows its claimant to a colleague at once', async ({
  page,
  browser,
  desk,
}) => {
  const { name } = await desk.signIn(page, 'moderator')
  const ben = await colleague(browser, desk)
  await page.goto(queueOf(desk))
  await expect(rowOf(page, desk, 0)).toHaveAttribute('data-current', 'true')

  await page.keyboard.press('c')
  await expect(page.getByRole('status')).toContainText('Claimed. Yours until')
  await expect(rowOf(page, desk, 0)).toContainText('Claimed by You')
  await expect(rowOf(ben.page, desk, 0)).toContainText(`Claimed by ${name}`)
  await expect(mineLink(page)).toContainText('1')
  await page.reload()
  await expect(claimButton(page, 'Release')).toBeVisible()

  await mineLink(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('search')).toContainText('1 claimed by you in')
  await expectNoFindings(page)
  await expect(rowOf(page, desk, 0)).toHaveAttribute('data-current', 'true')
  await page.keyboard.press('c')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(page.getByText('You haven’t claimed anything')).toBeVisible()
  await expect(rowOf(ben.page, desk, 0)).not.toContainText('Claimed by')
  await ben.close()
})

test('warns before a decision on a colleague’s item, and decides when asked again', async ({ page, browser, desk }) => {
  const { name } = await desk.signIn(page, 'moderator')
  const ben = await colleague(browser, desk)
  await page.goto(queueOf(desk))
  await expect(rowOf(page, desk, 0)).toHaveAttribute('data-current', 'true')
  await page.keyboard.press('c')
  await expect(rowOf(ben.page, desk, 0)).toContainText(`Claimed by ${name}`)

  await expect(rowOf(ben.page, desk, 0)).toHaveAttribute('data-current', 'true')
  await ben.page.keyboard.press('c')
  await expect(ben.page.getByRole('status')).toContainText(`${name} has already claimed this`)
  await ben.page.keyboard.press('a')
  await expect(ben.page.getByRole('status')).toContainText(`${name} has claimed this until`)
  expect(await desk.stateOf(desk.held[0]?.commentId ?? '')).toBe('pending')
  await ben.page.keyboard.press('a')
  await expect
    .poll(() => desk.stateOf(desk.held[0]?.commentId ?? ''), { message: 'waited until it is approved' })
    .toBe('approved')
  await ben.close()
})

test('a decision that a claim overtakes is not counted, and the item is back with its claimant', async ({
  page,
  browser,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ben = await colleague(browser, desk)
  await page.goto(queueOf(desk))
  await expect(rowOf(ben.page, desk, 0)).toHaveAttribute('data-current', 'true')
  // Ben's decision is on its way when the item is claimed.
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await ben.page.route('**/api/trpc/review.decide**', async (route) => {
    sent.resolve()
    await released.promise
    await route.continue()
  })
  await ben.page.keyboard.press('a')
  await sent.promise
  await expect(rowOf(page, desk, 0)).toHaveAttribute('data-current', 'true')
  await page.keyboard.press('c')
  await expect(rowOf(page, desk, 0)).toContainText('Claimed by You')
  released.resolve()
  await expect(ben.page.getByText(/has claimed the comment by .*Your approval wasn’t counted/)).toBeVisible()
  await expect(rowOf(ben.page, desk, 0)).toContainText('Claimed by')
  expect(await desk.stateOf(desk.held[0]?.commentId ?? '')).toBe('pending')
  await ben.close()
})

test('claims a group at once without a colleague’s item, and a group decision leaves out what is claimed and says whose it is', {
  tag: '@stress',
}, async ({ page, browser, desk }) => {
  const { prisma } = desk.database
  const make = factoriesOf(desk.database)
  const { communityId } = desk.community
  const ids: string[] = []
  for (const text of ['Cheap watches', 'cheap watches!', 'CHEAP watches'])
    ids.push((await make.heldComment({ communityId, data: { text }, queuedAt: new Date() })).commentId)
  const { name } = await desk.signIn(page, 'moderator')
  const ben = await colleague(browser, desk)
  await ben.page.goto(queueOf(desk, `&item=comment:${ids[0]}`))
  await claimButton(ben.page, 'Claim').click()
  await expect(claimButton(ben.page, 'Release')).toBeVisible()

  await page.goto(queueOf(desk))
  await row(page, '3 alike').click()
  await page.keyboard.press('c')
  await expect(page.getByRole('status')).toContainText('Claimed 2 items. Yours until')
  await expect(page.getByRole('status')).toContainText(`Left out: 1 already claimed by ${ben.name}.`)
  await expect
    .poll(() => prisma.reviewItem.count({ where: { subjectId: { in: ids }, claimedBy: { not: null } } }), {
      message: 'waited until all are claimed',
    })
    .toBe(3)

  await ben.page.goto(queueOf(desk))
  await row(ben.page, '3 alike').click()
  await ben.page.keyboard.press('g')
  const dialog = ben.page.getByRole('dialog', { name: '3 held items with this text' })
  await expect(dialog.getByRole('region', { name: `claimed by ${name}` }).getByRole('listitem')).toHaveCount(2)
  await ben.page.keyboard.press('r')
  await expect.poll(() => desk.stateOf(ids[0] ?? ''), { message: 'waited until it is rejected' }).toBe('rejected')
  expect(await prisma.comment.count({ where: { commentId: { in: ids }, approvalStatus: 'pending' } })).toBe(2)
  await ben.close()
})
