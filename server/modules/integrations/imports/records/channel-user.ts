import { z } from 'zod'
import { Membership } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise, UserId } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, tally } from '#server/modules/integrations/imports/records/record-kind.ts'

export const channelUser = recordKind({
  stage: 2,
  table: 'channel_user',
  id: ['channel_id', 'user_id'],
  schema: z.object({
    channelId: Id,
    userId: UserId,
    membership: otherwise('none', z.enum(Membership)),
    roles: field.roles,
    muteTimeout: field.time,
    readToSegment: field.count,
    lastMentionedSegment: field.count,
    isDeleted: field.flag,
    lastActivity: field.time,
    ...Dates,
  }),
  names: { channelId: 'channel', userId: 'user' },
  toRow: (member) => member,
  effects: [tally('channel_members', { by: 'channel_id', where: `membership = 'member' and not is_deleted` })],
})
