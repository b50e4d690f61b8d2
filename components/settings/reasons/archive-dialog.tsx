'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import type { ReasonDialogProps } from './reason-dialog.tsx'

interface ArchiveDialogProps extends ReasonDialogProps {
  reason: RejectionReason
  /** How many reasons move up. */
  after: number
}

/** Archives a reason. This can't be undone, so it needs a confirmation. */
export function ArchiveDialog({ reason, after, onClose, onDone }: ArchiveDialogProps) {
  const t = useTranslations('reasonSettings')
  const errorMessageOf = useErrorMessage()
  const retiring = useMutation(useTRPC().reasons.archive.mutationOptions())
  const { reasonId, label } = reason

  async function send(): Promise<void> {
    onDone(await retiring.mutateAsync({ reasonId }), t('retired', { label }))
  }

  return (
    <ActForm
      title={t('retireTitle', { label })}
      submit={t('retireSubmit')}
      look="reject"
      isPending={retiring.isPending}
      failure={errorMessageOf(retiring.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p>{t('retireMeans', { after })}</p>
    </ActForm>
  )
}
