import type { Page } from '@playwright/test'
import { factoriesOf } from '#server/testing/factories.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { holdRequests } from './hold-requests.ts'

const queueOf = (desk: Desk) => `/queue?community=${desk.community.communityId}`

const badge = (page: Page, count: number) => page.getByRole('option').filter({ hasText: `${count} alike` })

/** Holds these texts in the desk's community, newest last, and waits until they are in groups. */
async function hold(desk: Desk, texts: string[]): Promise<string[]> {
  const { communityId } = desk.community
  const make = factoriesOf(desk.database)
  const firstAt = Date.now() - texts.length
  const held = await Promise.all(
    texts.map((text, index) => {
      return make.heldComment({ communityId, data: { text }, queuedAt: new Date(firstAt + index) })
    }),
  )
  const ids = held.map(({ commentId }) => commentId)
  return ids
}

function countOf({ database }: Desk, ids: string[], approvalStatus: 'pending' | 'approved' | 'rejected') {
  return database.prisma.comment.count({ where: { commentId: { in: ids }, approvalStatus } })
}

test('decides all items with the same text as one row, the reported one stays, and one undo brings them back', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Cheap watches', 'cheap WATCHES!!', 'Сheap   watсhes', 'Cheap watchesss'])
  const { prisma } = desk.database
  await prisma.comment.update({ where: { commentId: ids[0] ?? '' }, data: { flagCount: 1 } })
  await page.goto(queueOf(desk))
  await expect(badge(page, 4)).toHaveCount(1)
  await badge(page, 4).click()

  await page.keyboard.press('g')
  const group = page.getByRole('dialog', { name: '4 held items with this text' })
  await expect(group.getByRole('status')).toHaveText('1 item needs a separate decision:')
  const apart = group.getByRole('region', { name: 'Items that need a separate decision' })
  await expect(apart.getByRole('region', { name: 'reported by members' }).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(group).toBeHidden()

  await page.keyboard.press('r')
  await expect(badge(page, 4)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('Rejected 3 of 3')
  await expect.poll(() => countOf(desk, ids, 'rejected'), { message: 'waited until three are rejected' }).toBe(3)
  await expect(page.getByRole('option').filter({ hasText: 'Cheap watches' })).toHaveCount(1)

  await page.keyboard.press('u')
  await expect.poll(() => countOf(desk, ids, 'pending'), { message: 'waited until all are pending again' }).toBe(4)
  await expect(badge(page, 4)).toHaveCount(1)
})

test('decides small groups and single items at the pace of the keys, and undoes the last group as one', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Free money', 'free money!', 'Cheap watches', 'cheap WATCHES!!', 'Ferry at noon'])
  await page.goto(queueOf(desk))
  await expect(badge(page, 2)).toHaveCount(2)
  await page.getByRole('option').first().click()

  const letGo = await holdRequests(page, /bulk\.preview/)
  for (const key of ['a', 'r', 'r', 'a']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(badge(page, 2)).toHaveCount(0)
  letGo()
  await expect.poll(() => countOf(desk, ids, 'approved'), { message: 'waited until one is approved' }).toBe(1)
  await expect.poll(() => countOf(desk, ids, 'rejected'), { message: 'waited until both are rejected' }).toBe(4)
  await expect.poll(() => desk.stateOf(desk.held[0]?.commentId ?? ''), { message: 'the last key' }).not.toBe('pending')

  await page.keyboard.press('u')
  await expect
    .poll(() => desk.stateOf(desk.held[0]?.commentId ?? ''), { message: 'waited until it is pending again' })
    .toBe('pending')
  await page.keyboard.press('u')
  await expect.poll(() => countOf(desk, ids, 'rejected'), { message: 'waited until one group is undone' }).toBe(2)
})

test('a small group that is undone before the server answers is not decided', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Free money', 'free money!'])
  await page.goto(queueOf(desk))
  await badge(page, 2).click()

  const letGo = await holdRequests(page, /bulk\.preview/)
  await page.keyboard.press('r')
  await expect(badge(page, 2)).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(badge(page, 2)).toHaveCount(1)
  const answered = page.waitForResponse(/bulk\.preview/)
  letGo()
  await answered
  await page.keyboard.press('a')
  await expect.poll(() => countOf(desk, ids, 'approved'), { message: 'waited until both are approved' }).toBe(2)
})

