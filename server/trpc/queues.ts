import { changeNamedQueue } from '#server/modules/rules/queues/change-queue.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { deleteNamedQueue } from '#server/modules/rules/queues/delete-queue.ts'
import { findQueueReviewers } from '#server/modules/rules/queues/find-reviewers.ts'
import { listNamedQueues } from '#server/modules/rules/queues/list-queues.ts'
import {
  NamedQueueChange,
  NamedQueueRevision,
  NewNamedQueue,
  QueueReviewersInput,
} from '#server/modules/rules/queues/schema.ts'
import { RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

/** Named queues, to which rules send what they hold. */
export const queuesRouter = router({
  list: procedure.input(RuleSpace).query(({ ctx, input }) => listNamedQueues(ctx, input)),
  reviewers: procedure.input(QueueReviewersInput).query(({ ctx, input }) => findQueueReviewers(ctx, input)),
  create: procedure.input(NewNamedQueue).mutation(({ ctx, input }) => createNamedQueue(ctx, input)),
  change: procedure.input(NamedQueueChange).mutation(({ ctx, input }) => changeNamedQueue(ctx, input)),
  delete: procedure.input(NamedQueueRevision).mutation(({ ctx, input }) => deleteNamedQueue(ctx, input)),
})
