import { listDeskChannels } from '#server/modules/desk/spaces/list-channels.ts'
import { readDeskChannel } from '#server/modules/desk/spaces/read-channel.ts'
import { DeskChannelsInput } from '#server/modules/desk/spaces/schema.ts'
import { ChannelParams } from '#server/modules/spaces/channels/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

export const channelsRouter = router({
  list: readsAnywhere.input(DeskChannelsInput).query(({ ctx, input }) => listDeskChannels(ctx, input)),
  read: readsAnywhere.input(ChannelParams).query(({ ctx, input }) => readDeskChannel(ctx, input)),
})
