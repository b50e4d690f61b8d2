import { expect } from '../../fixtures.ts'
import { BOTH_WIDTHS, CAST, type Screen, WIDE } from '../scene.ts'

/** People, communities and channels. */
export const PEOPLE_AND_SPACES: Record<string, Screen> = {
  user: {
    looks: BOTH_WIDTHS,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/users/oscar-blum')
      await expect(page.getByRole('region', { name: 'Bans and mutes' })).toContainText('Banned')
      await shoot()
    },
  },
  members: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/channels/harbour-watch?filter=member%26banned&sort=displayName&chosen=isla-mackay,rosa-quispe')
      await expect(page.getByRole('row', { name: 'Oscar Blum' })).toContainText('Banned')
      await expect(page.getByRole('toolbar')).toContainText('2 selected')
      await shoot()
    },
  },
  messages: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/messages?channelId=harbour-watch&message=harbour-watch-message-5')
      await expect(page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').nth(4)).toBeVisible()
      await shoot()
    },
  },
  community: {
    looks: WIDE,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/harbour-town?tab=settings')
      await expect(page.getByRole('switch').first()).toBeVisible()
      await shoot()
    },
  },
}
