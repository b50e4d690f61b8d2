'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import type { NamedQueue } from '#server/modules/rules/queues/schema.ts'
import { useReadQueuesAgain } from './use-rule-queries.ts'

interface DeleteQueueDialogProps {
  queue: NamedQueue
  onDeleted: () => void
  onClose: () => void
}

/** Deletes a queue. This can't be undone, so it needs a confirmation. */
export function DeleteQueueDialog({ queue, onDeleted, onClose }: DeleteQueueDialogProps) {
  const t = useTranslations('rules.queues')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const readAgain = useReadQueuesAgain()
  const { queueId, revision, name, rules } = queue
  const deleting = useMutation(
    useTRPC().queues.delete.mutationOptions({
      onSuccess: async () => {
        await readAgain()
        announce(t('deleted'))
        onClose()
        onDeleted()
      },
      onError: () => void readAgain(),
    }),
  )
  return (
    <ActForm
      title={t('deleteTitle', { name })}
      submit={t('deleteSubmit')}
      look="reject"
      isPending={deleting.isPending}
      failure={errorMessageOf(deleting.error)}
      onSubmit={() => deleting.mutate({ queueId, revision })}
      onClose={onClose}
    >
      <p>{t('deleteMeans', { count: rules })}</p>
    </ActForm>
  )
}
