import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { type DeliveriesSearch, toDeliveriesInput } from './deliveries-search.ts'

/** Prefetches the first paint of the list of endpoints. */
export function prefetchEndpoints(): Promise<void> {
  return getQueryClient().prefetchQuery(trpc.webhooks.endpoints.queryOptions())
}

/** Prefetches the first paint of the list of deliveries. */
export async function prefetchDeliveries(search: DeliveriesSearch): Promise<void> {
  await Promise.all([
    prefetchEndpoints(),
    getQueryClient().prefetchQuery(trpc.webhooks.deliveries.queryOptions(toDeliveriesInput(search))),
  ])
}

const NOT_THERE = ['NOT_FOUND', 'UNPROCESSABLE_CONTENT']

/** Prefetches the first paint of one delivery; false if it doesn't exist. */
export async function findDelivery(deliveryId: string): Promise<boolean> {
  const read = getQueryClient().fetchQuery(trpc.webhooks.delivery.queryOptions({ deliveryId }))
  return (await undefinedIfHidden(read, NOT_THERE)) !== undefined
}
