import { accessRouter } from '#server/trpc/access.ts'
import { router } from '#server/trpc/init.ts'
import { leasesRouter } from '#server/trpc/leases.ts'
import { liveRouter } from '#server/trpc/live.ts'
import { reviewRouter } from '#server/trpc/review.ts'

export const appRouter = router({
  access: accessRouter,
  leases: leasesRouter,
  live: liveRouter,
  review: reviewRouter,
})
export type AppRouter = typeof appRouter
