import type { Ctx } from '#server/core/ctx.ts'
import type { Page } from '#server/core/list-page.ts'
import { listNotesPage } from '#server/modules/people/notes/notes.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { PersonListInput } from '#server/modules/people/schema.ts'

/** Notes about a person, latest first, as far as the caller may see them. */
export async function listPersonNotes(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<Note>> {
  const { notes, paging } = await listNotesPage(ctx, { aboutUserId: userId, ...page })
  return {
    items: notes,
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}
