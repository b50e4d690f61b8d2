import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings } from './axe.ts'
import { openWave } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

const queueOf = (desk: Desk) => `/queue?community=${desk.community.communityId}`

const TEXT = 'Cheap watches of every brand, order yours today at watches.example, code'

/** Holds near-duplicates in a community, the desk's unless another is named. */
async function hold(
  desk: Desk,
  count: number,
  { text = TEXT, communityId = desk.community.communityId } = {},
): Promise<string[]> {
  const make = factoriesOf(desk.database)
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const data = { text: `${text} ${String.fromCharCode(97 + number).repeat(2)}z` }
    ids.push((await make.heldComment({ communityId, data, queuedAt: new Date() })).commentId)
  }
  return ids
}

test('rejects a wave with four keys, but for what was deselected or reported, and one undo brings it back', async ({
  page,
  desk,
}) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, 6)
  const { prisma } = desk.database
  await prisma.comment.update({ where: { commentId: ids[0] ?? '' }, data: { flagCount: 1 } })
  await page.goto(queueOf(desk))
  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  const card = page.getByRole('region', { name: 'Wave' })
  await expect(card).toContainText('Wave: 6 similar items by 6 accounts in 1 community')
  const withState = (approvalStatus: 'rejected' | 'pending') =>
    prisma.comment.count({ where: { commentId: { in: ids }, approvalStatus } })

  await page.keyboard.press('w')
  const wave = page.getByRole('dialog', { name: '6 similar held items' })
  await expect(wave.getByRole('status')).toContainText('Review the 5 items below')
  await expect(wave.getByRole('region', { name: 'reported by members' }).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject 5' })
  await expect(dialog).toContainText('5 items will be rejected and deleted.')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => withState('rejected'), { message: 'waited until the wave is rejected' }).toBe(5)
  await page.keyboard.press('u')
  await expect.poll(() => withState('pending'), { message: 'waited until the wave is pending again' }).toBe(6)

  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  await page.keyboard.press('w')
  await wave.getByRole('checkbox').first().press(' ')
  await expect(wave.getByRole('region', { name: '4 of 5 selected' })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Approve 4' })).toBeVisible()
})

test('on a phone, the wave of an item is on screen with the item', { tag: '@stress' }, async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await desk.signIn(page, 'moderator')
  await hold(desk, 4)
  await page.goto(queueOf(desk))
  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  const card = page.getByRole('region', { name: 'Wave' })
  await expect(card).toBeInViewport({ ratio: 1 })
  await expect(card).toContainText('4 similar items')
  await card.getByRole('button').click()
  await expect(page.getByRole('dialog', { name: '4 similar held items' })).toBeVisible()
})

test('rejects a wave and bans its authors by keyboard alone, and one undo lifts the bans', async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, 6)
  const { prisma } = desk.database
  const { communityId } = desk.community
  // The author of the one that ends with aaz.
  const { userId } = await prisma.comment.findUniqueOrThrow({ where: { commentId: ids[0] ?? '' } })
  await factoriesOf(desk.database).member({ communityId, userId, roles: ['community-moderator'] })
  await page.goto(queueOf(desk))
  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  await expect(page.getByRole('region', { name: 'Wave' })).toBeVisible()

  await page.keyboard.press('w')
  const wave = page.getByRole('dialog', { name: '6 similar held items' })
  await wave
    .getByRole('checkbox', { name: /code (?!aaz)/ })
    .last()
    .press(' ')
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject 5' })
  const ban = dialog.getByRole('checkbox', { name: 'Also ban the 5 accounts that wrote them' })
  await expect(ban).not.toBeChecked()
  await page.keyboard.press('b')
  await expect(ban).toBeChecked()
  await expect(dialog.getByRole('list', { name: 'Not banned:' })).toHaveText(
    '1 account that reviews content or moderates',
  )
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Choose a duration.')).toBeVisible()
  await dialog.getByRole('radio', { name: '1 week' }).focus()
  await page.keyboard.press(' ')
  await expectNoFindings(page)
  await expect(dialog.getByRole('button', { name: 'Reject 5 and ban 4' })).toBeVisible()
  await page.keyboard.press('Enter')

  const bans = { communityId, liftedAt: null }
  await expect.poll(() => prisma.ban.count({ where: bans }), { message: 'waited until the authors are banned' }).toBe(4)
  const toast = page.getByRole('region', { name: 'Bulk action' })
  await expect(toast).toContainText('4 accounts banned')
  await expect(toast.getByRole('list', { name: 'Not banned:' })).toHaveText(
    '1 account that reviews content or moderates',
  )
  await page.keyboard.press('u')
  await expect(toast).toContainText('4 bans lifted')
  expect(await prisma.ban.count({ where: bans })).toBe(0)
  expect(await prisma.comment.count({ where: { commentId: { in: ids }, approvalStatus: 'pending' } })).toBe(6)
})

