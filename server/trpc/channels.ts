import { ChannelParams } from '#server/modules/channels/schema.ts'
import { listDeskChannels } from '#server/modules/places/list-channels.ts'
import { readDeskChannel } from '#server/modules/places/read-channel.ts'
import { DeskChannelsInput } from '#server/modules/places/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const channelsRouter = router({
  list: procedure.input(DeskChannelsInput).query(({ ctx, input }) => listDeskChannels(ctx.ctx, input)),
  read: procedure.input(ChannelParams).query(({ ctx, input }) => readDeskChannel(ctx.ctx, input)),
})
