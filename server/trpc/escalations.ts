import { listColleagues } from '#server/modules/review/escalations/colleagues.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { ColleaguesInput, EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { PendingItem } from '#server/modules/review/queue/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const escalationsRouter = router({
  escalate: procedure.input(EscalateInput).mutation(({ ctx, input }) => escalate(ctx, input)),
  handOver: procedure.input(HandOverInput).mutation(({ ctx, input }) => handOver(ctx, input)),
  deescalate: procedure.input(PendingItem).mutation(({ ctx, input }) => deescalate(ctx, input)),
  colleagues: procedure.input(ColleaguesInput).query(({ ctx, input }) => listColleagues(ctx, input)),
})