test('rejects a wave and mutes its authors by keyboard alone, and one undo lifts the mutes', {
  tag: '@stress',
}, async ({ page, desk }) => {
  await desk.signIn(page, 'moderator')
  const ids = await hold(desk, 5)
  const { prisma } = desk.database
  const { communityId } = desk.community
  const authors = await prisma.comment.findMany({ where: { commentId: { in: ids } }, select: { userId: true } })
  for (const { userId } of authors.slice(1)) await factoriesOf(desk.database).member({ communityId, userId })
  await page.goto(queueOf(desk))
  await page.getByRole('option').filter({ hasText: 'Cheap watches' }).first().click()
  await openWave(page)
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject 5' })
  const ban = dialog.getByRole('checkbox', { name: 'Also ban the 5 accounts that wrote them' })
  const mute = dialog.getByRole('checkbox', { name: 'Also mute the 5 accounts that wrote them' })
  await expect(mute).not.toBeChecked()
  await page.keyboard.press('b')
  await expect(ban).toBeChecked()
  await page.keyboard.press('Shift+B')
  await expect(mute).toBeChecked()
  await expect(ban).not.toBeChecked()
  await expect(dialog.getByRole('list', { name: 'Not muted:' })).toHaveText('1 account that isn’t a member there')
  await expect(dialog.getByRole('group', { name: 'Where' })).not.toContainText('network')
  await dialog.getByRole('radio', { name: '1 week' }).focus()
  await page.keyboard.press(' ')
  await expectNoFindings(page)
  await expect(dialog.getByRole('button', { name: 'Reject 5 and mute 4' })).toBeVisible()
  await page.keyboard.press('Enter')

  const mutes = { communityId, liftedAt: null }
  await expect
    .poll(() => prisma.mute.count({ where: mutes }), { message: 'waited until the authors are muted' })
    .toBe(4)
  const toast = page.getByRole('region', { name: 'Bulk action' })
  await expect(toast).toContainText('4 accounts muted')
  await expect(toast.getByRole('list', { name: 'Not muted:' })).toHaveText('1 account that isn’t a member there')
  await page.keyboard.press('u')
  await expect(toast).toContainText('4 mutes lifted')
  expect(await prisma.mute.count({ where: mutes })).toBe(0)
  expect(await prisma.comment.count({ where: { commentId: { in: ids }, approvalStatus: 'pending' } })).toBe(5)
})

test('a rule made from a wave asks where it applies, finds that wave and nothing else, and says so', async ({
  page,
  desk,
}) => {
  const { prisma } = desk.database
  const other = await factoriesOf(desk.database).community()
  // An admin reviews the communities of other tests too: their texts must not be near.
  const said = `Simple marvellous bargains ${crypto.randomUUID().replaceAll('-', ' ')}`
  await hold(desk, 2, { text: `${said} https://one.example` })
  await hold(desk, 2, { text: `${said} https://two.example`, communityId: other.communityId })
  await desk.signIn(page, 'admin')
  await page.goto(`/queue?communityId=${desk.community.communityId}`)
  await page.getByRole('option').filter({ hasText: 'bargains' }).first().click()
  await expect(page.getByRole('article')).toContainText('bargains')
  const wave = await openWave(page)
  await wave.getByRole('button', { name: 'Make a rule' }).click()

  await expect(page.getByText('This wave is in 2 communities')).toBeVisible()
  await page.getByRole('button', { name: 'In the whole network' }).press('Enter')
  const trial = page.getByRole('region', { name: 'What it would have caught' })
  await expect(trial).toContainText('Finds 4 of the 4 items of this wave and no others.')
  await page.getByRole('textbox', { name: 'Name' }).fill('Bargains')
  await page.getByRole('button', { name: 'Look for simple' }).press('Enter')
  await page.getByRole('button', { name: 'Save draft' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Bargains' })).toContainText('Draft')
  const ruleId = page.url().split('/').at(-1) ?? ''
  const rule = await prisma.rule.findUniqueOrThrow({ where: { ruleId }, include: { versions: true } })
  expect(rule.communityId).toBeNull()
  expect(rule.versions[0]?.condition).toMatchObject({
    kind: 'all',
    conditions: [
      { kind: 'domains', domains: ['one.example', 'two.example'] },
      { kind: 'words', words: [said] },
      { kind: 'words', words: ['simple'] },
    ],
  })
})
