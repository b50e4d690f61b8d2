import { readFile } from 'node:fs/promises'
import { recordAudit, recordAudits } from '#server/modules/ledger/audit/record-audit.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { expectNoFindings, windows } from './axe.ts'
import { queriesOf } from './desk-pages.ts'
import { type Desk, expect, test } from './fixtures.ts'

test('a support agent finds out by keyboard who approved a comment and what changed', async ({ page, desk }) => {
  const { commentId } = desk.held[0] ?? { commentId: '' }
  await desk.decideElsewhere(commentId, 'approved')
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?communityId=${desk.community.communityId}`)
  await page.getByRole('button', { name: 'Target' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Target' })).toBeFocused()
  await page.keyboard.type(commentId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/subjectId=/)
  const row = page.getByRole('row', { name: 'Comment: approved' })
  await expect(row).toContainText('Some one')

  await page.getByRole('grid', { name: 'Actions' }).getByRole('row').nth(1).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Comment: approved' })
  await expect(dialog.getByRole('deletion').filter({ hasText: 'pending' })).toBeVisible()
  await expect(dialog.getByRole('insertion').filter({ hasText: 'approved' })).toBeVisible()
  await expect(page).toHaveURL(/entry=\d+/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const { userId, subjectId } = await settingAndImports(desk)
  await page.goto(`${desk.url}/audit?actorId=${userId}`)
  await expect(page.getByRole('row', { name: 'Network: moderation settings changed' })).toContainText(
    'Allow-listed links only: on',
  )
  const imports = page.getByRole('row', { name: 'Import: finished' })
  await expect(imports.first()).toContainText('User: 2, Comment: 5')
  await imports.first().click()
  const together = page.getByRole('dialog').getByRole('region', { name: 'Actions in the same request' })
  await expect(together.getByRole('button')).toHaveText([/User: 2, Comment: 5/, /User: 2, Comment: 5/])
  await expect(page.getByRole('grid')).not.toContainText(subjectId)
})

test('a link opens the same filters and the same action for a colleague', { tag: '@stress' }, async ({
  page,
  desk,
}) => {
  const { action } = await acts(desk, 3)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('row').nth(2).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('thing-1')
  await page.reload()
  await expect(dialog).toContainText('thing-1')
})

test('on a phone, an entry says what it was done to', { tag: '@stress' }, async ({ page, desk }) => {
  const { action, displayName } = await acts(desk, 1)
  await page.setViewportSize({ width: 390, height: 844 })
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  const entry = page.getByRole('row').nth(1)
  await expect(entry.getByText('thing-0').filter({ visible: true })).toBeVisible()
  await expect(entry.getByText(displayName).filter({ visible: true })).toBeVisible()
  await entry.click()
  await expect(page.getByRole('dialog')).toContainText('thing-0')
})

test('actions of one request are grouped and link to each other', { tag: '@stress' }, async ({ page, desk }) => {
  const { action } = await acts(desk, 1, ['a', 'b', 'c'])
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  await expect(page.getByText('Same request')).toHaveCount(3)
  await page.getByRole('row').nth(2).click()
  const others = page.getByRole('dialog').getByRole('region', { name: 'Actions in the same request' })
  await expect(others.getByRole('button')).toHaveCount(4)
  await others.getByRole('button', { name: /, a$/ }).click()
  await expect(page.getByRole('dialog').getByRole('definition').filter({ hasText: 'a' }).first()).toBeVisible()
})

test('the audit log folds entries of one request, pages in both directions and keeps its page after a reload', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { action } = await acts(
    desk,
    1,
    Array.from({ length: 60 }, (_, index) => `many-${index}`),
  )
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('row', { name: '(40)' }).click()
  await expect(page.getByRole('row')).toHaveCount(41)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('row', { name: '(21)' }).click()
  await expect(page.getByRole('row')).toHaveCount(22)
  await page.reload()
  await expect(page.getByRole('row', { name: '(21)' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByRole('row', { name: '(40)' })).toBeVisible()
})

test('each part of the filter sentence can be chosen and removed', { tag: '@stress' }, async ({ page, desk }) => {
  const { action, userId, displayName } = await acts(desk, 2)
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  await page.getByRole('button', { name: 'Person: anyone' }).press('Enter')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(userId)
  await page.getByRole('option', { name: displayName }).click()
  await expect(page).toHaveURL(/actorId=/)
  await expect(page.getByRole('button', { name: `Person: ${displayName}` })).toBeVisible()
  await page.getByRole('button', { name: 'Remove action filter' }).click()
  await expect(page).not.toHaveURL(/action=/)
  await expect(page.getByRole('row')).toHaveCount(3)

  await page.getByRole('button', { name: 'Days: any day' }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await expect(page).toHaveURL(/startDate=.*timeZone=/)
  await expect(page.getByRole('heading', { name: 'No matching actions' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row').nth(3)).toBeVisible()
})

test('exports the filtered actions as CSV and records the export', async ({ page, desk }) => {
  const { action } = await acts(desk, 2)
  const { name } = await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit?action=${action}`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('audit.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  await page.goto(`${desk.url}/audit?action=audit.exported`)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
})

test('shows how far the chain has been verified', { tag: '@stress' }, async ({ page, desk }) => {
  await desk.signIn(page, 'support')
  await page.goto(`${desk.url}/audit`)
  await expect(page.getByText(/Chain verified up to seal|hasn’t been verified yet/)).toBeVisible()
})

test('shows an error when loading fails and can try again', { tag: '@stress' }, async ({ page, desk }) => {
  const { action, userId } = await acts(desk, 1)
  await desk.signIn(page, 'support')
  // Other tests write to the same log, so the list stays narrowed to one actor.
  await page.goto(`${desk.url}/audit?action=none.such&actorId=${userId}`)
  await expect(page.getByRole('heading', { name: 'No matching actions' })).toBeVisible()
  await expectNoFindings(page)
  await page.route(queriesOf('audit.list'), (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Remove action filter' }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectNoFindings(page)
  await page.unroute(queriesOf('audit.list'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row', { name: action.split('.')[1] ?? '' })).toBeVisible()
})

for (const size of windows(1440)) {
  test(`the audit log has no axe findings at ${size.width} × ${size.height}`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { action } = await acts(desk, 2, ['a', 'b'])
    await page.setViewportSize(size)
    await desk.signIn(page, 'admin')
    await page.goto(`${desk.url}/audit?action=${action}&startDate=2020-01-01&timeZone=Asia/Kathmandu`)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expectNoFindings(page)
    await page.getByRole('row').nth(1).click()
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Changes' })).toBeVisible()
    await expectNoFindings(page)
  })
}

/** Three days ago, neither today nor yesterday whenever a test runs. */
const now = () => new Date(Date.now() - 72 * 3_600_000)

/** Log entries of an action that only this test uses: `count` single ones, and those of `together` in one request. */
async function acts(desk: Desk, count: number, together: string[] = []) {
  const action = `message.test${crypto.randomUUID().slice(0, 8)}`
  const displayName = `Actor ${crypto.randomUUID().slice(0, 6)}`
  const { userId } = await desk.database.prisma.user.create({ data: { userId: crypto.randomUUID(), displayName } })
  const { communityId } = desk.community
  let ctx = ctxOf(desk.database, asUser(userId), { now })
  for (let index = 0; index < count; index += 1) {
    ctx = ctxOf(desk.database, asUser(userId), { now })
    await recordAudit(ctx, {
      action,
      subjectType: 'message',
      subjectId: `thing-${index}`,
      communityId,
      before: { isDeleted: false, version: 1 },
      after: { isDeleted: true, version: 1 },
      text: 'Because of what it says',
    })
  }
  await recordAudits(
    ctx,
    together.map((subjectId) => ({ action, subjectType: 'message', subjectId, communityId })),
  )
  return { action, userId, displayName }
}

/** A moderation setting that was changed, and an import of two files. */
async function settingAndImports({ database }: Desk) {
  const { userId } = await factoriesOf(database).user()
  await recordAudit(ctxOf(database, asUser(userId), { now }), {
    action: 'network.moderationUpdated',
    subjectType: 'network',
    subjectId: 'network',
    before: { isWhitelistEnabled: false, isReportEnabled: true },
    after: { isWhitelistEnabled: true, isReportEnabled: true },
  })
  const subjectId = 'a1'.repeat(32)
  const after = { added: { user: 2, comment: 5 }, unchanged: {}, refused: 0 }
  const imported = { action: 'import.finished', subjectType: 'import', subjectId, after }
  await recordAudits(ctxOf(database, asUser(userId), { now }), [imported, imported])
  return { userId, subjectId }
}
