'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraft } from '#components/kit/acts/use-draft.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useNotes } from '#components/kit/review/use-notes.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { TextBox } from '#components/ui/text-box.tsx'
import { type ActDialogProps, useDeskActs } from '../acts/desk-acts.ts'

const NOTE_LENGTH = 2_000

/** A note about the author for colleagues who review here. */
export function NoteDialog({ item, onClose, ...begun }: ActDialogProps) {
  const t = useTranslations('notes')
  const trpc = useTRPC()
  const errorMessageOf = useErrorMessage()
  const { done } = useDeskActs()
  const { setNotes, takeBack } = useNotes(item.author.userId)
  const [text, write, forget] = useDraft(`note ${item.author.userId}`, begun)
  const writing = useMutation(trpc.notes.write.mutationOptions())
  const author = item.author.displayName

  async function send(): Promise<void> {
    const notes = await writing.mutateAsync({
      aboutUserId: item.author.userId,
      communityId: item.community?.communityId,
      text,
    })
    forget()
    onClose()
    setNotes(notes)
    const written = notes.find((note) => note.isOwn)
    done({ words: t('done', { author }), ...(written && { takeBack: () => takeBack(written.noteId) }) })
  }

  return (
    <ActForm
      title={t('title', { author })}
      submit={t('submit')}
      isWritten
      typed={begun.typed}
      isPending={writing.isPending}
      failure={errorMessageOf(writing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <TextBox
        label={t('text')}
        hint={item.community ? t('hint', { space: item.community.displayName }) : t('hintEverywhere')}
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
