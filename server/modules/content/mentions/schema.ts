import { z } from 'zod'
import { UserId } from '#server/core/wire/schema.ts'

export const Mentionee = z
  .object({
    type: z.enum(['user']),
    userIds: z.array(z.string()).optional(),
    userPublicIds: z.array(z.string()).optional(),
    userInternalIds: z.array(z.string()).optional(),
  })
  .meta({ id: 'Mentionee' })
export type Mentionee = z.output<typeof Mentionee>

/** The mentioned users; unknown ids are left out. */
export const NewMentionees = z
  .array(z.object({ type: z.literal('user').default('user'), userIds: z.array(UserId).max(100).default([]) }))
  .max(10)
export type NewMentionees = z.output<typeof NewMentionees>
