import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('by keyboard, what somebody wrote is selected on their page, rejected with a reason, and restored with one key', async ({
  page,
  desk,
}) => {
  const { userId, held, published } = await author(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  const rows = tableOf(page).getByRole('row')
  await expect(rows).toHaveCount(7)

  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  // It is rejected already.
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  for (const _ of [1, 2]) await page.keyboard.press('Shift+J')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await expect(bar).toContainText('3 selected')
  await expect(bar.getByRole('button', { name: 'Approve 2' })).toBeVisible()
  await expectNoFindings(page)

  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject and delete items by Author Ash' })
  await expect(dialog.getByRole('status')).toHaveText(
    `2 held items will be rejected and deleted. 1 published item will be deleted. In ${desk.community.displayName} (3).`,
  )
  await expect(dialog.getByRole('radio').first()).toBeAttached()
  await page.keyboard.press('1')
  await expect(dialog.getByRole('radio').first()).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText('Removed 3 items by Author Ash.')
  const all = [...held, ...published]
  expect(await areDeleted(desk, all)).toEqual([true, true, false, true, false])
  await expect(rows.nth(2)).toContainText(/Rejected.*Reason: /)

  await page.keyboard.press('u')
  await expect
    .poll(() => areDeleted(desk, all), { message: 'waited until all is restored' })
    .toEqual([false, false, false, false, false])
})

test('by mouse, what is published is filtered, a range of it deleted, and all that is held approved after a look at how many, and where', async ({
  page,
  desk,
}) => {
  const { userId, held, published } = await author(desk)
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.getByRole('button', { name: 'any status' }).click()
  await page.getByRole('menuitemradio', { name: 'Published' }).click()
  await expect(page).toHaveURL(/state=published/)
  const rows = tableOf(page).getByRole('row')
  await expect(rows).toHaveCount(3)
  await rows.nth(1).getByRole('checkbox').check()
  await rows.nth(2).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Delete 2' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete items by Author Ash' })
  await deleting.getByRole('button', { name: 'Delete 2' }).click()
  const toast = page.getByRole('region', { name: 'Last action' })
  await expect(toast).toContainText('Removed 2 items by Author Ash.')
  expect(await areDeleted(desk, published)).toEqual([true, true])
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect(rows).toHaveCount(7)

  await page.getByRole('button', { name: 'Approve all 3 held…' }).click()
  const approving = page.getByRole('dialog', { name: 'Approve items by Author Ash' })
  await expect(approving.getByRole('status')).toHaveText(
    `3 held items will be approved and published. In ${desk.community.displayName} (3).`,
  )
  await approving.getByRole('button', { name: 'Approve 3' }).click()
  await expect(toast).toContainText('Approved 3 items by Author Ash.')
  await expect(page.getByRole('button', { name: 'Approve all' })).toHaveCount(0)
  expect(await Promise.all(held.map((id) => desk.stateOf(id)))).toEqual(['approved', 'approved', 'approved'])
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Approved: 3 comments')
  await expect(timeline).toContainText('Wrote 6 comments')
})

/** Somebody with one rejected comment, then three held, then two published, the latest first. */
async function author(desk: Desk) {
  const make = factoriesOf(desk.database)
  const { prisma } = desk.database
  const { communityId } = desk.community
  const { userId } = await prisma.user.create({ data: { userId: randomUUID(), displayName: 'Author Ash' } })
  const at = (index: number) => new Date(Date.now() - (index + 1) * 60_000)
  const write = async (index: number, over: object = {}) => {
    const data = { text: `Text ${index}` }
    return (await make.heldComment({ communityId, userId, createdAt: at(index), data, ...over })).commentId
  }
  await write(0, { approvalStatus: 'rejected', isDeleted: true })
  const [first, second] = [await write(1), await write(2)]
  const middle = await write(3, { approvalStatus: null })
  const third = await write(4)
  const last = await write(5, { approvalStatus: null })
  return { userId, held: [first, second, third], published: [middle, last] }
}

const tableOf = (page: Page) => page.getByRole('grid', { name: 'What they wrote' })

/** In this order. */
async function areDeleted(desk: Desk, ids: string[]): Promise<boolean[]> {
  const rows = await desk.database.prisma.comment.findMany({ where: { commentId: { in: ids } } })
  return ids.map((id) => rows.find(({ commentId }) => commentId === id)?.isDeleted ?? false)
}
