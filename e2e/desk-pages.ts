import type { Locator, Page, Route } from '@playwright/test'
import { type Desk, expect } from './fixtures.ts'

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

/** Chooses a row of a table. What is chosen stands in the address, which follows in its own time. */
export function chooseRow(row: Locator): Promise<void> {
  return tick(row.getByRole('checkbox'))
}

/** Ticks a box, once more where it did not take: React draws it as it was until the page has taken the change up. */
export async function tick(box: Locator): Promise<void> {
  await expect(async () => {
    if (!(await box.isChecked())) await box.click({ force: true })
    await expect(box).toBeChecked({ timeout: 1_000 })
  }).toPass()
}

/** Keeps what the page asks of these addresses waiting, until what this gives is called; then `meet` sees to it. */
export async function hold(
  page: Page,
  addresses: string,
  meet: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await released.promise
    await meet(route)
  })
  return released.resolve
}

/** What the server answers where something may not be read. */
export const refuse = (route: Route): Promise<void> => route.fulfill({ status: 403, body: '{}' })
