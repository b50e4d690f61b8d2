import { expect } from '../../fixtures.ts'
import { ALL, CAST, DESK, type Screen, signIn, WIDE } from '../scene.ts'
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
  'queue-list': {
    looks: ['320-light'],
    show: async ({ open, shoot }) => {
      await open()
      await shoot()
    },
  },
  filters: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('?kind=comment')
      await page.keyboard.press('f')
      await page.getByRole('menuitem', { name: 'Written between' }).click()
      await expect(page.getByRole('grid').first()).toBeVisible()
      await shoot()
    },
  },
  escalated: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?view=escalated&item=${await itemOf(database, 'putting down poison')}`)
      await expect(page.getByRole('article')).toContainText('escalated this')
      await shoot()
    },
  },
  reported: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('?view=reported', CAST.admin)
      await page.getByRole('option', { name: 'Message' }).click()
      await expect(page.getByRole('article')).toContainText('wrote earlier')
      await shoot()
    },
  },
  urgent: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?order=urgent&item=${await itemOf(database, 'Oilskins')}`)
      await expect(page.getByRole('heading', { name: 'Why first' })).toBeAttached()
      await shoot()
    },
  },
}
