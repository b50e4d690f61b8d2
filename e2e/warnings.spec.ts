import { expectNoFindings } from './axe.ts'
import { openQueue } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'

test('an author is warned about an item in words of one’s own, by key and by mouse, and undo voids it', async ({
  page,
  desk,
}) => {
  const community = desk.community.displayName
  const [first] = desk.held
  const warnings = () =>
    desk.database.prisma.statement.findMany({
      where: { userId: first?.userId ?? '' },
      orderBy: { createdAt: 'asc' },
    })
  await openQueue(page, desk)
  await page.keyboard.press('Shift+N')
  const dialog = page.getByRole('dialog', { name: 'Warn Author first' })
  const words = dialog.getByRole('textbox', { name: 'To Author first' })
  await expect(words).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toContainText('Choose a policy, or write something to them.')
  await words.fill('Please be kind to others.')
  await expect(dialog.getByRole('radio', { name: community })).toBeChecked()
  await expectNoFindings(page)
  await page.keyboard.press('Control+Enter')

  const lastAct = page.getByRole('region', { name: 'Last action' })
  await expect(lastAct).toContainText(`Warned Author first in ${community}.`)
  const about = { subjectType: 'comment', subjectId: first?.commentId }
  expect(await warnings()).toMatchObject([{ ...about, measure: 'warned', words: 'Please be kind to others.' }])
  await page.keyboard.press('u')
  await expect(page.getByRole('status')).toHaveText('Undone.')
  expect(await warnings()).toMatchObject([{ voidedAt: expect.any(Date) }])

  const author = page.getByRole('complementary', { name: 'Context' })
  await author.getByRole('button', { name: 'Warn…' }).click()
  await words.fill('Please stop.')
  await dialog.getByRole('button', { name: 'Warn', exact: true }).click()
  await expect(lastAct).toContainText('Warned Author first')
  expect(await warnings()).toMatchObject([{ voidedAt: expect.any(Date) }, { words: 'Please stop.', voidedAt: null }])
})
