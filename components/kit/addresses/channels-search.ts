import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import type { ChannelType } from '#server/modules/spaces/channels/schema.ts'
import { SPACES_SEARCH, toSpacesInput } from './spaces-search.ts'

export const CHANNEL_KINDS = ['community', 'conversation', 'live', 'broadcast'] as const satisfies ChannelType[]

/** The filters of the list of channels. */
export const CHANNELS_SEARCH = { ...SPACES_SEARCH, kind: parseAsStringLiteral(CHANNEL_KINDS) }
export type ChannelsSearch = inferParserType<typeof CHANNELS_SEARCH>

export const loadChannelsSearch = createLoader(CHANNELS_SEARCH)
const serialize = createSerializer(CHANNELS_SEARCH)
export const toChannelsPath = (search: Partial<ChannelsSearch>): string => serialize('/channels', search)

export function toChannelsInput({ kind, ...search }: ChannelsSearch) {
  return { ...toSpacesInput(search), ...(kind && { types: [kind] }) }
}

export function toChannelPath(channelId: string): string {
  return `/channels/${encodeURIComponent(channelId)}`
}
