import { tick } from '../../desk-pages.ts'
import { expect } from '../../fixtures.ts'
import { ALL, BOTH_WIDTHS, CAST, type Screen, undo } from '../scene.ts'
import { itemOf, messageOf, writtenItemOf } from '../stage.ts'

/** Rules, and what they did. */
export const RULES: Record<string, Screen> = {
  rules: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await expect(page.getByRole('row', { name: 'Heated words' })).toContainText('Live')
      await shoot()
    },
  },
  rule: {
    looks: ALL,
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
  'rule-that-mutes': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=late-show')
      await page.getByRole('row', { name: 'Wallets and coins' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const mute = page.getByRole('group', { name: 'Mute the author' })
      await expect(mute.getByRole('radio', { name: '1 day' })).toBeChecked()
      await mute.evaluate((group) => group.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'rule-at-item': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'Oilskins')}`)
      await expect(page.getByRole('article').getByText('Highlighted by')).toBeVisible()
      await shoot()
    },
  },
  'rule-tested': {
    looks: BOTH_WIDTHS,
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
  'rules-tested': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      await page.getByRole('button', { name: 'Test rules' }).click()
      // The draft is chosen from the start.
      await tick(page.getByRole('row', { name: 'Selling to neighbours' }).getByRole('checkbox'))
      await page.getByRole('button', { name: 'Run test' }).click()
      await expect(page.getByRole('heading', { name: 'All chosen rules together' })).toBeVisible()
      await shoot()
    },
  },
  'similar-to-rejected': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules/new?communityId=harbour-town')
      await page.getByRole('textbox', { name: 'Name' }).fill('Rejected before')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('menuitem', { name: 'Similar to rejected texts' }).click()
      const similarity = page.getByRole('spinbutton', { name: 'Similar by at least (%)' })
      await expect(similarity).toHaveValue('70')
      await similarity.evaluate((field) => field.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'rejected-by-rules': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=late-show')
      const rejected = page.getByRole('list', { name: 'Rejected by rules' })
      await expect(rejected.locator('mark')).toHaveText('w a l l e t')
      await rejected.scrollIntoViewIfNeeded()
      await shoot()
    },
  },
  queues: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/rules?communityId=harbour-town')
      const queues = page.getByRole('list', { name: 'Queues' })
      await expect(queues).toContainText('Noor Rahman')
      await queues.scrollIntoViewIfNeeded()
      await shoot()
    },
  },
  'reported-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?view=reported&item=${await writtenItemOf(database, 'nobody claps')}`)
      await expect(page.getByRole('article').locator('mark')).toHaveText('in the last scene')
      await expect(page.getByRole('article')).toContainText('Spoiler?')
      await shoot()
    },
  },
  'rejected-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await writtenItemOf(database, 'w a l l e t')}`)
      await expect(page.getByRole('article')).toContainText('Rejected by Wallets and coins')
      await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
      await shoot()
    },
  },
  'muted-by-rule': {
    looks: ALL,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await writtenItemOf(database, 'w a l l e t')}`)
      const unmute = page.getByRole('article').getByRole('button', { name: 'Unmute' })
      await expect(unmute).toBeVisible()
      await unmute.evaluate((button) => button.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  'message-rejected-by-rule': {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await messageOf(database, 'Last day: boat')}`, CAST.admin)
      await expect(page.getByRole('article')).toContainText('Rejected by Insurance offers')
      await expect(page.getByRole('article').getByRole('button', { name: 'Restore' })).toBeVisible()
      await shoot()
    },
  },
  'message-restored': {
    looks: ALL,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await messageOf(database, 'The port office')}`, CAST.admin)
      await page.getByRole('article').getByRole('button', { name: 'Restore' }).click()
      await expect(page.getByRole('article')).toContainText('approved this')
      await expect(page.getByRole('region', { name: 'Last decision' }).filter({ visible: true })).toBeVisible()
      await shoot()
      await undo(page)
    },
  },
}
