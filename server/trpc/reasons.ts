import { addReason, archiveReason, changeReason, orderReasons } from '#server/modules/network/reasons/change-reasons.ts'
import { listReasons } from '#server/modules/network/reasons/list-reasons.ts'
import { ReasonChange, ReasonFields, ReasonInput, ReasonOrder } from '#server/modules/network/reasons/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const reasonsRouter = router({
  list: procedure.query(({ ctx }) => listReasons(ctx)),
  add: procedure.input(ReasonFields).mutation(({ ctx, input }) => addReason(ctx, input)),
  change: procedure.input(ReasonChange).mutation(({ ctx, input }) => changeReason(ctx, input)),
  archive: procedure.input(ReasonInput).mutation(({ ctx, input }) => archiveReason(ctx, input)),
  order: procedure.input(ReasonOrder).mutation(({ ctx, input }) => orderReasons(ctx, input)),
})
