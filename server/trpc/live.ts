import { tracked } from '@trpc/server'
import { readPosition } from '#server/modules/live/read-events.ts'
import { LiveInput, type LiveMessage } from '#server/modules/live/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const liveRouter = router({
  /** The current position: reading after it and following from it leaves no gap. */
  position: procedure.query(({ ctx }) => readPosition(ctx)),
  events: procedure
    .input(LiveInput)
    .subscription(async ({ ctx, input, signal }) =>
      numbered(await ctx.follow({ since: input.lastEventId, signal: signal ?? AbortSignal.abort() })),
    ),
})

async function* numbered(messages: AsyncIterable<LiveMessage>) {
  for await (const message of messages) yield tracked(String(message.seq), message)
}
