import { createLoader, createSerializer } from 'nuqs/server'
import { PLACES_SEARCH, type PlacesSearch } from '#components/places/places-search.ts'

export const loadCommunitiesSearch = createLoader(PLACES_SEARCH)
const serialize = createSerializer(PLACES_SEARCH)
export const toCommunitiesPath = (search: Partial<PlacesSearch>): string => serialize('/communities', search)

export function toCommunityPath(communityId: string): string {
  return `/communities/${encodeURIComponent(communityId)}`
}
