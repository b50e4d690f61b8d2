import { accessRouter } from '#server/trpc/access.ts'
import { router } from '#server/trpc/init.ts'
import { reviewRouter } from '#server/trpc/review.ts'

export const appRouter = router({
  access: accessRouter,
  review: reviewRouter,
})
export type AppRouter = typeof appRouter
