'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import type { EndpointDialogProps } from './endpoint-dialogs.ts'
import { useWebhookErrorMessage } from './use-webhook-error-message.ts'

/** Removes an endpoint. Its secret is deleted immediately, so this can't be undone. */
export function RemoveDialog({ endpoint, onClose, onDone }: EndpointDialogProps & { endpoint: Endpoint }) {
  const t = useTranslations('webhooks')
  const errorMessageOf = useWebhookErrorMessage()
  const removing = useMutation(useTRPC().webhooks.remove.mutationOptions())
  const { endpointId, version, url, waiting } = endpoint

  async function send(): Promise<void> {
    await removing.mutateAsync({ endpointId, version })
    onDone(t('removed'))
  }

  return (
    <ActForm
      title={t('removeTitle')}
      submit={t('removeSubmit')}
      look="reject"
      isPending={removing.isPending}
      failure={errorMessageOf(removing.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p className="font-code text-small wrap-anywhere text-ink">{url}</p>
      <p>{t('removeMeans', { waiting })}</p>
    </ActForm>
  )
}
