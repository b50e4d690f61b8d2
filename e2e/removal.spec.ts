import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { idOf, openQueue, row } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a ban by mouse removes what its author published but not what a colleague decides before it, and one undo restores it', async ({
  page,
  desk,
}) => {
  const { userId, held, published } = await writings(desk)
  const [approved = ''] = held
  await page.setViewportSize({ width: 1440, height: 900 })
  await openQueue(page, desk)
  await row(page, desk, 0).click()
  await page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Ban' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ban Author first' })
  await dialog.getByText('1 day', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'Also reject this and their other held item' }).check()
  await dialog.getByText('Everything', { exact: true }).click()
  const listed = dialog.getByRole('list', { name: 'What will be removed' }).getByRole('listitem')
  await expect(listed).toHaveCount(5)
  await expect(listed.first()).toContainText('Held')
  await expect(dialog.getByText('5 items will be removed: 2 held · 3 comments')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /Published 2/ }).uncheck()
  await desk.decideElsewhere(approved, 'approved')
  await dialog.getByRole('button', { name: 'Ban and remove 4' }).click()

  const toast = page.getByRole('region', { name: 'Last action' })
  await expect(toast).toContainText('Removed 3 items; 1 was left, as somebody else changed or decided it.')
  const all = [idOf(desk, 0), ...held, ...published]
  expect(await areDeleted(desk, all)).toEqual([true, false, true, false, true])
  expect(await bansOf(desk, userId)).toBe(1)
  await expect(row(page, desk, 1)).toBeFocused()

  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => areDeleted(desk, all), { message: 'waited until all is restored' })
    .toEqual([false, false, false, false, false])
  await expect.poll(() => bansOf(desk, userId), { message: 'waited until the ban is lifted' }).toBe(0)
  expect([await desk.stateOf(idOf(desk, 0)), await desk.stateOf(approved)]).toEqual(['pending', 'approved'])
})

test('on a person’s page a ban and what they published in the last day are three keys away, at any width, and undone with a fourth', async ({
  page,
  desk,
}) => {
  const { userId, held, published } = await writings(desk)
  await desk.signIn(page, 'admin')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'Ban Author first everywhere' })
  await expect(dialog.getByRole('radio', { name: '1 hour' })).toBeFocused()
  await page.keyboard.press('2')
  await page.keyboard.press('d')
  await expect(dialog.getByRole('radio', { name: 'Last day' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Ban and remove 2' })).toBeVisible()
  await expectNoFindings(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('Removed 2 items.')
  expect(await areDeleted(desk, [...held, ...published])).toEqual([false, true, true, false])

  await page.keyboard.press('u')
  await expect
    .poll(() => areDeleted(desk, published), { message: 'waited until all is restored' })
    .toEqual([false, false, false])
  await expect.poll(() => bansOf(desk, userId), { message: 'waited until the ban is lifted' }).toBe(0)
})

/** Of the author of the first item: another held one, and three that are published, of which one is two days old. */
async function writings(desk: Desk) {
  const make = factoriesOf(desk.database)
  const { communityId } = desk.community
  const { userId } = await desk.database.prisma.comment.findUniqueOrThrow({ where: { commentId: idOf(desk, 0) } })
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const write = async (text: string, hours: number, approvalStatus: 'pending' | null) => {
    const createdAt = at(hours)
    const over = { communityId, userId, data: { text }, createdAt, queuedAt: createdAt }
    const made = await make.heldComment({
      ...over,
      ...(approvalStatus === null && { queuedAt: undefined }),
      approvalStatus,
    })
    return made.commentId
  }
  const held = [await write('Another one that is held', 24, 'pending')]
  const published = [
    await write('Published 1', 2, null),
    await write('Published 2', 3, null),
    await write('Published 3', 48, null),
  ]
  return { userId, held, published }
}

async function areDeleted(desk: Desk, ids: string[]): Promise<(boolean | undefined)[]> {
  const found = await desk.database.prisma.comment.findMany({ where: { commentId: { in: ids } } })
  return ids.map((id) => found.find(({ commentId }) => commentId === id)?.isDeleted)
}

const bansOf = (desk: Desk, userId: string) => desk.database.prisma.ban.count({ where: { userId, liftedAt: null } })
