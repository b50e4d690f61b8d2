'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { CheckBox } from '#components/ui/check-box.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import type { EventName } from '#server/modules/ledger/events/schema.ts'
import { UrlField } from '../fields.tsx'
import { isAboutAddress } from '../services/use-services.tsx'
import { useWebhookErrorMessage } from './delivery-words.tsx'

interface EndpointDialogProps {
  eventNames: readonly string[]
  /** The endpoint to change; without it, one is added. */
  endpoint: Endpoint | undefined
  onClose: () => void
  onDone: (words: string, changed: { endpoint: Endpoint; secret?: string }) => void
}

/** The URL and events of a new or an existing endpoint. */
export function EndpointDialog({ eventNames, endpoint, onClose, onDone }: EndpointDialogProps) {
  const t = useTranslations('webhooks')
  const errorMessageOf = useWebhookErrorMessage()
  const { fields, write, forget } = useDraftFields(`endpoint ${endpoint?.endpointId ?? ''}`, {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
  })
  const [isNarrowed, setNarrowed] = useState((endpoint?.events.length ?? 0) > 0)
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? [])

  async function send(): Promise<void> {
    if (isNarrowed && events.length === 0) throw new Incomplete(t('chooseEvents'))
    // Safe: they come from the server's own list.
    const sent = { ...fields, url: fields.url.trim(), events: (isNarrowed ? events : []) as EventName[] }
    const changed = endpoint
      ? { endpoint: await trpcClient.webhooks.change.mutate({ ...sent, ...idOf(endpoint) }) }
      : await trpcClient.webhooks.add.mutate(sent)
    forget()
    onDone(t(endpoint ? 'changed' : 'added'), changed)
  }

  return (
    <FormDialog
      title={t(endpoint ? 'changeTitle' : 'add')}
      submit={t(endpoint ? 'save' : 'addSubmit')}
      isWritten
      onSubmit={send}
      errorMessageOf={(error) => (isAboutAddress(error) ? undefined : errorMessageOf(error))}
      onClose={() => {
        forget()
        onClose()
      }}
    >
      {(error) => (
        <>
          <UrlField
            label={t('address')}
            hint={t('addressHint')}
            autoFocus
            error={isAboutAddress(error) ? errorMessageOf(error) : undefined}
            value={fields.url}
            onChange={(url) => write({ url })}
          />
          <Field
            label={t('description')}
            dir="auto"
            maxLength={200}
            value={fields.description}
            onChange={(event) => write({ description: event.target.value })}
          />
          <Choices
            legend={t('events')}
            columns={2}
            choices={[
              { id: 'all', label: t('everyEvent') },
              { id: 'some', label: t('someEvents') },
            ]}
            chosen={isNarrowed ? 'some' : 'all'}
            onChoose={(id) => setNarrowed(id === 'some')}
          />
          {isNarrowed ? (
            <EventChoice names={eventNames} chosen={events} onChoose={setEvents} />
          ) : (
            <p className="text-small text-ink-3">{t('exceptHeld')}</p>
          )}
        </>
      )}
    </FormDialog>
  )
}

const idOf = ({ endpointId, version }: Endpoint) => ({ endpointId, version })

const TEST = 'webhook.didTest'

interface EventChoiceProps {
  names: readonly string[]
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

/** A selection of events, grouped by subject: `v3.post.didApprove` is about a post. */
function EventChoice({ names, chosen, onChoose }: EventChoiceProps) {
  const groups = Map.groupBy(
    names.filter((name) => name !== TEST),
    (name) => name.split('.').at(-2) ?? name,
  )
  return [...groups].map(([subject, events]) => (
    <fieldset key={subject}>
      <legend className="mb-1 font-code text-small text-ink-3">{subject}</legend>
      <div className="grid grid-cols-2 gap-x-3 phone:grid-cols-1">
        {events.map((name) => (
          <CheckBox
            key={name}
            isDense
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChoose(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          >
            <code className="min-w-0 font-code text-small wrap-anywhere">{name}</code>
          </CheckBox>
        ))}
      </div>
    </fieldset>
  ))
}
