'use client'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import type { DeliveriesSearch } from './deliveries-search.ts'
import { useWebhookErrorMessage } from './delivery-words.tsx'
import { MomentField } from './filter-popovers.tsx'

interface ReplayDialogProps {
  endpoints: Endpoint[]
  /** The filters of the page are the initial values. */
  search: DeliveriesSearch
  onClose: () => void
  onDone: (words: string) => void
}

const HOUR_MS = 3_600_000

/** Sends failed deliveries, or a time range, again to an endpoint, after showing how many there are. */
export function ReplayDialog({ endpoints, search, onClose, onDone }: ReplayDialogProps) {
  const t = useTranslations('webhooks')
  const { zone } = useZone()
  const errorMessageOf = useWebhookErrorMessage()
  const [endpointId, setEndpointId] = useState(search.endpointId ?? endpoints[0]?.endpointId ?? '')
  const [which, setWhich] = useState<'failed' | 'range'>(search.from ? 'range' : 'failed')
  const [opened] = useState(() => Date.now())
  const [from, setFrom] = useState<string | null>(search.from ?? new Date(opened - 24 * HOUR_MS).toISOString())
  const [before, setBefore] = useState<string | null>(search.before ?? new Date(opened).toISOString())
  const range = which === 'range' && from && before && from < before ? { from, before } : undefined
  const { counted, replay, isPending, error } = useReplay({ endpointId, which, range })
  const endpoint = endpoints.find((known) => known.endpointId === endpointId)
  const isOff = endpoint?.state === 'off'

  return (
    <ActForm
      title={t('sendAgain')}
      submit={t('sendAgainSubmit', { count: counted.data?.count ?? 0 })}
      isPending={isPending}
      failure={isOff ? t('switchOnFirst') : errorMessageOf(error)}
      onSubmit={() => {
        if (!isOff && counted.data)
          void replay().then(
            ({ count }) => onDone(t('sentAgain', { count })),
            () => {},
          )
      }}
      onClose={onClose}
    >
      <Choices
        legend={t('endpoint')}
        choices={endpoints.map(({ endpointId: id, url }) => ({ id, label: url }))}
        chosen={endpointId}
        onChoose={setEndpointId}
        autoFocus
      />
      <Choices
        legend={t('which')}
        columns={2}
        choices={[
          { id: 'failed', label: t('allFailed') },
          { id: 'range', label: t('aRange') },
        ]}
        chosen={which}
        onChoose={setWhich}
      />
      {which === 'range' && (
        <div>
          <div className="grid grid-cols-2 gap-2 phone:grid-cols-1">
            <MomentField label={t('from')} at={from} onChange={setFrom} />
            <MomentField label={t('before')} at={before} onChange={setBefore} />
          </div>
          <p className="mt-1 text-small text-ink-3">{t('inZone', { zone })}</p>
        </div>
      )}
      <p aria-live="polite">
        <Preview which={which} isRange={range !== undefined} counted={counted} />
      </p>
    </ActForm>
  )
}

interface Replay {
  endpointId: string
  which: 'failed' | 'range'
  range: { from: string; before: string } | undefined
}

function useReplay({ endpointId, which, range }: Replay) {
  const { webhooks } = useTRPC()
  const failed = useQuery(
    webhooks.countFailed.queryOptions(which === 'failed' ? { endpointId } : skipToken, { staleTime: 0 }),
  )
  const within = useQuery(
    webhooks.countRange.queryOptions(range ? { endpointId, ...range } : skipToken, { staleTime: 0 }),
  )
  const replayingFailed = useMutation(webhooks.replayFailed.mutationOptions())
  const replayingRange = useMutation(webhooks.replayRange.mutationOptions())
  return {
    counted: which === 'failed' ? failed : within,
    replay: () =>
      range ? replayingRange.mutateAsync({ endpointId, ...range }) : replayingFailed.mutateAsync({ endpointId }),
    isPending: replayingFailed.isPending || replayingRange.isPending,
    error: replayingFailed.error ?? replayingRange.error,
  }
}

interface PreviewProps {
  which: 'failed' | 'range'
  isRange: boolean
  counted: { data: { count: number } | undefined; error: unknown }
}

/** Shows exactly what will be sent. */
function Preview({ which, isRange, counted: { data, error } }: PreviewProps): ReactNode {
  const t = useTranslations('webhooks')
  const errorMessageOf = useWebhookErrorMessage()
  if (which === 'range' && !isRange) return t('noRange')
  const { limit } = (toRequestError(error).facts ?? {}) as { limit?: number }
  if (limit !== undefined) return t('tooManyEvents', { limit })
  if (error) return errorMessageOf(error)
  return data ? t(which === 'failed' ? 'willFailed' : 'willRange', { count: data.count }) : t('counting')
}
