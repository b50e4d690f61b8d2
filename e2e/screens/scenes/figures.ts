import { expect } from '../../fixtures.ts'
import { ALL, BOTH_WIDTHS, CAST, type Screen } from '../scene.ts'

/** What was decided, and by whom. */
export const FIGURES: Record<string, Screen> = {
  insights: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/insights')
      await expect(page.getByRole('img', { name: /Time to decision per day/ })).toBeVisible()
      await shoot()
    },
  },
  calibration: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/insights?communityId=harbour-town')
      const title = page.getByRole('heading', { name: 'Scores and decisions' })
      await expect(title).toBeVisible()
      await title.evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
      await shoot()
    },
  },
  audit: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      // All others would be the sign-ins for these pictures.
      await page.goto('/audit?communityId=harbour-town')
      await expect(page.getByText('Chain verified up to')).toBeVisible()
      await shoot()
    },
  },
  'audit-entry': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/audit?action=decided')
      await page.getByRole('row').nth(1).click()
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Changes' })).toBeVisible()
      await shoot()
    },
  },
}
