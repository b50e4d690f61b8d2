import { listStatements, readLinkedStatement } from '#server/modules/network/statements/read-statements.ts'
import { StatementLink, StatementsInput } from '#server/modules/network/statements/schema.ts'
import { appealByLink } from '#server/modules/review/appeals/appeal.ts'
import { LinkedAppealInput } from '#server/modules/review/appeals/schema.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

export const statementsRouter = router({
  list: procedure
    .input(StatementsInput)
    .query(({ ctx, input: { cursor: token, ...input } }) =>
      listStatements(ctx, ctx.notifications, { ...input, token }),
    ),
  /** For everybody who has the link. */
  read: publicProcedure
    .input(StatementLink)
    .query(({ ctx, input }) => readLinkedStatement(ctx, ctx.notifications.linkKey, input)),
  /** For everybody who has the link: it was sent to the recipient alone. */
  appeal: publicProcedure
    .input(LinkedAppealInput)
    .mutation(({ ctx, input }) => appealByLink(ctx, ctx.notifications.linkKey, input)),
})
