import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { DeliveriesPage } from '#components/settings/webhooks/deliveries-page.tsx'
import {
  loadDeliveriesSearch,
  toDeliveriesInput,
  toDeliveriesPath,
} from '#components/settings/webhooks/deliveries-search.ts'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { EVENT_NAMES } from '#server/modules/ledger/events/schema.ts'

export const generateMetadata = titled((t) => t('webhooks.deliveries'))

export default async function DeliveriesListPage({ searchParams }: PageProps<'/settings/webhooks/deliveries'>) {
  const search = loadDeliveriesSearch(await searchParams)
  await requireSettings('webhooks', toDeliveriesPath(search))
  await Promise.all([
    getQueryClient().prefetchQuery(trpc.webhooks.endpoints.queryOptions()),
    getQueryClient().prefetchQuery(trpc.webhooks.deliveries.queryOptions(toDeliveriesInput(search))),
  ])

  return (
    <Hydrate>
      <DeliveriesPage eventNames={EVENT_NAMES} />
    </Hydrate>
  )
}
