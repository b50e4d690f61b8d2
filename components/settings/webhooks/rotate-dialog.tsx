'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import type { EndpointDialogProps } from './endpoint-dialogs.ts'
import { useWebhookErrorMessage } from './use-webhook-error-message.ts'

/** Replaces the secret, after explaining the consequences. */
export function RotateDialog({ endpoint, onClose, onDone }: EndpointDialogProps & { endpoint: Endpoint }) {
  const t = useTranslations('webhooks')
  const errorMessageOf = useWebhookErrorMessage()
  const rotating = useMutation(useTRPC().webhooks.rotateSecret.mutationOptions())
  const { endpointId, version, url } = endpoint

  async function send(): Promise<void> {
    onDone(t('rotated'), await rotating.mutateAsync({ endpointId, version }))
  }

  return (
    <ActForm
      title={t('rotateTitle')}
      submit={t('rotate')}
      isPending={rotating.isPending}
      failure={errorMessageOf(rotating.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <p className="font-code text-small wrap-anywhere">{url}</p>
      <p>{t('rotateMeans')}</p>
    </ActForm>
  )
}
