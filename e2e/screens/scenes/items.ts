import { tick } from '../../desk-pages.ts'
import { expect } from '../../fixtures.ts'
import { BOTH_WIDTHS, CAST, chooseSix, openTenPlaces, type Screen, WIDE } from '../scene.ts'
import { itemOf, rejectedElsewhere } from '../stage.ts'

/** One item or several, and what is done with them. */
export const ITEMS: Record<string, Screen> = {
  many: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await chooseSix(page)
      await shoot()
    },
  },
  'many-preview': {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await chooseSix(page)
      await page.keyboard.press('a')
      await expect(page.getByRole('dialog')).toContainText('will be approved and published.')
      await shoot()
    },
  },
  wave: {
    looks: WIDE,
    show: async (scene) => {
      await openTenPlaces(scene)
      await scene.shoot()
    },
  },
  'wave-bans': {
    looks: WIDE,
    show: async (scene) => {
      const { page, shoot } = scene
      await openTenPlaces(scene)
      await page.keyboard.press('r')
      const dialog = page.getByRole('dialog', { name: 'Reject 6' })
      await tick(dialog.getByRole('checkbox', { name: 'Also ban the 6 accounts that wrote them' }))
      await dialog.getByRole('radio', { name: '1 week' }).check()
      await expect(dialog.getByRole('button', { name: 'Reject 6 and ban 6' })).toBeVisible()
      await dialog.getByRole('group', { name: 'Where' }).evaluate((group) => group.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  reasons: {
    looks: BOTH_WIDTHS,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'Replica watches')}`)
      await page.keyboard.press('r')
      // On a phone the reasons are behind a button.
      if (page.viewportSize()?.width === 320) await page.getByRole('button', { name: 'Reason' }).click()
      await expect(page.getByRole('group', { name: 'Reason for' }).filter({ visible: true })).toBeVisible()
      await shoot()
      await page.keyboard.press('u')
      await expect(page.getByRole('status')).toHaveText(/^Undone/)
    },
  },
  thread: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'pay for your boat')}`)
      await page.keyboard.press('o')
      await expect(page.getByRole('dialog', { name: 'Thread' })).toContainText('this item')
      await shoot()
    },
  },
  'covered-picture': {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'chakalaka')}`)
      await expect(page.getByRole('article')).toContainText('1 image, hidden')
      await shoot()
    },
  },
  conflict: {
    looks: WIDE,
    show: async ({ page, database, open, shoot }) => {
      // They receive no live event before they decide.
      await page.route('**/api/trpc/live.events**', (route) => route.abort())
      const words = '12 places left'
      await open(`?item=${await itemOf(database, words)}`)
      await page.keyboard.press('0')
      await page.getByRole('dialog').getByRole('textbox').first().fill('The third one of these this week.')
      const whileShown = async () => {
        await page.keyboard.press('Control+Enter')
        await expect(page.getByText('Noor Rahman rejected the comment').filter({ visible: true })).toBeVisible()
        await shoot()
      }
      await rejectedElsewhere(database, { words, by: CAST.colleague, whileShown })
    },
  },
  palette: {
    looks: ['1440-light', '1440-dark'],
    show: async ({ page, database, open, shoot }) => {
      await open(`?item=${await itemOf(database, 'SHE IS IN MY SHED')}`)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('textbox').fill('har')
      await expect(page.getByRole('dialog').getByRole('option', { name: 'Gwen Pritchard' })).toBeVisible()
      await shoot()
    },
  },
  keys: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.getByRole('option').first().focus()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await shoot()
    },
  },
}
