import { accessRouter } from '#server/trpc/access.ts'
import { appealsRouter } from '#server/trpc/appeals.ts'
import { auditRouter } from '#server/trpc/audit.ts'
import { authorTreatmentsRouter } from '#server/trpc/author-treatments.ts'
import { bansRouter } from '#server/trpc/bans.ts'
import { bulkRouter } from '#server/trpc/bulk.ts'
import { channelsRouter } from '#server/trpc/channels.ts'
import { classifiersRouter } from '#server/trpc/classifiers.ts'
import { communitiesRouter } from '#server/trpc/communities.ts'
import { credentialsRouter } from '#server/trpc/credentials.ts'
import { escalationsRouter } from '#server/trpc/escalations.ts'
import { router } from '#server/trpc/init.ts'
import { insightsRouter } from '#server/trpc/insights.ts'
import { leasesRouter } from '#server/trpc/leases.ts'
import { listsRouter } from '#server/trpc/lists.ts'
import { liveRouter } from '#server/trpc/live.ts'
import { membersRouter } from '#server/trpc/members.ts'
import { messagesRouter } from '#server/trpc/messages.ts'
import { notesRouter } from '#server/trpc/notes.ts'
import { notificationsRouter } from '#server/trpc/notifications.ts'
import { ownSignInRouter } from '#server/trpc/own-sign-in.ts'
import { paletteRouter } from '#server/trpc/palette.ts'
import { policiesRouter } from '#server/trpc/policies.ts'
import { preferencesRouter } from '#server/trpc/preferences.ts'
import { queuesRouter } from '#server/trpc/queues.ts'
import { reasonsRouter } from '#server/trpc/reasons.ts'
import { reportsRouter } from '#server/trpc/reports.ts'
import { reviewRouter } from '#server/trpc/review.ts'
import { rolesRouter } from '#server/trpc/roles.ts'
import { rulesRouter } from '#server/trpc/rules.ts'
import { settingsRouter } from '#server/trpc/settings.ts'
import { staffRouter } from '#server/trpc/staff.ts'
import { statementsRouter } from '#server/trpc/statements.ts'
import { targetsRouter } from '#server/trpc/targets.ts'
import { translationsRouter } from '#server/trpc/translations.ts'
import { usersRouter } from '#server/trpc/users.ts'
import { viewsRouter } from '#server/trpc/views.ts'
import { warningsRouter } from '#server/trpc/warnings.ts'
import { webhooksRouter } from '#server/trpc/webhooks.ts'

export const appRouter = router({
  appeals: appealsRouter,
  access: accessRouter,
  audit: auditRouter,
  authorTreatments: authorTreatmentsRouter,
  insights: insightsRouter,
  leases: leasesRouter,
  lists: listsRouter,
  live: liveRouter,
  bans: bansRouter,
  bulk: bulkRouter,
  channels: channelsRouter,
  classifiers: classifiersRouter,
  communities: communitiesRouter,
  members: membersRouter,
  messages: messagesRouter,
  escalations: escalationsRouter,
  notes: notesRouter,
  notifications: notificationsRouter,
  palette: paletteRouter,
  policies: policiesRouter,
  preferences: preferencesRouter,
  queues: queuesRouter,
  reasons: reasonsRouter,
  reports: reportsRouter,
  review: reviewRouter,
  settings: settingsRouter,
  credentials: credentialsRouter,
  ownSignIn: ownSignInRouter,
  roles: rolesRouter,
  rules: rulesRouter,
  staff: staffRouter,
  statements: statementsRouter,
  targets: targetsRouter,
  translations: translationsRouter,
  users: usersRouter,
  views: viewsRouter,
  warnings: warningsRouter,
  webhooks: webhooksRouter,
})
export type AppRouter = typeof appRouter
