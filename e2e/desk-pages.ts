import type { Page } from '@playwright/test'
import type { Desk } from './fixtures.ts'

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
