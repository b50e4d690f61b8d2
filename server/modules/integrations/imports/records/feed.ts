import { z } from 'zod'
import { FeedType } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const feed = recordKind({
  stage: 1,
  table: 'feed',
  id: ['feed_id'],
  schema: z.object({
    feedId: Id,
    targetId: field.id,
    targetType: field.name,
    feedType: otherwise('published', z.enum(FeedType)),
    ...Dates,
  }),
  toRow: (feed) => feed,
})
