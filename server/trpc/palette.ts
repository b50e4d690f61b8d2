import { findAnything } from '#server/modules/desk/palette/find-anything.ts'
import { FindInput } from '#server/modules/desk/palette/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const paletteRouter = router({
  find: procedure
    .meta({ readsAnywhere: true })
    .input(FindInput)
    .query(({ ctx, input }) => findAnything(ctx, input)),
})
