import { findOutsiders } from '#server/modules/desk/spaces/find-outsiders.ts'
import { countDeskMembers, listDeskMembers } from '#server/modules/desk/spaces/list-members.ts'
import {
  addDeskMembers,
  addDeskRole,
  banDeskMembers,
  banDeskMembersAgain,
  muteDeskMembers,
  removeDeskMembers,
  removeDeskRole,
  restoreDeskMembers,
  unbanDeskMembers,
} from '#server/modules/desk/spaces/member-acts.ts'
import {
  BanMembers,
  BanMembersAgain,
  MembersAct,
  MembersCountInput,
  MembersInput,
  MembersRole,
  MuteMembers,
  OutsidersInput,
  RestoreMembers,
} from '#server/modules/desk/spaces/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

/** For channels and communities alike. The desk reads the result again, unlike REST, which answers with it. */
export const membersRouter = router({
  list: readsAnywhere.input(MembersInput).query(({ ctx, input }) => listDeskMembers(ctx, input)),
  count: readsAnywhere.input(MembersCountInput).query(({ ctx, input }) => countDeskMembers(ctx, input)),
  outsiders: readsAnywhere.input(OutsidersInput).query(({ ctx, input }) => findOutsiders(ctx, input)),
  ban: procedure.input(BanMembers).mutation(({ ctx, input }) => banDeskMembers(ctx, input)),
  banAgain: procedure.input(BanMembersAgain).mutation(({ ctx, input }) => banDeskMembersAgain(ctx, input)),
  unban: procedure.input(MembersAct).mutation(async ({ ctx, input }) => void (await unbanDeskMembers(ctx, input))),
  mute: procedure.input(MuteMembers).mutation(async ({ ctx, input }) => void (await muteDeskMembers(ctx, input))),
  add: procedure.input(MembersAct).mutation(async ({ ctx, input }) => void (await addDeskMembers(ctx, input))),
  remove: procedure.input(MembersAct).mutation(({ ctx, input }) => removeDeskMembers(ctx, input)),
  putBack: procedure.input(RestoreMembers).mutation(({ ctx, input }) => restoreDeskMembers(ctx, input)),
  addRole: procedure.input(MembersRole).mutation(async ({ ctx, input }) => void (await addDeskRole(ctx, input))),
  removeRole: procedure.input(MembersRole).mutation(({ ctx, input }) => removeDeskRole(ctx, input)),
})
