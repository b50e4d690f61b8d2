'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
import { UrlField } from '../url-field.tsx'
import type { EndpointDialogProps } from './endpoint-dialogs.ts'
import { EventChoice } from './event-choice.tsx'
import { useWebhookErrorMessage } from './use-webhook-error-message.ts'

interface FieldsDialogProps extends EndpointDialogProps {
  eventNames: readonly string[]
  /** The endpoint to change; without it, one is added. */
  endpoint?: Endpoint
}

/** The URL and events of a new or an existing endpoint. */
export function FieldsDialog({ eventNames, endpoint, onClose, onDone }: FieldsDialogProps) {
  const t = useTranslations('webhooks')
  const trpc = useTRPC()
  const errorMessageOf = useWebhookErrorMessage()
  const draft = useDraftFields(`endpoint ${endpoint?.endpointId ?? ''}`, {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
  })
  const { url, description } = draft.fields
  const [isNarrowed, setNarrowed] = useState((endpoint?.events.length ?? 0) > 0)
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? [])
  const [isIncomplete, setIncomplete] = useState(false)
  const adding = useMutation(trpc.webhooks.add.mutationOptions())
  const changing = useMutation(trpc.webhooks.change.mutationOptions())

  async function send(): Promise<void> {
    setIncomplete(isNarrowed && events.length === 0)
    if (isNarrowed && events.length === 0) return
    // Safe: they come from the server's own list.
    const fields = { url: url.trim(), description, events: (isNarrowed ? events : []) as EventName[] }
    if (endpoint) {
      const { endpointId, version } = endpoint
      const changed = await changing.mutateAsync({ ...fields, endpointId, version })
      draft.forget()
      return onDone(t('changed'), { endpoint: changed })
    }
    const added = await adding.mutateAsync(fields)
    draft.forget()
    onDone(t('added'), added)
  }

  const error = adding.error ?? changing.error
  const errorMessage = errorMessageOf(error)
  const isAboutAddress = toRequestError(error).code === 'UNPROCESSABLE_CONTENT'
  const otherError = isAboutAddress ? undefined : errorMessage
  const aboutAddress = isAboutAddress ? errorMessage : undefined
  return (
    <ActForm
      title={endpoint ? t('changeTitle') : t('add')}
      submit={endpoint ? t('save') : t('addSubmit')}
      isWritten
      isPending={adding.isPending || changing.isPending}
      failure={isIncomplete ? t('chooseEvents') : otherError}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={() => {
        draft.forget()
        onClose()
      }}
    >
      <UrlField
        label={t('address')}
        hint={t('addressHint')}
        autoFocus
        error={aboutAddress}
        value={url}
        onChange={(url) => draft.write({ url })}
      />
      <Field
        label={t('description')}
        dir="auto"
        maxLength={200}
        value={description}
        onChange={(event) => draft.write({ description: event.target.value })}
      />
      <EventChoice
        names={eventNames}
        isNarrowed={isNarrowed}
        onNarrow={setNarrowed}
        chosen={events}
        onChoose={setEvents}
      />
    </ActForm>
  )
}
