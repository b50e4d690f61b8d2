import { listStatements, readLinkedStatement } from '#server/modules/network/statements/read-statements.ts'
import { StatementLink, StatementsInput } from '#server/modules/network/statements/schema.ts'
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
})
