import { readMe } from '#server/modules/access/read-me.ts'
import { SetUpInput } from '#server/modules/access/schema.ts'
import { setUp } from '#server/modules/access/set-up.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

export const accessRouter = router({
  me: procedure.query(({ ctx }) => readMe(ctx.ctx)),
  /** What the door offers beside a password, to anybody. */
  door: publicProcedure.query(({ ctx }) => ({ openIdName: ctx.ownSignIn.openIdName })),
  setUp: publicProcedure.input(SetUpInput).mutation(({ ctx, input }) => setUp(ctx.ctx, input)),
})
