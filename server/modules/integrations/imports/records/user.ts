import { z } from 'zod'
import { visibleText } from '#server/core/text.ts'
import {
  Dates,
  field,
  name,
  optional,
  otherwise,
  Reports,
  RoleId,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported } from '#server/modules/integrations/imports/records/record-kind.ts'

export const user = recordKind({
  stage: 1,
  table: 'network_user',
  id: ['user_id'],
  schema: z.object({
    userId: UserId,
    displayName: name({ max: 100 }),
    profileHandle: optional(visibleText({ max: 100 })),
    description: field.text,
    avatarFileId: field.id,
    avatarCustomUrl: field.url,
    roles: otherwise([], z.array(RoleId).max(20)),
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
