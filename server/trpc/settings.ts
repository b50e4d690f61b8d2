import { readFlags } from '#server/modules/network/settings/read-flags.ts'
import { ModerationSettingsChange } from '#server/modules/network/settings/schema.ts'
import { updateModerationSettings } from '#server/modules/network/settings/update-moderation-settings.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const settingsRouter = router({
  flags: procedure.query(({ ctx }) => readFlags(ctx)),
  changeFlags: procedure
    .input(ModerationSettingsChange)
    .mutation(({ ctx, input }) => updateModerationSettings(ctx, input)),
})
