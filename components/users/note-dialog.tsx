'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import type { PersonDialogProps } from './person-dialog-props.ts'

const NOTE_LENGTH = 2_000

/** A note about a person for all colleagues. */
export function NoteDialog({ person, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('notes')
  const words = useTranslations('users')
  const trpc = useTRPC()
  const errorMessageOf = useErrorMessage()
  const { userId } = person.user
  const [text, write, forget] = useDraft(`note ${userId}`, { typed: [] })
  const writing = useMutation(trpc.notes.write.mutationOptions())
  const deleting = useMutation(trpc.notes.delete.mutationOptions())

  async function send(): Promise<void> {
    const notes = await writing.mutateAsync({ aboutUserId: userId, text })
    const written = notes.find(({ isOwn }) => isOwn)
    forget()
    onClose()
    onDone({
      words: t('done', { author: nameOf(person.user) }),
      ...(written && { takeBack: () => deleting.mutateAsync({ noteId: written.noteId }) }),
    })
  }

  return (
    <ActForm
      title={t('title', { author: nameOf(person.user) })}
      submit={t('submit')}
      isWritten
      isPending={writing.isPending}
      failure={errorMessageOf(writing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <TextBox
        label={t('text')}
        hint={words('noteHint')}
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
