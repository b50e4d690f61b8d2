import { endTreatment } from '#server/modules/spaces/author-treatments/end-treatments.ts'
import { readTreatmentChoices } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import {
  EndTreatmentInput,
  SetTreatmentInput,
  TreatmentChoicesInput,
} from '#server/modules/spaces/author-treatments/schema.ts'
import { setTreatment } from '#server/modules/spaces/author-treatments/set-treatment.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const authorTreatmentsRouter = router({
  choices: procedure.input(TreatmentChoicesInput).query(({ ctx, input }) => readTreatmentChoices(ctx, input)),
  set: procedure.input(SetTreatmentInput).mutation(({ ctx, input }) => setTreatment(ctx, input)),
  end: procedure.input(EndTreatmentInput).mutation(async ({ ctx, input }) => void (await endTreatment(ctx, input))),
})
