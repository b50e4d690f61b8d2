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
import type { EventName } from '#server/modules/ledger/events/schema.ts'
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

/** The server rejects an event that doesn't exist. */
export function toDeliveriesInput(search: DeliveriesSearch): DeliveriesQuery {
  const { endpointId, state, event, subjectId, from, before, cursor } = search
  return {
    ...(endpointId && { endpointId }),
    ...(state && { state }),
    ...(event && { event: event as EventName }),
    ...(subjectId && { subjectId }),
    ...(from && { from }),
    ...(before && { before }),
    ...(cursor && { cursor }),
  }
}
type DeliveriesQuery = inferRouterInputs<AppRouter>['webhooks']['deliveries']

/** Whether any filter is set. */
export function hasFilters({ cursor: _, ...filters }: DeliveriesSearch): boolean {
  return Object.values(filters).some((value) => value !== null)
}
