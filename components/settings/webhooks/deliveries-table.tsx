'use client'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import type { Delivery } from '#server/modules/integrations/webhooks/schema.ts'
import { toDeliveryPath } from './deliveries-search.ts'
import { DeliveryState } from './delivery-state.tsx'
import { useOutcome } from './use-outcome.ts'

/** Deliveries, each row linking to its details. */
export function DeliveriesTable({ deliveries }: { deliveries: Delivery[] }) {
  const t = useTranslations('webhooks')
  const times = useTimes()
  const outcomeOf = useOutcome()
  const columns: TableColumn<Delivery>[] = [
    {
      id: 'event',
      header: t('event'),
      isRowHeader: true,
      cell: ({ event, subjectId }) => (
        <span className="block min-w-0">
          <code className="block font-code text-small wrap-anywhere text-ink">{event}</code>
          <code className="block font-code text-small font-normal wrap-anywhere text-ink-3">{subjectId}</code>
        </span>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: (delivery) => (
        <span className="block">
          <DeliveryState delivery={delivery} />
          {delivery.lastTry?.problem && (
            <span className="block text-small text-ink-3">{outcomeOf(delivery.lastTry)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'endpoint',
      header: t('endpoint'),
      hiddenOn: 'phone',
      cell: ({ url }) => <code className="font-code text-small wrap-anywhere">{shortOf(url)}</code>,
    },
    { id: 'tries', header: t('tries'), align: 'end', hiddenOn: 'phone', cell: ({ tries }) => tries },
    {
      id: 'at',
      header: t('when'),
      align: 'end',
      cell: ({ createdAt }) => (
        <span title={times.exact(createdAt)} className="whitespace-nowrap">
          {times.brief(createdAt)}
        </span>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable
        label={t('deliveries')}
        columns={columns}
        items={deliveries}
        idOf={({ deliveryId }) => deliveryId}
        hrefOf={({ deliveryId }) => toDeliveryPath(deliveryId)}
      />
    </div>
  )
}

/** Without the scheme, which they share. */
function shortOf(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
