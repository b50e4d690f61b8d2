'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { nameOf } from '#components/kit/people/name-of.ts'
import { NoteForm } from '#components/kit/review/note-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import type { PersonDialogProps } from './person-dialog-props.ts'

/** A note about a person for all colleagues. */
export function NoteDialog({ person, typed, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('notes')
  const words = useTranslations('users')
  const deleting = useMutation(useTRPC().notes.delete.mutationOptions())
  const about = { userId: person.user.userId, displayName: nameOf(person.user) }

  function onWritten(notes: Note[]): void {
    const written = notes.find(({ isOwn }) => isOwn)
    onDone({
      words: t('done', { author: about.displayName }),
      ...(written && { undo: () => deleting.mutateAsync({ noteId: written.noteId }) }),
    })
  }
  return <NoteForm about={about} begun={{ typed }} hint={words('noteHint')} onClose={onClose} onWritten={onWritten} />
}
