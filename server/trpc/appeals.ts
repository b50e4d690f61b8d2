import { decideAppeal } from '#server/modules/review/appeals/decide-appeal.ts'
import { countAppeals, listAppeals } from '#server/modules/review/appeals/read-appeals.ts'
import { AppealsInput, DecideAppealInput } from '#server/modules/review/appeals/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const appealsRouter = router({
  list: procedure
    .input(AppealsInput)
    .query(({ ctx, input: { cursor: token, ...input } }) => listAppeals(ctx, ctx.notifications, { ...input, token })),
  count: procedure.query(({ ctx }) => countAppeals(ctx)),
  decide: procedure.input(DecideAppealInput).mutation(({ ctx, input }) => decideAppeal(ctx, input)),
})
