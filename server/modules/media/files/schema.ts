import { z } from 'zod'
import { Time } from '#server/core/wire/schema.ts'

/** A file (docs/interface/conventions.md#files). Fields without a value are left out, never null. */
export const File = z
  .object({
    fileId: z.string(),
    fileUrl: z.string().optional(),
    type: z.enum(['image', 'file', 'video', 'clip', 'audio']),
    accessType: z.enum(['public', 'network']),
    altText: z.string().optional(),
    attributes: z.record(z.string(), z.unknown()).optional(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'File' })
export type File = z.output<typeof File>
