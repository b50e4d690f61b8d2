'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleAlert } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { DeliveryDetail, Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { Notice, ServiceSection, StateBadge } from '../services/service-section.tsx'
import type { useServices } from '../services/use-services.tsx'
import { toDeliveriesPath, toDeliveryPath } from './deliveries-search.ts'
import { useOutcome, useWebhookErrorMessage } from './delivery-words.tsx'

interface EndpointSectionProps {
  endpoint: Endpoint
  services: ReturnType<typeof useServices<Endpoint, unknown>>
  onEdit: () => void
}

/** An endpoint that receives events, and acts on it. */
export function EndpointSection({ endpoint, services, onEdit }: EndpointSectionProps) {
  const t = useTranslations('webhooks')
  const announce = useAnnounce()
  const errorMessageOf = useWebhookErrorMessage()
  const [testedId, setTestedId] = useState<string>()
  const { mutate: act, error } = useMutation({ mutationFn: (act: () => Promise<unknown>) => act() })
  const { endpointId, version, url, description, state, waiting } = endpoint
  const isOn = state !== 'off'
  const about = <span className="font-code text-small font-normal">{url}</span>

  const turn = (isOn: boolean) =>
    act(async () => {
      try {
        services.replace(await trpcClient.webhooks.switch.mutate({ endpointId, version, isOn }))
        announce(t(isOn ? 'switchedOn' : 'switchedOff'))
      } finally {
        services.readAgain()
      }
    })
  const test = () => act(async () => setTestedId((await trpcClient.webhooks.test.mutate({ endpointId })).eventId))
  const rotate = () =>
    services.confirm(
      { title: t('rotateTitle'), about, means: t('rotateMeans'), submit: t('rotate'), look: 'primary' },
      async () => {
        const { endpoint, secret } = await trpcClient.webhooks.rotateSecret.mutate({ endpointId, version })
        services.done(`${t('rotated')} ${t('secretOnce')}`, { service: endpoint, secret })
      },
    )
  const remove = () =>
    services.confirm(
      { title: t('removeTitle'), about, means: t('removeMeans', { waiting }), submit: t('removeSubmit') },
      async () => {
        await trpcClient.webhooks.remove.mutate({ endpointId, version })
        services.done(t('removed'))
      },
    )

  return (
    <ServiceSection
      id={endpointId}
      head={
        <>
          <div className="flex flex-wrap items-center gap-2">
            <h2 id={endpointId} dir="ltr" className="min-w-0 font-code font-bold wrap-anywhere text-ink">
              {url}
            </h2>
            <EndpointState state={state} />
          </div>
          {description && (
            <p dir="auto" className="wrap-anywhere">
              {description}
            </p>
          )}
        </>
      }
      secret={services.secretOf(endpoint)}
      onKept={services.forgetSecret}
      notice={<EndpointNotice endpoint={endpoint} onSwitchOn={() => turn(true)} />}
      facts={useFacts(endpoint)}
      acts={
        <>
          {isOn && <Button onPress={test}>{t('test')}</Button>}
          <Button onPress={onEdit}>{t('change')}</Button>
          <Button onPress={rotate}>{t('rotate')}</Button>
          <Button onPress={() => turn(!isOn)}>{t(isOn ? 'switchOff' : 'switchOn')}</Button>
          <Button onPress={remove}>{t('remove')}</Button>
        </>
      }
      failure={errorMessageOf(error)}
    >
      {testedId && <TestLine key={testedId} eventId={testedId} />}
    </ServiceSection>
  )
}

function EndpointState({ state }: Pick<Endpoint, 'state'>) {
  const t = useTranslations('webhooks.states')
  if (state === 'active') return null
  const looks = { off: 'plain', failing: 'warn', down: 'reject' } as const
  return <StateBadge look={looks[state]}>{t(state)}</StateBadge>
}

