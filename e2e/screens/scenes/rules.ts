import { expect } from '../../fixtures.ts'
import { BOTH_WIDTHS, type Screen, WIDE } from '../scene.ts'
import { writtenItemOf } from '../stage.ts'

/** Rules, and what they did. */
export const RULES: Record<string, Screen> = {
  rules: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await expect(page.getByRole('row', { name: 'Heated words' })).toContainText('Live')
      await shoot()
    },
  },
  rule: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('row', { name: 'Selling to neighbours' }).click()
      await expect(page.getByRole('region', { name: 'Record' }).locator('mark').first()).toBeVisible()
      await shoot()
    },
  },
  'rule-editor': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('row', { name: 'Selling to neighbours' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect(page.getByRole('textbox', { name: 'Words or phrases' })).toHaveValue(/for sale/)
      await shoot()
    },
  },
  'rule-tested': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open()
      await page.goto('/settings/rules/new?communityId=harbour-town')
      await page.getByRole('textbox', { name: 'Name' }).fill('Ferry and library')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('menuitem', { name: 'Words and phrases' }).click()
      await page.getByRole('textbox', { name: 'Words or phrases' }).fill('the ferry\nthe library\npicture')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Run test' }).click()
      const tested = page.getByRole('region', { name: 'Test on pending and decided items' })
      await expect(tested.getByRole('region', { name: 'False alarms' }).locator('mark').first()).toBeVisible()
      await tested.scrollIntoViewIfNeeded()
      await shoot()
      await database.prisma.rule.deleteMany({ where: { state: 'draft', name: 'Ferry and library' } })
    },
  },
  'rejected-by-rules': {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=late-show')
      const rejected = page.getByRole('list', { name: 'Rejected by rules' })
      await expect(rejected.locator('mark')).toHaveText('w a l l e t')
      await rejected.scrollIntoViewIfNeeded()
      await shoot()
    },
  },
  'rejected-by-rule': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await writtenItemOf(database, 'w a l l e t')}`)
      await expect(page.getByRole('article')).toContainText('Rejected by Wallets and coins')
      await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
      await shoot()
    },
  },
}
