import { readWave } from '#server/modules/review/bulk/read-wave.ts'
import { undoLatest } from '#server/modules/review/bulk/undo-latest.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { ClaimInput } from '#server/modules/review/claims/schema.ts'
import { decide, restoreRejected, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { giveReason } from '#server/modules/review/decisions/give-reason.ts'
import {
  DecideInput,
  GiveReasonInput,
  ReverseInput,
  Subject,
  UndoInput,
} from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { editItem } from '#server/modules/review/edits/edit-item.ts'
import { EditItemInput } from '#server/modules/review/edits/schema.ts'
import { openQueueExport } from '#server/modules/review/export/export-queue.ts'
import { QueueExportInput } from '#server/modules/review/export/schema.ts'
import { readOwnDay } from '#server/modules/review/insights/read-own-day.ts'
import { OwnDayInput } from '#server/modules/review/insights/schema.ts'
import { readEarlier } from '#server/modules/review/items/read-earlier.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { openConversation } from '#server/modules/review/items/read-report.ts'
import { readThread } from '#server/modules/review/items/read-thread.ts'
import { ItemInput, OpenConversationInput, ThreadInput } from '#server/modules/review/items/schema.ts'
import { lookAt } from '#server/modules/review/look/look-at.ts'
import { LookInput } from '#server/modules/review/look/schema.ts'
import { countMatching, countQueue } from '#server/modules/review/queue/count-queue.ts'
import { findAuthors } from '#server/modules/review/queue/find-authors.ts'
import { listFacets } from '#server/modules/review/queue/list-facets.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput, FindAuthorsInput, ListFacetsInput } from '#server/modules/review/queue/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const reviewRouter = router({
  queue: procedure.input(DeskQueueInput).query(({ ctx, input }) => listDeskQueue(ctx, input)),
  counts: procedure.query(({ ctx }) => countQueue(ctx)),
  matching: procedure.input(DeskFilter).query(({ ctx, input }) => countMatching(ctx, input)),
  /** The path of a file, valid for a minute. */
  export: procedure.input(QueueExportInput).mutation(async ({ ctx, input }) => {
    const link = await openQueueExport(ctx, ctx.linkKey, input)
    return `/api/v1/exports/queue?${new URLSearchParams({ ...link })}`
  }),
  look: procedure.input(LookInput).mutation(({ ctx, input }) => lookAt(ctx, input)),
  authors: procedure.input(FindAuthorsInput).query(({ ctx, input }) => findAuthors(ctx, input)),
  facets: procedure.input(ListFacetsInput).query(({ ctx, input }) => listFacets(ctx, input)),
  item: procedure.input(ItemInput).query(({ ctx, input }) => readItem(ctx, input)),
  openConversation: procedure.input(OpenConversationInput).mutation(({ ctx, input }) => openConversation(ctx, input)),
  earlier: procedure.input(ItemInput).query(({ ctx, input }) => readEarlier(ctx, input)),
  thread: procedure.input(ThreadInput).query(({ ctx, input }) => readThread(ctx, input)),
  wave: procedure.input(Subject).query(({ ctx, input }) => readWave(ctx, input)),
  decide: procedure.input(DecideInput).mutation(({ ctx, input }) => decide(ctx, input)),
  edit: procedure.input(EditItemInput).mutation(({ ctx, input }) => editItem(ctx, input)),
  claim: procedure.input(ClaimInput).mutation(({ ctx, input }) => claim(ctx, input)),
  release: procedure.input(ClaimInput).mutation(({ ctx, input }) => release(ctx, input)),
  giveReason: procedure.input(GiveReasonInput).mutation(({ ctx, input }) => giveReason(ctx, input)),
  reverse: procedure.input(ReverseInput).mutation(({ ctx, input }) => reverseDecision(ctx, input)),
  restore: procedure.input(ReverseInput).mutation(({ ctx, input }) => restoreRejected(ctx, input)),
  ownDay: procedure.input(OwnDayInput).query(({ ctx, input }) => readOwnDay(ctx, input)),
  undoLatest: procedure.mutation(({ ctx }) => undoLatest(ctx)),
  undo: procedure.input(UndoInput).mutation(({ ctx, input }) => undoDecision(ctx, input)),
})
