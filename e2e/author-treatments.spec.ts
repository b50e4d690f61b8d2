import type { Page } from '@playwright/test'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { writtenComment } from '#server/testing/rules-on.ts'
import { expectNoFindings } from './axe.ts'
import { openQueue } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** Writes another comment as the author of the first item. */
async function write(desk: Desk, text: string) {
  const [first] = desk.held
  const ctx = ctxOf(desk.database, asUser(first?.userId ?? ''), { source: 'rest' })
  const input = { referenceType: 'post', referenceId: first?.postId, data: { text } }
  return desk.stateOf(await writtenComment(ctx, input))
}

const authorOf = (page: Page) => page.getByRole('complementary', { name: 'Context' })
const lastAct = (page: Page) => page.getByRole('region', { name: 'Last action' })

test('an author who is trusted from an item writes at once, one on hold is held and the item says why, and both end with one key', async ({
  page,
  desk,
}) => {
  const community = desk.community.displayName
  await openQueue(page, desk)
  expect(await write(desk, 'Before any trust')).toBe('pending')

  await page.keyboard.press('p')
  await page.keyboard.press('3')
  await page.keyboard.press('Enter')
  await expect(lastAct(page)).toContainText(`Trusted Author first in ${community}, for 1 week.`)
  await expect(authorOf(page)).toContainText(`Trusted in ${community}:`)
  expect(await write(desk, 'Trusted')).toBeNull()

  await authorOf(page).getByRole('button', { name: 'Trust or hold…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trust Author first, or always hold' })
  await expect(dialog.getByRole('radio', { name: community })).toBeChecked()
  await expect(dialog).toContainText('Trusted now, until')
  await dialog.getByRole('radio', { name: 'Always hold for review' }).check()
  await dialog.getByRole('radio', { name: 'Permanent' }).check()
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Always hold' }).click()
  await expect(lastAct(page)).toContainText(`Always holding what Author first writes in ${community}, permanently.`)
  await desk.database.prisma.community.update({
    where: { communityId: desk.community.communityId },
    data: { needApprovalOnCommentCreation: false },
  })
  const text = 'Held whatever the community does'
  expect(await write(desk, text)).toBe('pending')
  await page.getByRole('button', { name: /new/ }).click()
  await page.getByRole('option', { name: text }).click()
  await expect(page.getByRole('article')).toContainText('Everything Author first writes here is held')

  await authorOf(page).getByRole('button', { name: 'End hold' }).click()
  await expect(lastAct(page)).toContainText(`No longer always held: ${community}`)
  expect(await write(desk, 'Free again')).toBeNull()
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  expect(await write(desk, 'Held again')).toBe('pending')
})

test('an admin trusts a person everywhere from their page by the palette, and one who was slower learns who was first', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { userId } = await factoriesOf(desk.database).user({ displayName: 'Ida Quay' })
  await desk.signIn(page, 'admin')
  await page.goto(`${desk.url}/users/${userId}`)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type('always hold')
  await page.getByRole('option', { name: 'Trust the author, or always hold' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trust Ida Quay, or always hold' })
  await expect(dialog.getByRole('radio', { name: 'the whole network' })).toBeChecked()
  const colleague = await factoriesOf(desk.database).user({ displayName: 'Quick Colleague' })
  await desk.database.prisma.authorTreatment.create({
    data: { userId, kind: 'hold', setBy: colleague.userId, createdAt: new Date() },
  })
  await page.keyboard.press('5')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Quick Colleague changed this first')
  await expect(dialog).toContainText('Always held now')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('Trusted Ida Quay in the whole network, permanently.')
  const main = page.getByRole('main')
  await expect(main.getByRole('definition').first()).toContainText('Trusted in the whole network')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'End trust' }).click()
  await expect(page.getByRole('button', { name: 'End trust' })).toBeHidden()
})
