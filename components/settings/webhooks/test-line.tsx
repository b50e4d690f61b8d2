'use client'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { DeliveryDetail } from '#server/modules/integrations/webhooks/schema.ts'
import { toDeliveryPath } from './deliveries-search.ts'
import { useOutcome } from './use-outcome.ts'

const LOOK_EVERY_MS = 300
/** An attempt takes ten seconds at most; a busy worker needs more. */
const LOOKS_AT_MOST = 100

const firstTry = (delivery: DeliveryDetail | undefined) =>
  delivery?.made.findLast(({ durationMs }) => durationMs !== undefined)

/** The result of a test delivery: the first response. */
export function TestLine({ eventId }: { eventId: string }) {
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
