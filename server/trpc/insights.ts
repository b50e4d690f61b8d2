import { exportInsights } from '#server/modules/review/insights/export-insights.ts'
import { readCalibration } from '#server/modules/review/insights/read-calibration.ts'
import { readInsights } from '#server/modules/review/insights/read-insights.ts'
import { readPatterns } from '#server/modules/review/insights/read-patterns.ts'
import { readWaiting } from '#server/modules/review/insights/read-waiting.ts'
import { CalibrationInput, InsightsInput, WaitingInput } from '#server/modules/review/insights/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

export const insightsRouter = router({
  read: readsAnywhere.input(InsightsInput).query(({ ctx, input }) => readInsights(ctx, input)),
  patterns: readsAnywhere.input(InsightsInput).query(({ ctx, input }) => readPatterns(ctx, input)),
  export: procedure.input(InsightsInput).mutation(({ ctx, input }) => exportInsights(ctx, input)),
  calibration: readsAnywhere.input(CalibrationInput).query(({ ctx, input }) => readCalibration(ctx, input)),
  waiting: readsAnywhere.input(WaitingInput).query(({ ctx, input }) => readWaiting(ctx, input)),
})
