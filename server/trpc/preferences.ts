import { changePreferences } from '#server/modules/accounts/preferences/change-preferences.ts'
import { readPreferences } from '#server/modules/accounts/preferences/read-preferences.ts'
import { PreferencesChange } from '#server/modules/accounts/preferences/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const preferencesRouter = router({
  read: procedure.query(({ ctx }) => readPreferences(ctx)),
  change: procedure.input(PreferencesChange).mutation(({ ctx, input }) => changePreferences(ctx, input)),
})
