import { Subject } from '#server/modules/review/decisions/schema.ts'
import { listColleagues } from '#server/modules/review/escalations/colleagues.ts'
import { deescalate, escalate, handOver } from '#server/modules/review/escalations/escalate.ts'
import { deescalateReport, escalateReport, handOverReport } from '#server/modules/review/escalations/escalate-report.ts'
import { ColleaguesInput, EscalateInput, HandOverInput } from '#server/modules/review/escalations/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const escalationsRouter = router({
  escalate: procedure.input(EscalateInput).mutation(({ ctx, input }) => escalate(ctx, input)),
  escalateReport: procedure.input(EscalateInput).mutation(({ ctx, input }) => escalateReport(ctx, input)),
  deescalateReport: procedure.input(Subject).mutation(({ ctx, input }) => deescalateReport(ctx, input)),
  handOver: procedure.input(HandOverInput).mutation(({ ctx, input }) => handOver(ctx, input)),
  handOverReport: procedure.input(HandOverInput).mutation(({ ctx, input }) => handOverReport(ctx, input)),
  deescalate: procedure.input(Subject).mutation(({ ctx, input }) => deescalate(ctx, input)),
  colleagues: procedure.input(ColleaguesInput).query(({ ctx, input }) => listColleagues(ctx, input)),
})
