import { BOTH_WIDTHS, DESK, type Screen } from '../scene.ts'
import { itemOf } from '../stage.ts'

/** Other languages. */
export const LANGUAGES: Record<string, Screen> = {
  arabic: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await page.context().addCookies([{ name: 'docket_language', value: 'ar', url: DESK }])
      await open(`?item=${await itemOf(database, 'أستقل')}`)
      await shoot()
    },
  },
}
