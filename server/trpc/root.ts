import { accessRouter } from '#server/trpc/access.ts'
import { auditRouter } from '#server/trpc/audit.ts'
import { bansRouter } from '#server/trpc/bans.ts'
import { bulkRouter } from '#server/trpc/bulk.ts'
import { escalationsRouter } from '#server/trpc/escalations.ts'
import { router } from '#server/trpc/init.ts'
import { insightsRouter } from '#server/trpc/insights.ts'
import { leasesRouter } from '#server/trpc/leases.ts'
import { liveRouter } from '#server/trpc/live.ts'
import { notesRouter } from '#server/trpc/notes.ts'
import { paletteRouter } from '#server/trpc/palette.ts'
import { preferencesRouter } from '#server/trpc/preferences.ts'
import { reasonsRouter } from '#server/trpc/reasons.ts'
import { reviewRouter } from '#server/trpc/review.ts'
import { targetsRouter } from '#server/trpc/targets.ts'
import { usersRouter } from '#server/trpc/users.ts'
import { viewsRouter } from '#server/trpc/views.ts'
import { webhooksRouter } from '#server/trpc/webhooks.ts'

export const appRouter = router({
  access: accessRouter,
  audit: auditRouter,
  insights: insightsRouter,
  leases: leasesRouter,
  live: liveRouter,
  bans: bansRouter,
  bulk: bulkRouter,
  escalations: escalationsRouter,
  notes: notesRouter,
  palette: paletteRouter,
  preferences: preferencesRouter,
  reasons: reasonsRouter,
  review: reviewRouter,
  targets: targetsRouter,
  users: usersRouter,
  views: viewsRouter,
  webhooks: webhooksRouter,
})
export type AppRouter = typeof appRouter
