import { queriesOf } from '../../desk-pages.ts'
import { expect } from '../../fixtures.ts'
import { BOTH_WIDTHS, CAST, chooseOldestFirst, type Screen, WIDE } from '../scene.ts'
import { itemOf } from '../stage.ts'

/** Nothing to show, not yet, or not any more. */
export const STATES: Record<string, Screen> = {
  empty: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.idle)
      await expect(page.getByRole('heading', { name: 'Nothing to review' })).toBeVisible()
      await shoot()
    },
  },
  'no-match': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('?text=boat&hasMedia=true')
      await expect(page.getByRole('heading', { name: /^No matches in/ })).toBeVisible()
      await expect(page.getByText(/Remove .* to see/)).toBeVisible()
      await shoot()
    },
  },
  loading: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.route(queriesOf('review.queue'), () => {})
      await chooseOldestFirst(page)
      await expect(page.getByText('Loading').first()).toBeAttached()
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'))
      await shoot()
    },
  },
  failed: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.route(queriesOf('review.queue'), (route) => route.abort())
      await chooseOldestFirst(page)
      await expect(page.getByRole('heading', { name: 'Couldn’t load the list' })).toBeVisible({ timeout: 20_000 })
      await shoot()
    },
  },
  offline: {
    looks: BOTH_WIDTHS,
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
