import { acceptInvite, readLink } from '#server/modules/accounts/staff/accept-invite.ts'
import { giveRole, takeRole } from '#server/modules/accounts/staff/change-roles.ts'
import { endColleagueSessions } from '#server/modules/accounts/staff/end-staff-sessions.ts'
import { inviteStaff, withdrawInvitation } from '#server/modules/accounts/staff/invite.ts'
import { listColleagueSessions } from '#server/modules/accounts/staff/list-sessions.ts'
import { listStaff, readColleague } from '#server/modules/accounts/staff/list-staff.ts'
import { makeLink } from '#server/modules/accounts/staff/make-link.ts'
import {
  AcceptInviteInput,
  EndStaffSessions,
  InviteInput,
  LinkInput,
  StaffInput,
  StaffRoleInput,
  SwitchInput,
} from '#server/modules/accounts/staff/schema.ts'
import { resetSecondFactor } from '#server/modules/accounts/staff/second-factor.ts'
import { switchStaff } from '#server/modules/accounts/staff/switch-staff.ts'
import { procedure, publicProcedure, router } from '#server/trpc/init.ts'

const aboutOne = procedure.input(StaffInput)

export const staffRouter = router({
  list: procedure.query(({ ctx }) => listStaff(ctx)),
  read: aboutOne.query(({ ctx, input }) => readColleague(ctx, input)),
  sessions: aboutOne.query(({ ctx, input }) => listColleagueSessions(ctx, input)),
  invite: procedure.input(InviteInput).mutation(({ ctx, input }) => inviteStaff(ctx, input)),
  withdraw: aboutOne.mutation(({ ctx, input }) => withdrawInvitation(ctx, input)),
  makeLink: aboutOne.mutation(({ ctx, input }) => makeLink(ctx, input)),
  giveRole: procedure.input(StaffRoleInput).mutation(({ ctx, input }) => giveRole(ctx, input)),
  takeRole: procedure.input(StaffRoleInput).mutation(({ ctx, input }) => takeRole(ctx, input)),
  switch: procedure.input(SwitchInput).mutation(({ ctx, input }) => switchStaff(ctx, input)),
  endSessions: procedure.input(EndStaffSessions).mutation(({ ctx, input }) => endColleagueSessions(ctx, input)),
  resetSecondFactor: aboutOne.mutation(({ ctx, input }) => resetSecondFactor(ctx, input)),
  /** For anyone who has the link, signed in or not. */
  link: publicProcedure.input(LinkInput).query(({ ctx, input }) => readLink(ctx, input)),
  acceptInvite: publicProcedure.input(AcceptInviteInput).mutation(({ ctx, input }) => acceptInvite(ctx, input)),
})
