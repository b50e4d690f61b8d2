import { changeView } from '#server/modules/views/change-view.ts'
import { deleteView } from '#server/modules/views/delete-view.ts'
import { listViews } from '#server/modules/views/list-views.ts'
import { saveView } from '#server/modules/views/save-view.ts'
import { ChangeViewInput, DeleteViewInput, SaveViewInput, SetDefaultViewInput } from '#server/modules/views/schema.ts'
import { setDefaultView } from '#server/modules/views/set-default-view.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const viewsRouter = router({
  list: procedure.query(({ ctx }) => listViews(ctx.ctx)),
  save: procedure.input(SaveViewInput).mutation(({ ctx, input }) => saveView(ctx.ctx, input)),
  change: procedure.input(ChangeViewInput).mutation(({ ctx, input }) => changeView(ctx.ctx, input)),
  setDefault: procedure.input(SetDefaultViewInput).mutation(({ ctx, input }) => setDefaultView(ctx.ctx, input)),
  delete: procedure.input(DeleteViewInput).mutation(({ ctx, input }) => deleteView(ctx.ctx, input)),
})
