import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { Version } from '#server/core/wire/schema.ts'
import { TEXT_LENGTH } from '#server/modules/content/comments/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

const Words = text({ max: TEXT_LENGTH })

/** A pending comment or post, and what it says from now on. What is left out stays as it is. */
export const EditItemInput = z
  .object({
    subjectType: z.enum(['comment', 'post']),
    subjectId: ResourceId,
    /** The version the caller saw; if it was edited or decided since, the edit fails with CHANGED. */
    version: Version,
    /** Only posts have one. */
    title: Words.optional(),
    text: Words.optional(),
    /** Who had claimed the item when the caller saw it; if anyone else has claimed it, the edit fails with CHANGED. */
    despiteClaimOf: ResourceId.optional(),
  })
  .refine(({ title, text }) => title !== undefined || text !== undefined, 'title or text is required')
export type EditItemInput = z.output<typeof EditItemInput>

/** The item as it is after the edit: still pending. */
export interface EditedItem extends Subject {
  version: number
}
