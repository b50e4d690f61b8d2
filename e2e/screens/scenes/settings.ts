import { expect } from '../../fixtures.ts'
import { CAST, type Scene, type Screen, signIn, WIDE } from '../scene.ts'
import { deliverSomething, keepClassifiers, keepLists } from '../stage.ts'

/** Settings, and signing in. */
export const SETTINGS: Record<string, Screen> = {
  ...Object.fromEntries(
    (['staff', 'credentials', 'roles'] as const).map((part) => [
      part,
      {
        looks: WIDE,
        show: async ({ page, shoot }: Scene) => {
          await signIn(page, CAST.admin)
          await page.goto(`/settings/${part}`)
          await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
          await shoot()
        },
      },
    ]),
  ),
  'settings-flags': {
    looks: WIDE,
    show: async ({ page, open, shoot, database }) => {
      await keepLists(database, CAST.admin)
      await open('', CAST.admin)
      await page.goto('/settings/flags')
      const tried = page.getByRole('region', { name: 'Test some text' })
      await tried.getByRole('textbox').fill('Cheap watches, see https://bargains.example/x')
      await expect(tried).toContainText('isn’t on the allow-list')
      await tried.getByRole('textbox').blur()
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0))
      await shoot()
    },
  },
  'settings-classifiers': {
    looks: WIDE,
    show: async ({ page, open, shoot, database }) => {
      await keepClassifiers(database)
      await open('', CAST.admin)
      await page.goto('/settings/classifiers')
      await expect(page.getByText('Circuit breaker open').first()).toBeVisible()
      await shoot()
    },
  },
  'settings-webhooks': {
    looks: WIDE,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks')
      await expect(page.getByText('nothing was delivered for five days')).toBeVisible()
      await shoot()
    },
  },
  'webhook-delivery': {
    looks: WIDE,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks/deliveries')
      await page.getByRole('row').filter({ hasText: 'Failed' }).click()
      await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Response 503')
      await shoot()
    },
  },
  'sign-in': {
    looks: WIDE,
    show: async ({ page, shoot }) => {
      await page.goto('/sign-in')
      await shoot()
    },
  },
}
