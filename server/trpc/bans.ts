import { banPerson, readBanChoices, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { readLastModerated } from '#server/modules/spaces/sanctions/last-moderators.ts'
import { readMuteChoices } from '#server/modules/spaces/sanctions/read-mute-choices.ts'
import { BanChoicesInput, BanInput, LastModeratedInput, UnbanInput } from '#server/modules/spaces/sanctions/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const bansRouter = router({
  choices: procedure.input(BanChoicesInput).query(({ ctx, input }) => readBanChoices(ctx, input)),
  muteChoices: procedure.input(BanChoicesInput).query(({ ctx, input }) => readMuteChoices(ctx, input)),
  /** What to say before a ban. */
  lastModerated: procedure.input(LastModeratedInput).query(({ ctx, input }) => readLastModerated(ctx, input)),
  ban: procedure.input(BanInput).mutation(({ ctx, input }) => banPerson(ctx, input)),
  unban: procedure.input(UnbanInput).mutation(({ ctx, input }) => unbanPerson(ctx, input)),
})
