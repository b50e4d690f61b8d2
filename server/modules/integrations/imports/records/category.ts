import { z } from 'zod'
import { Dates, field, Id } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const category = recordKind({
  stage: 1,
  table: 'category',
  id: ['category_id'],
  schema: z.object({
    categoryId: Id,
    name: field.name,
    avatarFileId: field.id,
    metadata: field.object,
    isDeleted: field.flag,
    ...Dates,
  }),
  toRow: (category) => category,
})
