'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import type { DeliveryDetail } from '#server/modules/integrations/webhooks/schema.ts'
import { BackLink } from '../back-link.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { useConfirm } from '../use-confirm.tsx'
import { toDeliveriesPath } from './deliveries-search.ts'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { indentJson } from './indent-json.ts'
import { useWebhookErrorMessage } from './use-webhook-error-message.ts'

const LOOK_EVERY_MS = 1_000

/** One delivery of an event to an endpoint: the body, and each attempt. */
export function DeliveryPage({ deliveryId }: { deliveryId: string }) {
  const t = useTranslations('webhooks')
  const read = useQuery(
    useTRPC().webhooks.delivery.queryOptions(
      { deliveryId },
      { refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? LOOK_EVERY_MS : false) },
    ),
  )
  const { sendAgain, skip, isPending, failure, dialog } = useDeliveryActs(deliveryId)
  const delivery = read.data
  const isOnItsWay = delivery?.state === 'waiting' && delivery.nextTryAt === undefined

  return (
    <SettingsPage
      title={delivery ? <code className="font-code wrap-anywhere">{delivery.event}</code> : t('delivery')}
      lead={<BackLink href={toDeliveriesPath({})}>{t('deliveries')}</BackLink>}
      acts={
        delivery && (
          <>
            {(delivery.state === 'failed' || (delivery.state === 'waiting' && delivery.tries > 0)) && (
              <Button isDisabled={isPending} onPress={skip}>
                {t('skip')}
              </Button>
            )}
            <Button isDisabled={isPending || isOnItsWay} onPress={sendAgain}>
              <Send />
              {t('sendThisAgain')}
            </Button>
          </>
        )
      }
    >
      {dialog}
      <QueryState query={read} />
      {failure && (
        <p role="alert" className="mt-2 text-reject">
          {failure}
        </p>
      )}
      {delivery && <Known delivery={delivery} />}
    </SettingsPage>
  )
}

function useDeliveryActs(deliveryId: string) {
  const t = useTranslations('webhooks')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useWebhookErrorMessage()
  const onSettled = () => queryClient.invalidateQueries(trpc.webhooks.pathFilter())
  const replaying = useMutation(trpc.webhooks.replay.mutationOptions({ onSettled }))
  const skipping = useMutation(trpc.webhooks.skip.mutationOptions({ onSettled }))
  const input = { deliveryIds: [deliveryId] }
  const { confirm, dialog } = useConfirm(errorMessageOf)
  const isLeft = replaying.data?.count === 0
  return {
    sendAgain: () =>
      replaying.mutate(input, { onSuccess: ({ count }) => announce(count > 0 ? t('sentAgain', { count }) : '') }),
    skip: () =>
      confirm({ title: t('skipTitle'), means: t('skipMeans'), submit: t('skip') }, async () => {
        await skipping.mutateAsync(input)
        announce(t('skipped'))
      }),
    dialog,
    isPending: replaying.isPending || skipping.isPending,
    failure: isLeft ? t('notSentAgain') : errorMessageOf(replaying.error),
  }
}

function Known({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const { url, webhookId, subjectType, subjectId, createdAt, finishedAt, nextTryAt, headers, body, made } = delivery
  return (
    <>
      <dl className="mt-4 grid grid-cols-[140px_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 phone:grid-cols-[minmax(0,1fr)] phone:gap-y-0 [&_dd]:text-ink [&_dd]:phone:mb-1.5">
        <Fact name={t('state')}>
          <DeliveryState delivery={delivery} />
          {finishedAt && <span className="ms-2">{times.exact(finishedAt)}</span>}
          {nextTryAt && <span className="ms-2">{t('nextTry', { time: times.exact(nextTryAt) })}</span>}
        </Fact>
        <Fact name={t('endpoint')}>
          <code dir="ltr" className="font-code text-small wrap-anywhere">
            {url}
          </code>
        </Fact>
        <Fact name={t('subject')}>
          {subjectType} <CopyId id={subjectId} />
        </Fact>
        <Fact name={t('webhookId')}>
          <CopyId id={webhookId} />
        </Fact>
        <Fact name={t('released')}>{times.exact(createdAt)}</Fact>
      </dl>
      <SettingsSection id="tries" title={t('triesTitle')}>
        <DeliveryAttempts made={made} />
      </SettingsSection>
      <SettingsSection id="sent" title={t('sent')}>
        {headers && (
          <>
            <Code label={t('headers')}>
              {Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            </Code>
            <p className="mt-1 mb-2 text-small text-ink-3">{t('signatures')}</p>
          </>
        )}
        {body === undefined ? (
          <p>{t('bodyGone')}</p>
        ) : (
          <>
            <Code label={t('body')}>{indentJson(body)}</Code>
            <p className="mt-1 text-small text-ink-3">{t('indented')}</p>
          </>
        )}
      </SettingsSection>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

/** Text in a scrollable field. */
function Code({ label, children }: { label: string; children: string }) {
  return (
    <figure className="mt-2">
      <figcaption className="mb-1 font-firm text-ink">{label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className="max-h-96 overflow-auto rounded-2 bg-sunken p-2.5 font-code text-small whitespace-pre-wrap wrap-anywhere text-ink forced-colors:border"
      >
        {children}
      </pre>
    </figure>
  )
}
