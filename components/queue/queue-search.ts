import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { parseAsZone } from '#components/shell/parse-as-zone.ts'
import type { DeskFilter, DeskQueueInput } from '#server/modules/review/schema.ts'

export const ORDERS = ['newest', 'oldest'] as const
export type Order = (typeof ORDERS)[number]

const parseAsDay = createParser({ parse: (day) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null), serialize: String })

/** Everything the queue is narrowed by, and the comment that is open: what a link to it shows to somebody else. */
export const QUEUE_SEARCH = {
  communityId: parseAsString,
  postId: parseAsString,
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
  order: parseAsStringLiteral(ORDERS).withDefault('newest'),
  item: parseAsString,
}
export type QueueSearch = inferParserType<typeof QUEUE_SEARCH>

export const loadQueueSearch = createLoader(QUEUE_SEARCH)

const serialize = createSerializer(QUEUE_SEARCH)
export const toQueuePath = (search: Partial<QueueSearch>): string => serialize('/queue', search)

/** `zone` is the one in force. It only counts where days do, so that another zone does not fetch the same rows again. */
export function toDeskFilter({ communityId, postId, startDate, endDate }: QueueSearch, zone: string): DeskFilterInput {
  return {
    ...(communityId && { communityId }),
    ...(postId && { postId }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...((startDate || endDate) && { timeZone: zone }),
  }
}
type DeskFilterInput = Omit<DeskFilter, 'timeZone' | 'view'> & { timeZone?: string; view?: DeskFilter['view'] }

export function toQueueInput(search: QueueSearch, zone: string): QueueInput {
  return { ...toDeskFilter(search, zone), order: search.order }
}
export type QueueInput = DeskFilterInput & Pick<DeskQueueInput, 'order'>

/** Whether the whole of a community, or of all of them, is shown: its exact count is known without asking. */
export function isWhole({ postId, startDate, endDate }: QueueSearch): boolean {
  return !postId && !startDate && !endDate
}
