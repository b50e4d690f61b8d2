'use client'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Note } from '#server/modules/people/notes/schema.ts'
import { useTimes } from '../times/use-times.ts'
import { useNotes } from './use-notes.ts'

/** Colleagues' notes about the author; people can delete their own. */
export function NoteList({ aboutUserId, notes }: { aboutUserId: string; notes: Note[] }) {
  const t = useTranslations('notes')
  const times = useTimes()
  const announce = useAnnounce()
  const { deleteNote } = useNotes(aboutUserId)
  if (notes.length === 0) return <p className="text-small">{t('none')}</p>

  async function remove(note: Note): Promise<void> {
    try {
      await deleteNote(note.noteId)
      announce(t('takenBack'))
    } catch {
      announce(t('notTakenBack'))
    }
  }

  return (
    <ul className="grid gap-1.5 text-small">
      {notes.map((note) => (
        <li key={note.noteId} className="rounded-2 bg-sunken px-2.5 py-[7px]">
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-ink">
            {note.text}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-ink-3">
            <span title={times.exact(note.writtenAt)}>
              {t('by', { who: note.by.displayName, time: times.brief(note.writtenAt) })}
            </span>
            {note.isOwn && (
              <Button
                look="bare"
                size="small"
                className="-me-2 ms-auto px-2! text-small"
                onPress={() => void remove(note)}
              >
                {t('takeBack')}
              </Button>
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}
