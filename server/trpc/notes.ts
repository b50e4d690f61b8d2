import { deleteNote, listNotes, writeNote } from '#server/modules/people/notes/notes.ts'
import { NewNote, NoteInput, NotesInput } from '#server/modules/people/notes/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const notesRouter = router({
  list: procedure
    .meta({ readsAnywhere: true })
    .input(NotesInput)
    .query(({ ctx, input }) => listNotes(ctx, input)),
  write: procedure.input(NewNote).mutation(({ ctx, input }) => writeNote(ctx, input)),
  delete: procedure.input(NoteInput).mutation(({ ctx, input }) => deleteNote(ctx, input)),
})
