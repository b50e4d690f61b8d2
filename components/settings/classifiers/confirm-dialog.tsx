'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Classifier } from '#server/modules/integrations/classifiers/schema.ts'
import type { ClassifierDialogProps } from './classifier-dialogs.ts'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'

interface ConfirmDialogProps extends ClassifierDialogProps {
  act: 'replace' | 'remove'
  classifier: Classifier
}

/** Replaces the secret of a classifier or removes it, after explaining the consequences: neither can be undone. */
export function ConfirmDialog({ act, classifier, onClose, onDone }: ConfirmDialogProps) {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const errorMessageOf = useClassifierErrorMessage()
  const replacing = useMutation(trpc.classifiers.replaceSecret.mutationOptions())
  const removing = useMutation(trpc.classifiers.remove.mutationOptions())
  const { classifierId, version, name, waiting } = classifier

  async function send(): Promise<void> {
    if (act === 'replace') {
      return onDone(t('replaced'), await replacing.mutateAsync({ classifierId, version }))
    }
    await removing.mutateAsync({ classifierId, version })
    onDone(t('removed'))
  }

  return (
    <ActForm
      title={t(`${act}Title`)}
      submit={t(`${act}Submit`)}
      {...(act === 'remove' && { look: 'reject' as const })}
      isPending={replacing.isPending || removing.isPending}
      failure={errorMessageOf(replacing.error ?? removing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p dir="auto" className="font-firm wrap-anywhere text-ink">
        {name}
      </p>
      <p>{t(`${act}Means`, { waiting })}</p>
    </ActForm>
  )
}
