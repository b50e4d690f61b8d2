import { z } from 'zod'
import { boundedString } from '#server/core/text.ts'
import {
  Address,
  AnyObject,
  Dates,
  Flag,
  Id,
  Ids,
  Name,
  optional,
  Reports,
  Text,
  UserId,
} from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind, reported } from '#server/modules/integrations/imports/records/record-kind.ts'

export const user = recordKind({
  stage: 1,
  table: 'network_user',
  id: ['user_id'],
  schema: z.object({
    userId: UserId,
    displayName: optional(Name),
    profileHandle: optional(boundedString({ min: 1, max: 255 })),
    description: optional(Text),
    avatarFileId: optional(Id),
    avatarCustomUrl: optional(Address),
    roles: Ids,
    metadata: optional(AnyObject),
    ...Reports,
    isGlobalBan: Flag,
    isBrand: Flag,
    isDeleted: Flag,
    ...Dates,
  }),
  hasNetworkRoles: true,
  toRow: (user) => user,
  effects: reported('user'),
})
