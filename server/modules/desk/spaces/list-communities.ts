import type { Ctx } from '#server/core/ctx.ts'
import type { Page } from '#server/core/list-page.ts'
import type { DeskCommunitiesInput } from '#server/modules/desk/spaces/schema.ts'
import { communitiesShown } from '#server/modules/desk/spaces/space-acts.ts'
import { listCommunities } from '#server/modules/spaces/communities/list-communities.ts'
import type { Community } from '#server/modules/spaces/communities/schema.ts'

/** The communities that the caller moderates, by name; all of them for those who see every user. */
export async function listDeskCommunities(ctx: Ctx, input: DeskCommunitiesInput): Promise<Page<Community>> {
  const { search, tags = [], isMine, cursor, limit } = input
  const { communities, paging } = await listCommunities(ctx, {
    keyword: search,
    searchesIds: true,
    within: communitiesShown(ctx),
    tags,
    filter: isMine ? 'member' : 'all',
    sortBy: 'displayName',
    isDeleted: false,
    includeDiscoverablePrivateCommunity: false,
    options: { limit, token: cursor },
  })
  return {
    items: communities,
    ...(paging.next !== undefined && { next: paging.next }),
    ...(paging.prev !== undefined && { previous: paging.prev }),
  }
}
