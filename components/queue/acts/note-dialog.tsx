'use client'
import { useTranslations } from 'use-intl'
import { NoteForm } from '#components/kit/review/note-form.tsx'
import { useNotes } from '#components/kit/review/use-notes.ts'
import type { Note } from '#server/modules/people/notes/schema.ts'
import { type ActDialogProps, useDeskActs } from './desk-acts.ts'

/** A note about the author for colleagues who review here. */
export function NoteDialog({ item: { author, community }, onClose, ...begun }: ActDialogProps) {
  const t = useTranslations('notes')
  const { done } = useDeskActs()
  const { setNotes, deleteNote } = useNotes(author.userId)

  function onWritten(notes: Note[]): void {
    setNotes(notes)
    const written = notes.find((note) => note.isOwn)
    done({
      words: t('done', { author: author.displayName }),
      ...(written && { undo: () => deleteNote(written.noteId) }),
    })
  }
  return (
    <NoteForm
      about={author}
      communityId={community?.communityId}
      hint={community ? t('hint', { space: community.displayName }) : t('hintEverywhere')}
      begun={begun}
      onClose={onClose}
      onWritten={onWritten}
    />
  )
}
