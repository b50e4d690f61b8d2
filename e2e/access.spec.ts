import type { Page } from '@playwright/test'
import { SETTINGS_PARTS } from '#components/settings/settings-parts.ts'
import { channelFactoriesOf } from '#server/testing/channel-factories.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { type Desk, expect, test } from './fixtures.ts'

/** For those who may not read a page: where its link would be, and the addresses that are not found. The API denies them in server/trpc/callers. */
const OF_EVERYBODY = ['security', 'preferences', 'notifications']

const CLOSED: {
  who: string
  signIn: (page: Page, desk: Desk) => Promise<unknown>
  links: string[]
  paths: string[]
}[] = [
  {
    who: 'a moderator of a community',
    signIn: (page, desk) => desk.signIn(page, 'moderator'),
    links: ['Audit', 'Channels', 'Messages', 'Webhooks'],
    paths: [
      'audit',
      'channels',
      'channels/CHANNEL',
      'messages',
      'settings/webhooks',
      'settings/webhooks/deliveries',
      `settings/webhooks/deliveries/${crypto.randomUUID()}`,
    ],
  },
  {
    who: 'a support agent',
    signIn: (page, desk) => desk.signIn(page, 'support'),
    links: ['Moderation settings', 'Rejection reasons', 'Webhooks', 'Staff', 'Roles'],
    paths: SETTINGS_PARTS.filter(({ part }) => !OF_EVERYBODY.includes(part)).map(({ href }) => href.slice(1)),
  },
  {
    who: 'a person whose last role was removed',
    signIn: async (page, desk) => {
      const { userId } = await desk.signIn(page, 'moderator')
      await desk.database.prisma.communityUser.updateMany({ where: { userId }, data: { roles: [] } })
    },
    links: ['Insights', 'Users'],
    paths: ['insights', 'users', 'users/USER'],
  },
]

for (const { who, signIn, links, paths } of CLOSED) {
  test(`${who} sees no link to pages that they may not read, and finds none there`, { tag: '@stress' }, async ({
    page,
    desk,
  }) => {
    const { channelId } = await channelFactoriesOf(desk.database).channel()
    const { userId } = await factoriesOf(desk.database).user()
    await signIn(page, desk)
    for (const path of paths) {
      const answer = await page.goto(`${desk.url}/${path.replace('CHANNEL', channelId).replace('USER', userId)}`)
      expect([path, answer?.status()]).toEqual([path, 404])
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    }
    await page.goto(`${desk.url}/settings`)
    await expect(page.getByRole('navigation').first()).toBeVisible()
    for (const name of links) await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
  })
}
