import { changeView } from '#server/modules/review/views/change-view.ts'
import { countViews } from '#server/modules/review/views/count-views.ts'
import { deleteView } from '#server/modules/review/views/delete-view.ts'
import { listViews } from '#server/modules/review/views/list-views.ts'
import { saveView } from '#server/modules/review/views/save-view.ts'
import {
  ChangeViewInput,
  DeleteViewInput,
  SaveViewInput,
  SetDefaultViewInput,
} from '#server/modules/review/views/schema.ts'
import { setDefaultView } from '#server/modules/review/views/set-default-view.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const viewsRouter = router({
  list: procedure.query(({ ctx }) => listViews(ctx)),
  counts: procedure.query(({ ctx }) => countViews(ctx)),
  save: procedure.input(SaveViewInput).mutation(({ ctx, input }) => saveView(ctx, input)),
  change: procedure.input(ChangeViewInput).mutation(({ ctx, input }) => changeView(ctx, input)),
  setDefault: procedure.input(SetDefaultViewInput).mutation(({ ctx, input }) => setDefaultView(ctx, input)),
  delete: procedure.input(DeleteViewInput).mutation(({ ctx, input }) => deleteView(ctx, input)),
})
