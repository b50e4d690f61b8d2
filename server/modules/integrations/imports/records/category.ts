import { z } from 'zod'
import { AnyObject, Dates, Flag, Id, Name, optional } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const category = recordKind({
  stage: 1,
  table: 'category',
  id: ['category_id'],
  schema: z.object({
    categoryId: Id,
    name: optional(Name),
    avatarFileId: optional(Id),
    metadata: optional(AnyObject),
    isDeleted: Flag,
    ...Dates,
  }),
  toRow: (category) => category,
})
