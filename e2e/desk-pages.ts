import type { Locator, Page } from '@playwright/test'
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
