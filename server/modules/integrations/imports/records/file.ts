import { z } from 'zod'
import { FileAccessType, FileType } from '#server/core/prisma/enums.ts'
import { Dates, field, Id, otherwise } from '#server/modules/integrations/imports/records/fields.ts'
import { recordKind } from '#server/modules/integrations/imports/records/record-kind.ts'

export const file = recordKind({
  stage: 1,
  table: 'file',
  id: ['file_id'],
  schema: z.object({
    fileId: Id,
    fileUrl: field.url,
    fileType: otherwise('file', z.enum(FileType)),
    accessType: otherwise('public', z.enum(FileAccessType)),
    altText: field.text,
    attributes: field.object,
    ...Dates,
  }),
  toRow: ({ fileType, ...file }) => ({ ...file, type: fileType }),
})
