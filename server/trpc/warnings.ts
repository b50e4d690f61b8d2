import { TreatmentChoicesInput } from '#server/modules/spaces/author-treatments/schema.ts'
import { readWarnChoices } from '#server/modules/spaces/warnings/read-warn-choices.ts'
import { WarnInput, WarningParams } from '#server/modules/spaces/warnings/schema.ts'
import { undoWarning, warn } from '#server/modules/spaces/warnings/warn.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const warningsRouter = router({
  choices: procedure.input(TreatmentChoicesInput).query(({ ctx, input }) => readWarnChoices(ctx, input)),
  warn: procedure.input(WarnInput).mutation(({ ctx, input }) => warn(ctx, input)),
  undo: procedure.input(WarningParams).mutation(({ ctx, input }) => undoWarning(ctx, input)),
})