test('a large group is decided once it is confirmed', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Buy', 'buy', 'BUY', 'Buy!', 'buy!', 'BUY!'])
  await page.goto(queueOf(desk))
  await badge(page, 6).click()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog', { name: 'Reject 6' })).toContainText('6 items will be rejected and deleted.')
  await page.keyboard.press('Enter')
  await expect.poll(() => countOf(desk, ids, 'rejected'), { message: 'waited until all are rejected' }).toBe(6)
})

test('lists a group one by one when asked to, and then decides a single item', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Free money', 'free money!'])
  await page.goto(queueOf(desk))
  await badge(page, 2).click()

  await page.keyboard.press('g')
  const group = page.getByRole('dialog', { name: '2 held items with this text' })
  await expect(group.getByRole('status')).toHaveText('All of them can be decided together.')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option').filter({ hasText: /free money/i })).toHaveCount(2)
  await expect(badge(page, 2)).toHaveCount(0)

  await page.keyboard.press('a')
  await expect.poll(() => countOf(desk, ids, 'approved'), { message: 'waited until one is approved' }).toBe(1)
  await expect(page.getByRole('option').filter({ hasText: /free money/i })).toHaveCount(1)
})

test('selects a group by its row, without its exceptions, and counts items rather than rows', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Buy now', 'buy NOW!', 'Buy   now', 'Something else'])
  const { prisma } = desk.database
  await prisma.comment.update({ where: { commentId: ids[0] ?? '' }, data: { flagCount: 1 } })
  await page.goto(queueOf(desk))
  const row = badge(page, 3)
  await expect(row).toHaveAttribute('aria-posinset', '2')
  const [oldest] = desk.held.slice(-1)
  await expect(page.getByRole('option', { name: oldest?.text ?? '' })).toHaveAttribute('aria-posinset', '12')

  await row.click()
  await expect(page.getByRole('article')).toContainText('2 of 12')
  await page.keyboard.press('j')
  await expect(page.getByRole('article')).toContainText('5 of 12')
  await page.keyboard.press('k')

  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await expect(bar).toContainText('2 selected')
  await expect(bar).toContainText('1 item with the same text needs a separate decision.')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar).toContainText('3 selected')
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('x')
  await expect(bar).toBeHidden()

  // The key that decides waits for the rest of the group.
  await page.keyboard.press('x')
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Approve 2' })
  await expect(dialog).toContainText('2 items will be approved and published.')
  await dialog.getByRole('button', { name: 'Approve 2' }).click()
  await expect.poll(() => countOf(desk, ids, 'approved'), { message: 'waited until two are approved' }).toBe(2)
})

test('on a phone with an item open, a decision on a small group is shown there and can be undone', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, ['Free money', 'free money!'])
  await page.goto(queueOf(desk))
  await badge(page, 2).click()
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const toast = page.getByRole('region', { name: 'Bulk action' })
  await expect(toast).toHaveCount(1)
  await expect(toast).toContainText('Rejected 2')
  await toast.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => countOf(desk, ids, 'pending'), { message: 'waited until both are pending again' }).toBe(2)
})

test('in a low window, the line of a group takes one line, and is whole while its button has the focus', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await desk.signIn(page, 'moderator')
  await hold(desk, ['Free money', 'free money!'])
  await page.goto(queueOf(desk))
  await badge(page, 2).click()
  const line = page.getByRole('paragraph').filter({ hasText: 'held items have this text' })
  const heightOf = async () => (await line.boundingBox())?.height ?? 0
  const low = await heightOf()
  expect(low).toBeLessThan(24)
  await page.setViewportSize({ width: 720, height: 900 })
  expect(await heightOf()).toBeGreaterThan(low)
  await page.setViewportSize({ width: 720, height: 450 })
  await line.locator('..').getByRole('button').focus()
  expect(await heightOf()).toBeGreaterThan(low)
})
