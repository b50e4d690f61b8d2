import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { MessageKind } from '#server/modules/desk/messages/schema.ts'
import { parseAsDay } from '../filters/parse-as-day.ts'
import { parseAsQuery } from '../filters/parse-as-query.ts'
import { parseAsZone } from '../zones/parse-as-zone.ts'
import { parseAsTrue } from './spaces-search.ts'

export const KINDS = ['text', 'image', 'video', 'audio', 'file'] as const satisfies MessageKind[]
const QUERY_LENGTH = 200
export const MESSAGE_TAG_LENGTH = 30
export const MOST_AUTHORS = 10
/** This many neighbours are shown on each side at first. */
export const MESSAGES_AROUND = 8

/** The search, and the open message. */
export const MESSAGES_SEARCH = {
  query: parseAsQuery(QUERY_LENGTH),
  isExact: parseAsTrue,
  channelId: parseAsString,
  userIds: parseAsArrayOf(parseAsString).withDefault([]),
  types: parseAsArrayOf(parseAsStringLiteral(KINDS)).withDefault([]),
  tags: parseAsArrayOf(parseAsString).withDefault([]),
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
  cursor: parseAsString,
  message: parseAsString,
}
export type MessagesSearch = inferParserType<typeof MESSAGES_SEARCH>

export const loadMessagesSearch = createLoader(MESSAGES_SEARCH)
const serialize = createSerializer(MESSAGES_SEARCH)
export const toMessagesPath = (search: Partial<MessagesSearch>): string => serialize('/messages', search)

/** Whether there is anything to search by. */
export function isLookedFor({ query, channelId, userIds }: MessagesSearch): boolean {
  return query.trim() !== '' || channelId !== null || userIds.length > 0
}

/** `zone` is the zone in force; it only matters with days. */
export function toMessagesInput(search: MessagesSearch, zone: string) {
  const { isExact, channelId, userIds, types, tags, startDate, endDate, cursor } = search
  return {
    query: search.query.trim(),
    ...(isExact && { isExact }),
    ...(channelId && { channelId }),
    ...(userIds.length > 0 && { userIds }),
    ...(types.length > 0 && { types }),
    ...(tags.length > 0 && { tags }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...((startDate || endDate) && { timeZone: zone }),
    ...(cursor && { cursor }),
  }
}
