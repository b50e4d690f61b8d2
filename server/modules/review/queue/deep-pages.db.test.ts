import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, pool, make } = await testDatabase()
const admin = ctxOf(database, asAdmin())
const system = systemCtx(database)

const random = randomNumbers()

const HELD = 3_000
const DAYS = 12

/** A community with comments held over twelve days, three at each moment, some at the first and the last millisecond of a day. */
async function longQueue() {
  const { communityId } = await make.community({ needApprovalOnCommentCreation: true })
  const { postId } = await make.post({ communityId })
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  await pool.query(
    `insert into comment (comment_id, community_id, target_type, reference_type, reference_id, user_id, approval_status, data, queued_at)
     select $1 || '-' || lpad(n::text, 5, '0'), $1, 'community', 'post', $2, $3, 'pending', '{"text":"Some words"}',
       timestamptz '2026-01-01' + (n * 7 % ${DAYS}) * interval '1 day' + case n / 3 % 5
         when 0 then interval '0' when 1 then interval '23:59:59.999' else n / 3 * interval '83 seconds' end
     from generate_series(1, ${HELD}) n`,
    [communityId, postId, userId],
  )
  const reviewer = await make.reviewerOf(communityId)
  return {
    communityId,
    postId,
    author: ctxOf(database, asUser(userId)),
    reviewer: ctxOf(database, asUser(reviewer.userId)),
  }
}

const idsOf = (list: { commentId: string }[]) => list.map(({ commentId }) => commentId)

async function pageOf(ctx: Ctx, communityId: string, options: { skip: number; limit: number }): Promise<string[]> {
  return idsOf((await listReviewQueue(ctx, { ...ReviewQueueQuery.parse({ options }), communityId })).comments)
}

function wholeQueue(ctx: Ctx, communityId: string): Promise<{ commentId: string }[]> {
  return query<{ commentId: string }>(
    ctx,
    sql`
    select comment_id from comment where community_id = ${communityId} and approval_status = 'pending' and not is_deleted
    order by queued_at desc, comment_id`,
  )
}

test('a page after many skipped comments is that part of the queue, while comments are decided, undone, deleted and held', async () => {
  const { communityId, postId, author, reviewer } = await longQueue()
  let isReading = true
  const acts = async () => {
    const subjectType = 'comment'
    while (isReading) {
      const queue = idsOf(await wholeQueue(system, communityId))
      const [one, two, three] = [0, 1, 2].map((part) => queue[part * 700 + random.below(700)] ?? '')
      await decide(reviewer, { subjectType, subjectId: one ?? '', outcome: 'approved' })
      const { decisionId } = await decide(reviewer, {
        subjectType,
        subjectId: two ?? '',
        outcome: 'rejected',
        reason: 'Spam',
      })
      await undoDecision(reviewer, { decisionId })
      await deleteComment(reviewer, { commentId: three ?? '', permanent: random.below(2) === 0 })
      await createComment(
        author,
        NewComment.parse({ referenceType: 'post', referenceId: postId, data: { text: 'New' } }),
      )
    }
  }
  const acting = acts()
  try {
    for (let round = 0; round < scaled(40); round += 1) {
      await inTransaction(admin, async (ctx) => {
        await execute(ctx, sql`set transaction isolation level repeatable read`)
        const queue = idsOf(await wholeQueue(ctx, communityId))
        const skip = 1_001 + random.below(queue.length - 990)
        expect([skip, await pageOf(ctx, communityId, { skip, limit: 100 })]).toEqual([
          skip,
          queue.slice(skip, skip + 100),
        ])
      })
    }
  } finally {
    isReading = false
    await acting
  }
})

test('the pages of the whole queue, one after the other, have every comment once', async () => {
  const { communityId } = await longQueue()
  const pages = []
  for (let skip = 0; skip <= HELD; skip += 100) pages.push(await pageOf(admin, communityId, { skip, limit: 100 }))
  expect(pages.flat()).toEqual(idsOf(await wholeQueue(system, communityId)))
  expect(pages.at(-1)).toEqual([])
})
