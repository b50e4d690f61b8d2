import { expect } from '../../fixtures.ts'
import { BOTH_WIDTHS, CAST, type Screen, signIn, speak, WIDE } from '../scene.ts'
import { itemOf } from '../stage.ts'

/** Other languages and colours. */
export const LANGUAGES: Record<string, Screen> = {
  arabic: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await speak(page, 'ar')
      await open(`?item=${await itemOf(database, 'أستقل')}`)
      await shoot()
    },
  },
  'arabic-settings': {
    looks: BOTH_WIDTHS,
    show: async ({ page, shoot }) => {
      await speak(page, 'ar')
      await signIn(page, CAST.admin)
      await page.goto('/settings/flags')
      await expect(page.getByRole('switch').first()).toBeVisible()
      await shoot()
    },
  },
  'arabic-insights': {
    looks: WIDE,
    show: async ({ page, shoot }) => {
      await speak(page, 'ar')
      await signIn(page, CAST.admin)
      await page.goto('/insights')
      await expect(page.getByRole('img').first()).toBeVisible()
      await shoot()
    },
  },
  german: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await speak(page, 'de')
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await shoot()
    },
  },
  'forced-colours': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await page.emulateMedia({ forcedColors: 'active' })
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await shoot()
    },
  },
}
