import { z } from 'zod'
import { ResourceId } from '#server/core/text.ts'
import { Comment } from '#server/modules/comments/schema.ts'
import { decideComment } from '#server/modules/review/decide-comment.ts'
import { listReviewQueue } from '#server/modules/review/list-review-queue.ts'
import { Reason, ReviewQueueAnswer, ReviewQueueParams, ReviewQueueQuery } from '#server/modules/review/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

const CommentParams = z.object({ commentId: ResourceId })
const Decision = z.object({ reason: Reason.optional(), version: z.int().min(1).optional() }).nullish()
const CommentsAnswer = z.object({ comments: z.array(Comment) }).meta({ id: 'Comments' })

/** INTERFACE.md, endpoint 1, and the decisions on what it lists. */
export const reviewRoutes: RestPlugin = async (app) => {
  app.get(
    '/api/v3/communities/:communityId/comments/review-queue',
    {
      schema: { params: ReviewQueueParams, querystring: ReviewQueueQuery, response: { 200: ReviewQueueAnswer } },
      config: { invalid: 'INVALID_REQUEST' },
    },
    ({ ctx, params, query }) => listReviewQueue(ctx, { ...params, ...query }),
  )

  app.post(
    '/api/v3/comments/:commentId/approve',
    {
      schema: { params: CommentParams, body: Decision, response: { 200: CommentsAnswer } },
    },
    async ({ ctx, params, body }) => {
      const { comment } = await decideComment(ctx, { ...body, ...params, outcome: 'approved' })
      return { comments: [comment] }
    },
  )

  app.post(
    '/api/v3/comments/:commentId/decline',
    {
      schema: { params: CommentParams, body: Decision, response: { 200: CommentsAnswer } },
    },
    async ({ ctx, params, body }) => {
      const { comment } = await decideComment(ctx, { ...body, ...params, outcome: 'rejected' })
      return { comments: [comment] }
    },
  )
}
