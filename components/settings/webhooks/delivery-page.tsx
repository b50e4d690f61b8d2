'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { Fragment } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import type { DeliveryAttempt, DeliveryDetail } from '#server/modules/integrations/webhooks/schema.ts'
import { Facts } from '../rows.tsx'
import { BackLink, SettingsPage, SettingsSection } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'
import { toDeliveriesPath } from './deliveries-search.ts'
import { DeliveryState, useOutcome, useWebhookErrorMessage } from './delivery-words.tsx'
import { indentJson } from './indent-json.ts'

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
  const readAgain = () => queryClient.invalidateQueries(trpc.webhooks.pathFilter())
  const replaying = useMutation(trpc.webhooks.replay.mutationOptions({ onSettled: readAgain }))
  const input = { deliveryIds: [deliveryId] }
  const { confirm, dialog } = useDialogs(errorMessageOf)
  const isLeft = replaying.data?.count === 0
  return {
    sendAgain: () =>
      replaying.mutate(input, { onSuccess: ({ count }) => announce(count > 0 ? t('sentAgain', { count }) : '') }),
    skip: () =>
      confirm({ title: t('skipTitle'), means: t('skipMeans'), submit: t('skip') }, async () => {
        await trpcClient.webhooks.skip.mutate(input).finally(readAgain)
        announce(t('skipped'))
      }),
    dialog,
    isPending: replaying.isPending,
    failure: isLeft ? t('notSentAgain') : errorMessageOf(replaying.error),
  }
}

function Known({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const { url, webhookId, subjectType, subjectId, createdAt, finishedAt, nextTryAt, headers, body, made } = delivery
  return (
    <>
      <div className="pt-2">
        <Facts
          facts={[
            [
              t('state'),
              <Fragment key="state">
                <DeliveryState delivery={delivery} />
                {finishedAt && <span className="ms-2">{times.exact(finishedAt)}</span>}
                {nextTryAt && <span className="ms-2">{t('nextTry', { time: times.exact(nextTryAt) })}</span>}
              </Fragment>,
            ],
            [
              t('endpoint'),
              <code key="url" dir="ltr" className="font-code text-small wrap-anywhere">
                {url}
              </code>,
            ],
            [
              t('subject'),
              <Fragment key="subject">
                {subjectType} <CopyId id={subjectId} />
              </Fragment>,
            ],
            [t('webhookId'), <CopyId key="webhookId" id={webhookId} />],
            [t('released'), times.exact(createdAt)],
          ]}
        />
      </div>
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

/** The attempts, latest first: when, the outcome, the duration, and the response. */
function DeliveryAttempts({ made }: { made: DeliveryAttempt[] }) {
  const t = useTranslations('webhooks')
  const format = useFormatter()
  const outcomeOf = useOutcome()
  if (made.length === 0) return <p className="mt-1">{t('noTries')}</p>
  return (
    <ol>
      {made.map((one) => (
        <li key={one.number} className="border-b border-line py-2 last:border-b-0">
          <p className="flex flex-wrap gap-x-3">
            <span className="tabular-nums text-ink-3">{t('try', { number: one.number })}</span>
            <span className={`font-firm ${one.problem ? 'text-reject' : 'text-ink'}`}>
              {one.durationMs === undefined ? t('underWay') : outcomeOf(one)}
            </span>
            {one.durationMs !== undefined && <span>{t('took', { ms: one.durationMs })}</span>}
            <time dateTime={one.startedAt} className="ms-auto text-ink-3">
              {format.dateTime(new Date(one.startedAt), { dateStyle: 'medium', timeStyle: 'medium' })}
            </time>
          </p>
          {one.answer && (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
              tabIndex={0}
              dir="auto"
              className="mt-1 max-h-40 overflow-auto rounded-2 bg-sunken p-2 font-code text-small whitespace-pre-wrap wrap-anywhere text-ink forced-colors:border"
            >
              {indentJson(one.answer)}
            </pre>
          )}
        </li>
      ))}
    </ol>
  )
}
