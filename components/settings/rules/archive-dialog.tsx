'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Rule } from '#server/modules/rules/registry/schema.ts'

interface ArchiveDialogProps {
  rule: Rule
  onClose: () => void
  onDone: () => void
}

/** Archives a rule. This can't be undone, so it needs a confirmation. */
export function ArchiveDialog({ rule: { ruleId, revision, name }, onClose, onDone }: ArchiveDialogProps) {
  const t = useTranslations('rules.life')
  const errorMessageOf = useErrorMessage()
  const archiving = useMutation(useTRPC().rules.archive.mutationOptions())
  return (
    <ActForm
      title={t('archiveTitle', { name })}
      submit={t('archiveSubmit')}
      look="reject"
      isPending={archiving.isPending}
      failure={errorMessageOf(archiving.error)}
      onSubmit={() => archiving.mutate({ ruleId, revision }, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>{t('archiveMeans')}</p>
    </ActForm>
  )
}
