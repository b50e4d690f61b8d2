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

const REASON_LENGTH = 500

/** Exports a person's data as a file; requires a reason, which is logged. */
export function ExportDialog({ person, typed, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations('users.export')
  const errorMessageOf = useErrorMessage()
  const { userId } = person.user
  const [reason, write, forget] = useDraft(`export ${userId}`, { typed })
  const exporting = useMutation(useTRPC().users.export.mutationOptions())

  async function send(): Promise<void> {
    const path = await exporting.mutateAsync({ userId, reason })
    forget()
    onClose()
    // The response is an attachment, so the page stays.
    location.assign(path)
    onDone({ words: t('done', { name: nameOf(person.user) }) })
  }

  return (
    <ActForm
      title={t('title', { name: nameOf(person.user) })}
      submit={t('submit')}
      isWritten
      typed={typed}
      isPending={exporting.isPending}
      failure={errorMessageOf(exporting.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <TextBox
        label={t('reason')}
        hint={t('hint')}
        value={reason}
        onChange={write}
        maxLength={REASON_LENGTH}
        autoFocus
        isRequired
      />
    </ActForm>
  )
}
