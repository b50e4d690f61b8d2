'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import type { Note } from '#server/modules/people/notes/schema.ts'
import { ActForm } from '../acts/act-form.tsx'
import { useDraft } from '../acts/use-draft.ts'
import { useErrorMessage } from '../acts/use-error-message.ts'

const NOTE_LENGTH = 2_000

interface NoteFormProps {
  about: { userId: string; displayName: string }
  /** The community whose reviewers may read the note; everyone on the staff, without one. */
  communityId?: string | undefined
  hint: string
  /** The initial text, and keys pressed while the dialog was loading. */
  begun?: { words?: string | undefined; typed: string[] }
  onClose: () => void
  /** Receives all notes about the person after the form has closed. */
  onWritten: (notes: Note[]) => void
}

/** A note about a person for colleagues. */
export function NoteForm({ about, communityId, hint, begun, onClose, onWritten }: NoteFormProps) {
  const t = useTranslations('notes')
  const errorMessageOf = useErrorMessage()
  const [text, write, forget] = useDraft(`note ${about.userId}`, begun ?? { typed: [] })
  const writing = useMutation(useTRPC().notes.write.mutationOptions())

  async function send(): Promise<void> {
    const notes = await writing.mutateAsync({ aboutUserId: about.userId, communityId, text })
    forget()
    onClose()
    onWritten(notes)
  }

  return (
    <ActForm
      title={t('title', { author: about.displayName })}
      submit={t('submit')}
      isWritten
      {...(begun && { typed: begun.typed })}
      isPending={writing.isPending}
      failure={errorMessageOf(writing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <TextBox
        label={t('text')}
        hint={hint}
        value={text}
        onChange={write}
        maxLength={NOTE_LENGTH}
        rows={4}
        autoFocus
        isRequired
      />
    </ActForm>
  )
}
