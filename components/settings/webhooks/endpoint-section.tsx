'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { useReplaceInList } from '../use-replace-in-list.ts'
import { toDeliveriesPath } from './deliveries-search.ts'
import { EndpointStateTag } from './delivery-state.tsx'
import type { EndpointAct } from './endpoint-dialogs.ts'
import { EndpointSecretDialog } from './endpoint-secret-dialog.tsx'
import { TestLine } from './test-line.tsx'
import { useOutcome } from './use-outcome.ts'
import { useWebhookErrorMessage } from './use-webhook-error-message.ts'

interface EndpointSectionProps {
  endpoint: Endpoint
  /** The new secret, while it is shown. */
  secret: string | undefined
  onKept: () => void
  onAct: (act: EndpointAct) => void
}

/** An endpoint that receives events. */
export function EndpointSection({ endpoint, secret, onKept, onAct }: EndpointSectionProps) {
  const t = useTranslations('webhooks')
  const { endpointId, url, description, state } = endpoint
  const { isOn, turn, test, testedId, failure } = useEndpoint(endpoint)
  return (
    <section aria-labelledby={endpointId} className="mt-5 border-t border-line-strong pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={endpointId} dir="ltr" className="min-w-0 font-code font-bold wrap-anywhere text-ink">
          {url}
        </h2>
        <EndpointStateTag state={state} />
      </div>
      {description && (
        <p dir="auto" className="wrap-anywhere">
          {description}
        </p>
      )}
      {secret && <EndpointSecretDialog secret={secret} onKept={onKept} />}
      <Notice endpoint={endpoint} onSwitchOn={() => turn(true)} />
      <Facts endpoint={endpoint} />
      <div className="mt-2.5 flex flex-wrap gap-2">
        {isOn && <Button onPress={test}>{t('test')}</Button>}
        <Button onPress={() => onAct('change')}>{t('change')}</Button>
        <Button onPress={() => onAct('rotate')}>{t('rotate')}</Button>
        <Button onPress={() => turn(!isOn)}>{t(isOn ? 'switchOff' : 'switchOn')}</Button>
        <Button onPress={() => onAct('remove')}>{t('remove')}</Button>
      </div>
      <div aria-live="polite">
        {failure && <p className="mt-2 text-reject">{failure}</p>}
        {testedId && <TestLine key={testedId} eventId={testedId} />}
      </div>
    </section>
  )
}

/** Acts without a dialog, and their results. */
function useEndpoint({ endpointId, version, state }: Endpoint) {
  const t = useTranslations('webhooks')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useWebhookErrorMessage()
  const [testedId, setTestedId] = useState<string>()
  const onSuccess = useReplaceInList(trpc.webhooks.endpoints.queryKey(), 'endpointId')
  const onSettled = () => queryClient.invalidateQueries(trpc.webhooks.endpoints.queryFilter())
  const switching = useMutation(trpc.webhooks.switch.mutationOptions({ onSuccess, onSettled }))
  const testing = useMutation(trpc.webhooks.test.mutationOptions())
  return {
    isOn: state !== 'off',
    turn: (isOn: boolean) =>
      switching.mutate(
        { endpointId, version, isOn },
        { onSuccess: () => announce(t(isOn ? 'switchedOn' : 'switchedOff')) },
      ),
    test: () => testing.mutate({ endpointId }, { onSuccess: ({ eventId }) => setTestedId(eventId) }),
    testedId,
    failure: errorMessageOf(switching.error ?? testing.error),
  }
}

/** A problem that needs attention. */
function Notice({ endpoint, onSwitchOn }: { endpoint: Endpoint; onSwitchOn: () => void }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const bold = { b: (words: ReactNode) => <b>{words}</b> }
  const { endpointId, state, offReason, offSince, failingSince, failed, waiting } = endpoint
  if (state === 'off' && offReason === 'failing' && offSince) {
    return (
      <Box>
        <Banner
          kind="warn"
          acts={
            <Button size="small" onPress={onSwitchOn}>
              {t('switchOn')}
            </Button>
          }
        >
          {t.rich('offAsFailing', { ...bold, time: times.exact(offSince) })}
        </Banner>
      </Box>
    )
  }
  const toFailed = (words: ReactNode) => (
    <Link prefetch={false} href={toDeliveriesPath({ endpointId, state: failed > 0 ? 'failed' : 'waiting' })}>
      {words}
    </Link>
  )
  if (state === 'down') {
    return (
      <Box>
        <Banner kind="warn">{t.rich('isDown', { ...bold, failed, link: toFailed })}</Banner>
      </Box>
    )
  }
  if (state === 'failing' && failingSince) {
    return (
      <Box>
        <Banner kind="warn">
          {t.rich('isFailing', { ...bold, waiting, time: times.exact(failingSince), link: toFailed })}
        </Banner>
      </Box>
    )
  }
  return null
}

function Box({ children }: { children: ReactNode }) {
  return <div className="mt-2.5 overflow-hidden rounded-2 border border-b-0 border-warn-edge">{children}</div>
}

function Facts({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const outcomeOf = useOutcome()
  const { endpointId, events, waiting, lastArrivedAt, lastTry, offReason, offSince, previousSecretUntil } = endpoint
  return (
    <dl className="mt-2 grid grid-cols-[140px_minmax(0,1fr)] gap-x-3 gap-y-1 phone:grid-cols-[minmax(0,1fr)] phone:gap-y-0 [&_dd]:text-ink [&_dd]:phone:mb-1.5">
      <dt>{t('events')}</dt>
      <dd>
        {events.length === 0
          ? t('everyEvent')
          : events.map((name) => (
              <code key={name} className="me-2 inline-block font-code text-small wrap-anywhere">
                {name}
              </code>
            ))}
      </dd>
      <dt>{t('lastArrived')}</dt>
      <dd>{lastArrivedAt ? times.exact(lastArrivedAt) : t('nothingArrived')}</dd>
      {lastTry?.problem && (
        <>
          <dt>{t('lastTry')}</dt>
          <dd>{t('triedAt', { outcome: outcomeOf(lastTry), time: times.exact(lastTry.at) })}</dd>
        </>
      )}
      {offReason === 'person' && offSince && (
        <>
          <dt>{t('states.off')}</dt>
          <dd>{t('since', { time: times.exact(offSince) })}</dd>
        </>
      )}
      {previousSecretUntil && (
        <>
          <dt>{t('secret')}</dt>
          <dd>{t('bothUntil', { time: times.exact(previousSecretUntil) })}</dd>
        </>
      )}
      <dt>{t('deliveries')}</dt>
      <dd>
        <Link prefetch={false} href={toDeliveriesPath({ endpointId })}>
          {t('theDeliveries', { waiting })}
        </Link>
      </dd>
    </dl>
  )
}
