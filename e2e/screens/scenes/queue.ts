import { expect } from '../../fixtures.ts'
import { ALL, BOTH_WIDTHS, CAST, DESK, type Screen, signIn, WIDE } from '../scene.ts'
import { itemOf } from '../stage.ts'

/** The queue and its lists. */
export const QUEUE: Record<string, Screen> = {
  queue: {
    looks: ALL,
    show: async ({ page, browser, database, open, shoot }) => {
      const colleague = await browser.newPage()
      await signIn(colleague, CAST.colleague)
      await colleague.goto(`${DESK}/queue?item=${await itemOf(database, 'pay for your boat')}`)
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await expect(page.getByRole('article').getByText('is looking at this')).toBeVisible()
      await shoot()
      await colleague.close()
    },
  },
  'queue-search': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?text=ferry&item=${await itemOf(database, 'WHY TAKE THE FERRY')}`)
      await expect(page.getByRole('article').locator('mark').first()).toBeVisible()
      await shoot()
    },
  },
  'queue-list': {
    looks: ['320-light', '320-dark'],
    show: async ({ open, shoot }) => {
      await open()
      await shoot()
    },
  },
  'queue-compact': {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
      await shoot()
      await page.getByRole('button', { name: 'Compact rows' }).click()
      await expect(page.locator('html')).not.toHaveAttribute('data-density', 'compact')
    },
  },
  'queue-by-score': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?communityId=harbour-town&signal=toxicity&scoreFrom=0.5&order=score')
      await expect(page.getByRole('search')).toContainText('toxicity at least 0.50')
      await expect(page.getByRole('option').first()).toContainText('Score 0.91')
      await shoot()
    },
  },
  filters: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?kind=comment')
      await page.keyboard.press('f')
      await page.getByRole('menuitem', { name: 'Written between' }).click()
      await expect(page.getByRole('grid').first()).toBeVisible()
      await shoot()
    },
  },
  views: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('navigation').getByRole('link', { name: 'Past the target' }).click()
      await page.getByRole('search').getByRole('button', { name: 'Past the target', exact: true }).click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      await shoot()
    },
  },
  escalated: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?view=escalated&item=${await itemOf(database, 'putting down poison')}`)
      await expect(page.getByRole('article')).toContainText('escalated this')
      await shoot()
    },
  },
  reported: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?view=reported', CAST.admin)
      await page.getByRole('option', { name: 'Message' }).click()
      await expect(page.getByRole('article')).toContainText('wrote earlier')
      await shoot()
    },
  },
  mine: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      for (const search of ['', '?view=reported']) {
        await open(search, CAST.admin)
        await page.getByRole('option').nth(1).click()
        await page.keyboard.press('c')
        await expect(page.getByRole('status')).toContainText('Claimed. Yours until')
      }
      await open('?view=mine', CAST.admin)
      await page.getByRole('option').nth(1).click()
      await expect(page.getByRole('article').getByRole('button', { name: 'Release' })).toBeVisible()
      await shoot()
      for (const left of [1, 0]) {
        await page.keyboard.press('c')
        await expect(page.getByRole('option')).toHaveCount(left)
      }
    },
  },
  urgent: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?order=urgent&item=${await itemOf(database, 'Oilskins')}`)
      await expect(page.getByRole('heading', { name: 'Why first' })).toBeAttached()
      await shoot()
    },
  },
}
