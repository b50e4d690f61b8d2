import { expect } from '../../fixtures.ts'
import { CAST, type Screen, WIDE } from '../scene.ts'
import { itemOf } from '../stage.ts'

/** Nothing to show, not yet, or not any more. */
export const STATES: Record<string, Screen> = {
  empty: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.idle)
      await expect(page.getByRole('heading', { name: 'Nothing to review' })).toBeVisible()
      await shoot()
    },
  },
  offline: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'chakalaka')}`)
      await page.context().setOffline(true)
      await expect(page.getByText(/^Offline since/).first()).toBeVisible()
      for (const key of ['a', 'a', 'r']) await page.keyboard.press(key)
      await expect(page.getByText('3 decisions will be sent when you’re back online.')).toBeVisible()
      await shoot()
    },
  },
}
