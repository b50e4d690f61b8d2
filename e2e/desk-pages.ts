import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type Desk, expect } from './fixtures.ts'

/** How pages are looked at: narrow and wide, light and dark, and from right to left. */
export const LOOKS = [
  { look: 'light', cookies: { docket_theme: 'light' }, widths: [1440, 320] },
  { look: 'dark', cookies: { docket_theme: 'dark' }, widths: [1440] },
  { look: 'right to left', cookies: { docket_dir: 'rtl' }, widths: [1440, 320] },
] as const

export async function takeOn(
  page: Page,
  desk: Desk,
  { width, cookies }: { width: number; cookies: Record<string, string> },
): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: desk.url })))
}

/** Signs a new person in who moderates this channel. */
export async function moderatorOf(
  page: Page,
  desk: Desk,
  channelId: string,
): Promise<{ userId: string; name: string }> {
  const { email, name } = await desk.signIn(page, 'moderator')
  const { prisma } = desk.database
  const { networkUserId } = await prisma.staffAccount.findFirstOrThrow({ where: { email } })
  const userId = networkUserId ?? ''
  await prisma.channelUser.create({
    data: { channelId, userId, membership: 'member', roles: ['channel-moderator'] },
  })
  await prisma.tallyDelta.create({ data: { kind: 'channel_members', subjectId: channelId, delta: 1 } })
  return { userId, name }
}

/** Neither anything for axe to find, nor anything wider than the page. */
export async function expectNoFindings(page: Page, width: number, except: string[] = []): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).disableRules(except).analyze()
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
}
