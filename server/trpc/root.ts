import { accessRouter } from '#server/trpc/access.ts'
import { router } from '#server/trpc/init.ts'
import { reviewRouter } from '#server/trpc/review.ts'
import { viewsRouter } from '#server/trpc/views.ts'

export const appRouter = router({
  access: accessRouter,
  review: reviewRouter,
  views: viewsRouter,
})
export type AppRouter = typeof appRouter
