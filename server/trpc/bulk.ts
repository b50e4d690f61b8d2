import { previewBulk } from '#server/modules/review/bulk/preview-bulk.ts'
import { previewRemoval } from '#server/modules/review/bulk/preview-removal.ts'
import { previewSanctions } from '#server/modules/review/bulk/preview-sanctions.ts'
import { readBulk, readRecentBulks } from '#server/modules/review/bulk/read-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import {
  BulkInput,
  PreviewBulk,
  PreviewRemoval,
  PreviewSanctions,
  StartBulk,
  StartRemoval,
} from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { startRemoval } from '#server/modules/review/bulk/start-removal.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const bulkRouter = router({
  /** A mutation that changes nothing: a thousand ids are too long for a URL. */
  preview: procedure.input(PreviewBulk).mutation(({ ctx, input }) => previewBulk(ctx, input)),
  previewSanctions: procedure.input(PreviewSanctions).mutation(({ ctx, input }) => previewSanctions(ctx, input)),
  previewRemoval: procedure.input(PreviewRemoval).query(({ ctx, input }) => previewRemoval(ctx, input)),
  start: procedure.input(StartBulk).mutation(({ ctx, input }) => startBulk(ctx, input)),
  remove: procedure.input(StartRemoval).mutation(({ ctx, input }) => startRemoval(ctx, input)),
  work: procedure.input(BulkInput).mutation(({ ctx, input }) => runBulk(ctx, input)),
  undo: procedure.input(BulkInput).mutation(({ ctx, input }) => undoBulk(ctx, input)),
  recent: procedure.query(({ ctx }) => readRecentBulks(ctx)),
  progress: procedure.input(BulkInput).query(({ ctx, input }) => readBulk(ctx, input)),
})
