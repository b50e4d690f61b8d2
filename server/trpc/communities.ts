import { listDeskCommunities } from '#server/modules/desk/spaces/list-communities.ts'
import { readDeskCommunity, setCommunity } from '#server/modules/desk/spaces/read-community.ts'
import { DeskCommunitiesInput, SetCommunity } from '#server/modules/desk/spaces/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

export const communitiesRouter = router({
  list: readsAnywhere.input(DeskCommunitiesInput).query(({ ctx, input }) => listDeskCommunities(ctx, input)),
  read: readsAnywhere
    .input(SetCommunity.pick({ communityId: true }))
    .query(({ ctx, input }) => readDeskCommunity(ctx, input)),
  set: procedure.input(SetCommunity).mutation(({ ctx, input }) => setCommunity(ctx, input)),
})
