import {
  endCredential,
  issueAdminToken,
  issueKey,
  readCredentials,
} from '#server/modules/accounts/access/manage-credentials.ts'
import { CredentialInput, KeyInput, TokenInput } from '#server/modules/accounts/access/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const credentialsRouter = router({
  list: procedure.query(({ ctx }) => readCredentials(ctx)),
  issueKey: procedure.input(KeyInput).mutation(({ ctx, input }) => issueKey(ctx, input)),
  issueToken: procedure.input(TokenInput).mutation(({ ctx, input }) => issueAdminToken(ctx, input)),
  revoke: procedure.input(CredentialInput).mutation(({ ctx, input }) => endCredential(ctx, input)),
})
