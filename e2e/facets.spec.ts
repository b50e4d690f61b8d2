import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { type Desk, expect, test } from './fixtures.ts'
import { listenForPointer, pointerEventsOf } from './pointer-events.ts'
import { expectRows, score } from './scored-rows.ts'

test('filters by a signal’s score and sorts by it with the keyboard alone, and the link and the file keep both', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const [first, second, third] = desk.held
  await score(desk, first?.commentId, 0.62)
  await score(desk, second?.commentId, 0.97)
  await score(desk, third?.commentId, 0.1)
  await listenForPointer(page)
  await open(page, desk)
  await choose(page, 'Score of a signal')
  await expect(page.getByRole('combobox', { name: 'Signal' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.getByRole('combobox', { name: 'At least' }).press('0')
  await page.getByRole('combobox', { name: 'At least' }).selectOption('0.5')
  await expectNoFindings(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search')).toContainText('2 of 8 held in')
  await expect(page.getByRole('search')).toContainText('with signal toxicity at least 0.50')
  await expectRows(page, [first?.text, second?.text])
  await expect(page.getByRole('option').first()).toContainText('Score 0.62')

  await page.getByRole('button', { name: 'Newest held first' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Newest held first' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/order=score/)
  await expectRows(page, [second?.text, first?.text])
  await page.reload()
  await expectRows(page, [second?.text, first?.text])
  await expect(page.getByRole('option')).toHaveCount(2)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).press('Enter')
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['score', '0.97', '0.62'])

  await page.getByRole('button', { name: 'Remove toxicity at least 0.50' }).press('Enter')
  await expect(page.getByRole('option')).toHaveCount(8)
  await expect(page.getByRole('button', { name: 'Newest held first' })).toBeVisible()
  expect(await pointerEventsOf(page)).toEqual([])
})

test('filters by the rule that holds an item and by its label, names both, and a saved view keeps them', {
  tag: '@stress',
}, async ({ page, desk }) => {
  const { database, community, held } = desk
  const [first] = held
  const at = { createdAt: new Date(), updatedAt: new Date() }
  const version = {
    version: 1,
    kinds: ['comment'],
    condition: {},
    action: { type: 'hold', label: 'Selling?' },
    createdBy: 'someone',
  }
  const { ruleId } = await database.prisma.rule.create({
    data: {
      communityId: community.communityId,
      position: 1,
      name: 'Boats for sale',
      ownerId: 'someone',
      ...at,
      versions: { create: { ...version, createdAt: at.createdAt } },
    },
  })
  const subject = { subjectType: 'comment', subjectId: first?.commentId ?? '' } as const
  await database.prisma.ruleMatch.create({
    data: { ...subject, ruleId, version: 1, isLive: true, found: [], createdAt: at.createdAt },
  })
  await open(page, desk)
  await choose(page, 'Held by a rule')
  await page.getByRole('searchbox', { name: 'Find a rule' }).pressSequentially('boats')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search')).toContainText('by the rule “Boats for sale”')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove “Boats for sale”' }).press('Enter')
  await expect(page.getByRole('option')).toHaveCount(8)

  await choose(page, 'Label of a rule')
  await page.getByRole('searchbox', { name: 'Find a label' }).pressSequentially('sell')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('search')).toContainText('labelled “Selling?”')
  await expect(page).toHaveURL(/label=Selling/)
  await expectRows(page, [first?.text])
  await page.reload()
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.goto(`${page.url()}&ruleId=${ruleId}`)
  for (const part of ['by the rule “Boats for sale”', 'labelled “Selling?”'])
    await expect(page.getByRole('search')).toContainText(part)

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Boats')
  await page.keyboard.press('Enter')
  const link = page.getByRole('navigation').getByRole('link', { name: /Boats/ })
  await expect(link).toContainText('1')
  await page.goto(`${desk.url}/queue`)
  await link.click()
  for (const part of ['by the rule “Boats for sale”', 'labelled “Selling?”'])
    await expect(page.getByRole('search')).toContainText(part)
  await expect(page.getByRole('option')).toHaveCount(1)
})

async function open(page: Page, desk: Desk): Promise<void> {
  await desk.signIn(page, 'moderator')
  await page.goto(`${desk.url}/queue?communityId=${desk.community.communityId}`)
  await expect(page.getByRole('option')).toHaveCount(8)
}

async function choose(page: Page, filter: string): Promise<void> {
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: filter }).press('Enter')
}
