import { expect } from '../../fixtures.ts'
import { ALL, CAST, type Screen, signIn } from '../scene.ts'

/** People, communities and channels. */
export const PEOPLE_AND_SPACES: Record<string, Screen> = {
  users: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/users?query=gwen+pritchrad')
      await expect(page.getByRole('row', { name: 'Gwen Pritchard' })).toBeVisible()
      await shoot()
    },
  },
  user: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/users/oscar-blum')
      await expect(page.getByRole('region', { name: 'Bans and mutes' })).toContainText('Banned')
      await shoot()
    },
  },
  members: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/channels/harbour-watch?filter=member%26banned&sort=displayName&chosen=isla-mackay,rosa-quispe')
      await expect(page.getByRole('row', { name: 'Oscar Blum' })).toContainText('Banned')
      await expect(page.getByRole('toolbar')).toContainText('2 selected')
      await shoot()
    },
  },
  channels: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/channels')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await shoot()
    },
  },
  messages: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open('', CAST.admin)
      await page.goto('/messages?channelId=harbour-watch&message=harbour-watch-message-5')
      await expect(page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').nth(4)).toBeVisible()
      await shoot()
    },
  },
  community: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/harbour-town?tab=settings')
      await expect(page.getByRole('switch').first()).toBeVisible()
      await shoot()
    },
  },
  'community-members': {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/late-show?sort=displayName&chosen=best-deals-24')
      const muted = page.getByRole('row', { name: 'Best Deals 24' })
      await expect(muted).toContainText('Muted')
      await muted.evaluate((row) => row.scrollIntoView({ block: 'center' }))
      await shoot()
    },
  },
  mute: {
    looks: ALL,
    show: async ({ page, open, shoot }) => {
      await open()
      await page.goto('/communities/late-show?query=mei-lin-chen&chosen=mei-lin-chen')
      await page.getByRole('button', { name: 'Mute 1…' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: '1 day' }).check()
      await shoot()
    },
  },
  role: {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await signIn(page, CAST.admin)
      await page.goto('/settings/roles?role=super-moderator')
      await shoot()
    },
  },
  colleague: {
    looks: ALL,
    show: async ({ page, shoot }) => {
      await signIn(page, CAST.admin)
      await page.goto('/settings/staff')
      await page.getByRole('row', { name: 'Noor Rahman' }).click()
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
      await shoot()
    },
  },
}
