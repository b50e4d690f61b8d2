import { expect } from '../../fixtures.ts'
import { CAST, type Screen, WIDE } from '../scene.ts'

/** What was decided, and by whom. */
export const FIGURES: Record<string, Screen> = {
  insights: {
    looks: ['1440-light', '1440-dark'],
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/insights')
      await expect(page.getByRole('img', { name: /Time to decision per day/ })).toBeVisible()
      await shoot()
    },
  },
  audit: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      // All others would be the sign-ins for these pictures.
      await page.goto('/audit?communityId=harbour-town')
      await expect(page.getByText('Chain verified up to')).toBeVisible()
      await shoot()
    },
  },
}
