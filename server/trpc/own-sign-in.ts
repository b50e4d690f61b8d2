import {
  changePassword,
  endOwnSessions,
  readOwnSignIn,
  removePasskey,
} from '#server/modules/accounts/staff/own-sign-in.ts'
import {
  ChangePassword,
  CodeInput,
  EndOwnSessions,
  PasskeyInput,
  PasswordInput,
} from '#server/modules/accounts/staff/schema.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  renewBackupCodes,
} from '#server/modules/accounts/staff/second-factor.ts'
import { procedure, router } from '#server/trpc/init.ts'

const withPassword = procedure.input(PasswordInput)

/** Every check of a password or code is counted. */
export const ownSignInRouter = router({
  read: procedure.query(({ ctx }) => readOwnSignIn(ctx)),
  changePassword: procedure
    .input(ChangePassword)
    .mutation(({ ctx, input }) => ctx.ownSignIn.counted(() => changePassword(ctx, input))),
  beginCodes: withPassword.mutation(({ ctx, input }) =>
    ctx.ownSignIn.counted(() => beginSecondFactor(ctx, { ...input, cipher: ctx.ownSignIn.cipher })),
  ),
  confirmCodes: procedure
    .input(CodeInput)
    .mutation(({ ctx, input }) =>
      ctx.ownSignIn.counted(() => confirmSecondFactor(ctx, { ...input, cipher: ctx.ownSignIn.cipher })),
    ),
  renewBackupCodes: withPassword.mutation(({ ctx, input }) =>
    ctx.ownSignIn.counted(() => renewBackupCodes(ctx, { ...input, cipher: ctx.ownSignIn.cipher })),
  ),
  endCodes: withPassword.mutation(({ ctx, input }) => ctx.ownSignIn.counted(() => endSecondFactor(ctx, input))),
  removePasskey: procedure.input(PasskeyInput).mutation(({ ctx, input }) => removePasskey(ctx, input)),
  endSessions: procedure.input(EndOwnSessions).mutation(({ ctx, input }) => endOwnSessions(ctx, input)),
})
