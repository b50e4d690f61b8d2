import { readMe } from '#server/modules/accounts/access/read-me.ts'
import { SetUpInput } from '#server/modules/accounts/access/schema.ts'
import { setUp } from '#server/modules/accounts/access/set-up.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

export const accessRouter = router({
  me: procedure.query(({ ctx }) => readMe(ctx)),
  /** The sign-in methods besides a password, for everyone. */
  signInOptions: publicProcedure.query(({ ctx }) => ({ openIdName: ctx.ownSignIn.openIdName })),
  setUp: publicProcedure.input(SetUpInput).mutation(({ ctx, input }) => setUp(ctx, input)),
})