/** A problem that needs attention. */
function EndpointNotice({ endpoint, onSwitchOn }: { endpoint: Endpoint; onSwitchOn: () => void }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const { endpointId, state, offReason, offSince, failingSince, failed, waiting } = endpoint
  const rich = {
    b: (words: ReactNode) => <b>{words}</b>,
    link: (words: ReactNode) => (
      <Link prefetch={false} href={toDeliveriesPath({ endpointId, state: failed > 0 ? 'failed' : 'waiting' })}>
        {words}
      </Link>
    ),
  }
  if (state === 'off' && offReason === 'failing' && offSince) {
    const switchOn = (
      <Button size="small" onPress={onSwitchOn}>
        {t('switchOn')}
      </Button>
    )
    return <Notice acts={switchOn}>{t.rich('offAsFailing', { ...rich, time: times.exact(offSince) })}</Notice>
  }
  if (state === 'down') return <Notice>{t.rich('isDown', { ...rich, failed })}</Notice>
  if (state === 'failing' && failingSince)
    return <Notice>{t.rich('isFailing', { ...rich, waiting, time: times.exact(failingSince) })}</Notice>
  return null
}

function useFacts(endpoint: Endpoint): [name: string, value: ReactNode][] {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const outcomeOf = useOutcome()
  const { endpointId, events, waiting, lastArrivedAt, lastTry, offReason, offSince, previousSecretUntil } = endpoint
  const eventList = events.map((name) => (
    <code key={name} className="me-2 inline-block font-code text-small wrap-anywhere">
      {name}
    </code>
  ))
  return [
    [t('events'), events.length === 0 ? t('everyEvent') : eventList],
    [t('lastArrived'), lastArrivedAt ? times.exact(lastArrivedAt) : t('nothingArrived')],
    [t('lastTry'), lastTry?.problem && t('triedAt', { outcome: outcomeOf(lastTry), time: times.exact(lastTry.at) })],
    [t('states.off'), offReason === 'person' && offSince && t('since', { time: times.exact(offSince) })],
    [t('secret'), previousSecretUntil && t('bothUntil', { time: times.exact(previousSecretUntil) })],
    [
      t('deliveries'),
      <Link key={endpointId} prefetch={false} href={toDeliveriesPath({ endpointId })}>
        {t('theDeliveries', { waiting })}
      </Link>,
    ],
  ]
}

const LOOK_EVERY_MS = 300
/** An attempt takes ten seconds at most; a busy worker needs more. */
const LOOKS_AT_MOST = 100

const firstTry = (delivery: DeliveryDetail | undefined) =>
  delivery?.made.findLast(({ durationMs }) => durationMs !== undefined)

/** The result of a test delivery: the first response. */
function TestLine({ eventId }: { eventId: string }) {
  const t = useTranslations('webhooks')
  const outcomeOf = useOutcome()
  const { data } = useQuery(
    useTRPC().webhooks.tested.queryOptions(
      { eventId },
      {
        staleTime: 0,
        refetchInterval: ({ state: { data, dataUpdateCount } }) =>
          firstTry(data?.delivery) || dataUpdateCount >= LOOKS_AT_MOST ? false : LOOK_EVERY_MS,
      },
    ),
  )
  const made = firstTry(data?.delivery)
  if (!made || !data?.delivery) return <p className="mt-2 text-ink-3">{t('testing')}</p>

  const { problem, durationMs = 0, answer } = made
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-center gap-1.5">
        <span className={`flex items-center gap-1 font-firm ${problem ? 'text-reject' : 'text-approve'}`}>
          {problem ? <CircleAlert /> : <Check />}
          {outcomeOf(made)}
        </span>
        {t('took', { ms: durationMs })}
        <Link prefetch={false} href={toDeliveryPath(data.delivery.deliveryId)}>
          {t('seeDelivery')}
        </Link>
      </p>
      {answer && (
        <pre className="mt-1 max-h-40 overflow-auto rounded-2 bg-sunken p-2 font-code text-small whitespace-pre-wrap wrap-anywhere text-ink">
          {answer}
        </pre>
      )}
    </div>
  )
}
