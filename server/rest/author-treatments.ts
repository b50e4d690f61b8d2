import { z } from 'zod'
import { UserId } from '#server/core/wire/schema.ts'
import { endTreatment } from '#server/modules/spaces/author-treatments/end-treatments.ts'
import { readTreatments } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import {
  EndTreatmentInput,
  SetTreatmentInput,
  TreatmentsOfAuthor,
} from '#server/modules/spaces/author-treatments/schema.ts'
import { setTreatment } from '#server/modules/spaces/author-treatments/set-treatment.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const TREATMENTS = '/api/v1/author-treatments'

/** What becomes of what people write: docs/interface/author-treatments.md. */
export const authorTreatmentRoutes: RestPlugin = async (app) => {
  const response = { 200: TreatmentsOfAuthor }

  app.get(
    TREATMENTS,
    {
      schema: {
        summary: 'List the treatments in force for an author',
        querystring: z.object({ userId: UserId }),
        response,
      },
    },
    async ({ ctx, query }) => ({ treatments: await readTreatments(ctx, query.userId) }),
  )

  app.post(
    TREATMENTS,
    { schema: { summary: 'Trust an author, or always hold what they write', body: SetTreatmentInput, response } },
    async ({ ctx, body }) => {
      await setTreatment(ctx, body)
      return { treatments: await readTreatments(ctx, body.userId) }
    },
  )

  app.delete(
    `${TREATMENTS}/:treatmentId`,
    { schema: { summary: 'End an author treatment', params: EndTreatmentInput, response } },
    async ({ ctx, params }) => {
      const { userId } = await endTreatment(ctx, params)
      return { treatments: await readTreatments(ctx, userId) }
    },
  )
}
