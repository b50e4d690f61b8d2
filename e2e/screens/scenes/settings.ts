import { expect } from '../../fixtures.ts'
import { ALL, BOTH_WIDTHS, CAST, type Scene, type Screen, signIn } from '../scene.ts'
import { deliverSomething, keepClassifiers, keepLists } from '../stage.ts'

/** Settings, and signing in. */
export const SETTINGS: Record<string, Screen> = {
  preferences: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/preferences')
      await expect(page.getByRole('heading', { name: 'My preferences' }).first()).toBeVisible()
      await shoot()
    },
  },
  'preferences-keys': {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/settings/preferences#keys')
      await page.getByRole('button', { name: 'Change the key for “approve”' }).click()
      await page.keyboard.press('r')
      await expect(page.getByRole('button', { name: 'Swap keys' })).toBeVisible()
      await shoot()
    },
  },
  ...Object.fromEntries(
    (['staff', 'security', 'credentials', 'roles'] as const).map((part) => [
      part,
      {
        looks: ALL,
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
    looks: ALL,
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
  'settings-reasons': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/settings/reasons')
      await expect(page.getByRole('list', { name: 'Rejection reasons' })).toBeVisible()
      await shoot()
    },
  },
  'settings-classifiers': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await keepClassifiers(database)
      await open('', CAST.admin)
      await page.goto('/settings/classifiers')
      await expect(page.getByText('Circuit breaker open').first()).toBeVisible()
      await shoot()
    },
  },
  'settings-webhooks': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks')
      await expect(page.getByText('nothing was delivered for five days')).toBeVisible()
      await shoot()
    },
  },
  'webhook-deliveries': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks/deliveries')
      await expect(page.getByRole('row').filter({ hasText: 'Failed' })).toBeVisible()
      await shoot()
    },
  },
  'webhook-delivery': {
    looks: ALL,
    show: async ({ page, open, shoot, database }) => {
      await deliverSomething(database)
      await open('', CAST.admin)
      await page.goto('/settings/webhooks/deliveries')
      await page.getByRole('row').filter({ hasText: 'Failed' }).click()
      await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Response 503')
      await shoot()
    },
  },
  targets: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/settings/targets')
      await expect(page.getByRole('heading', { name: 'Set a target' })).toBeVisible()
      await shoot()
    },
  },
  'sign-in': {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await page.goto('/sign-in')
      await shoot()
    },
  },
}
