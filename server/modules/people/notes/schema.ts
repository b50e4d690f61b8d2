import { z } from 'zod'
import { text, visibleText } from '#server/core/text.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

const UserId = text({ min: 1, max: 900 })

/** What colleagues should know about a person, up to 2,000 characters; in one community, or across the network. */
export const NewNote = z.object({
  aboutUserId: UserId,
  communityId: CommunityId.optional(),
  text: visibleText({ max: 2_000 }),
})
export type NewNote = z.output<typeof NewNote>

export const NotesInput = z.object({ aboutUserId: UserId })
export type NotesInput = z.output<typeof NotesInput>

export const NoteInput = z.object({ noteId: z.string().regex(/^\d{1,18}$/) })
export type NoteInput = z.output<typeof NoteInput>

export interface Note {
  noteId: string
  text: string
  writtenAt: string
  by: { userId: string; displayName: string }
  community?: { communityId: string; displayName: string }
  isOwn: boolean
}
