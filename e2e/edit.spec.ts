import { expectNoFindings } from './axe.ts'
import { openQueue } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'

test('a reviewer edits an item and approves it in one, or saves it by mouse and decides later; a colleague reads who changed it', async ({
  page,
  desk,
}) => {
  const [first, second] = desk.held
  await openQueue(page, desk)
  await page.keyboard.press('Shift+e')
  const dialog = page.getByRole('dialog', { name: 'Edit what Author first wrote' })
  const text = dialog.getByRole('textbox', { name: 'Text' })
  await expect(text).toHaveValue(first?.text ?? '')
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await text.fill('Without a number')
  await expectNoFindings(page)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect.poll(() => desk.stateOf(first?.commentId ?? '')).toBe('approved')

  const item = page.getByRole('article')
  await expect(item).toContainText(second?.text ?? '')
  await item.getByRole('button', { name: 'Edit' }).click()
  const other = page.getByRole('dialog', { name: /^Edit what/ })
  await other.getByRole('textbox', { name: 'Text' }).fill('Saved for later')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(item).toContainText('Saved for later')
  await expect(item).toContainText('edited this')
  await page.keyboard.press('h')
  await expect(page.getByRole('dialog', { name: 'Earlier texts' })).toContainText(second?.text ?? '')
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await expect.poll(() => desk.stateOf(second?.commentId ?? '')).toBe('approved')
})
