import { listDeskCommunities } from '#server/modules/desk/spaces/list-communities.ts'
import { readDeskCommunity, setCommunity } from '#server/modules/desk/spaces/read-community.ts'
import { DeskCommunitiesInput, SetCommunity } from '#server/modules/desk/spaces/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const checksActor = procedure.meta({ checksActor: true, readsAnywhere: true })

export const communitiesRouter = router({
  list: checksActor.input(DeskCommunitiesInput).query(({ ctx, input }) => listDeskCommunities(ctx, input)),
  read: procedure
    .meta({ readsAnywhere: true })
    .input(SetCommunity.pick({ communityId: true }))
    .query(({ ctx, input }) => readDeskCommunity(ctx, input)),
  set: procedure.input(SetCommunity).mutation(({ ctx, input }) => setCommunity(ctx, input)),
})
