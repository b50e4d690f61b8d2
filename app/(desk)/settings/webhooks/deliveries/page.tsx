import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { DeliveriesPage } from '#components/settings/webhooks/deliveries-page.tsx'
import { loadDeliveriesSearch, toDeliveriesPath } from '#components/settings/webhooks/deliveries-search.ts'
import { prefetchDeliveries } from '#components/settings/webhooks/prefetch-webhooks.ts'
import { Hydrate } from '#components/trpc/server.tsx'
import { EVENT_NAMES } from '#server/modules/ledger/events/schema.ts'

export const generateMetadata = titled((t) => t('webhooks.deliveries'))

export default async function DeliveriesListPage({ searchParams }: PageProps<'/settings/webhooks/deliveries'>) {
  const search = loadDeliveriesSearch(await searchParams)
  await requireSettings('webhooks', toDeliveriesPath(search))
  await prefetchDeliveries(search)

  return (
    <Hydrate>
      <DeliveriesPage eventNames={EVENT_NAMES} />
    </Hydrate>
  )
}
