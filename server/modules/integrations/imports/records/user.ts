import { z } from 'zod'
import { boundedString } from '#server/core/text.ts'
import { Dates, field, optional, Reports, UserId } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported } from '#server/modules/integrations/imports/records/record-kind.ts'

export const user = recordKind({
  stage: 1,
  table: 'network_user',
  id: ['user_id'],
  schema: z.object({
    userId: UserId,
    displayName: field.name,
    profileHandle: optional(boundedString({ min: 1, max: 255 })),
    description: field.text,
    avatarFileId: field.id,
    avatarCustomUrl: field.url,
    roles: field.ids,
    metadata: field.object,
    ...Reports,
    isGlobalBan: field.flag,
    isBrand: field.flag,
    isDeleted: field.flag,
    ...Dates,
  }),
  hasNetworkRoles: true,
  toRow: (user) => user,
  effects: reported('user'),
})
