import type { inferRouterInputs } from '@trpc/server'
import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { DeliveryState } from '#server/modules/integrations/webhooks/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'skipped'] as const satisfies DeliveryState[]

/** An instant, so that a link means the same time for everyone who opens it. */
const parseAsInstant = createParser({
  parse: (text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()),
  serialize: String,
})

export const DELIVERIES_SEARCH = {
  endpointId: parseAsString,
  state: parseAsStringLiteral(DELIVERY_STATES),
  event: parseAsString,
  subjectId: parseAsString,
  from: parseAsInstant,
  before: parseAsInstant,
  cursor: parseAsString,
}
export type DeliveriesSearch = inferParserType<typeof DELIVERIES_SEARCH>

export const loadDeliveriesSearch = createLoader(DELIVERIES_SEARCH)
const serialize = createSerializer(DELIVERIES_SEARCH)
export const toDeliveriesPath = (search: Partial<DeliveriesSearch>): string =>
  serialize('/settings/webhooks/deliveries', search)
export const toDeliveryPath = (deliveryId: string): string => `/settings/webhooks/deliveries/${deliveryId}`

/** Without what is not set. Safe: what the address has and the server doesn't know, such as an event, it rejects. */
export const toDeliveriesInput = (search: DeliveriesSearch): DeliveriesQuery =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as DeliveriesQuery
type DeliveriesQuery = inferRouterInputs<AppRouter>['webhooks']['deliveries']

/** Whether any filter is set. */
export function hasFilters({ cursor: _, ...filters }: DeliveriesSearch): boolean {
  return Object.values(filters).some((value) => value !== null)
}
