import { createLoader, createSerializer } from '#components/ui/search-params/parsers.ts'
import { SPACES_SEARCH, type SpacesSearch } from './spaces-search.ts'

export const loadCommunitiesSearch = createLoader(SPACES_SEARCH)
const serialize = createSerializer(SPACES_SEARCH)
export const toCommunitiesPath = (search: Partial<SpacesSearch>): string => serialize('/communities', search)

export function toCommunityPath(communityId: string): string {
  return `/communities/${encodeURIComponent(communityId)}`
}
