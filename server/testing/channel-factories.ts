import { randomUUID } from 'node:crypto'
import type { Database } from '#server/core/database/open-database.ts'
import type { Prisma } from '#server/core/prisma/client.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'

/** Creates valid channels, members and messages, counted as an import counts them. */
export function channelFactoriesOf(database: Database) {
  const { prisma } = database
  const { user } = factoriesOf(database)

  const channel = (over: Partial<Prisma.ChannelUncheckedCreateInput> = {}) =>
    prisma.channel.create({ data: { channelId: `channel-${randomUUID()}`, displayName: 'Some channel', ...over } })

  const channelUser = async (
    over: Partial<Prisma.ChannelUserUncheckedCreateInput> & { channelId: string; displayName?: string },
  ) => {
    const { displayName, ...row } = over
    const userId = over.userId ?? (await user({ ...(displayName !== undefined && { displayName }) })).userId
    const made = await prisma.channelUser.create({ data: { membership: 'member', ...row, userId } })
    if (made.membership === 'member' && !made.isDeleted) {
      await prisma.tallyDelta.create({ data: { kind: 'channel_members', subjectId: made.channelId, delta: 1 } })
    }
    return made
  }

  /** With flags, it is reported. */
  const message = async (over: Partial<Prisma.MessageUncheckedCreateInput> & { channelId: string }) => {
    const made = await prisma.message.create({
      data: {
        messageId: `message-${randomUUID()}`,
        data: { text: 'Some words' },
        ...over,
        userId: over.userId ?? (await user()).userId,
      },
    })
    if (made.flagCount > 0) await keepReportsOf(database, 'message', [made.messageId])
    return made
  }

  return {
    channel,
    channelUser,
    message,
    /** A user with the role of a channel moderator there. */
    moderatorOf: (channelId: string) => channelUser({ channelId, roles: ['channel-moderator'] }),
  }
}
