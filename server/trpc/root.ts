import { accessRouter } from '#server/trpc/access.ts'
import { bulkRouter } from '#server/trpc/bulk.ts'
import { router } from '#server/trpc/init.ts'
import { reviewRouter } from '#server/trpc/review.ts'

export const appRouter = router({
  access: accessRouter,
  bulk: bulkRouter,
  review: reviewRouter,
})
export type AppRouter = typeof appRouter
