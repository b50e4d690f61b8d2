import { CommentParams, CommentsEnvelope } from '#server/modules/content/comments/schema.ts'
import { decideComment } from '#server/modules/review/decisions/decide-shown.ts'
import { DecisionBody } from '#server/modules/review/decisions/schema.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { ReviewQueueAnswer, ReviewQueueParams, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** The review queue and the decisions on its comments: docs/interface/review-queue.md. */
export const reviewRoutes: RestPlugin = async (app) => {
  app.get(
    '/api/v3/communities/:communityId/comments/review-queue',
    {
      schema: { params: ReviewQueueParams, querystring: ReviewQueueQuery, response: { 200: ReviewQueueAnswer } },
      config: { invalid: 'INVALID_REQUEST', readsPrimary: true },
    },
    ({ ctx, params, query }) => listReviewQueue(ctx, { ...params, ...query }),
  )

  app.post(
    '/api/v3/comments/:commentId/approve',
    {
      schema: { params: CommentParams, body: DecisionBody, response: { 200: CommentsEnvelope } },
      config: { alsoFails: ['CHANGED'], isAtomic: true },
    },
    ({ ctx, params, body }) => decideComment(ctx, { ...body, ...params, outcome: 'approved' }),
  )

  app.post(
    '/api/v3/comments/:commentId/decline',
    {
      schema: { params: CommentParams, body: DecisionBody, response: { 200: CommentsEnvelope } },
      config: { alsoFails: ['CHANGED'], isAtomic: true },
    },
    ({ ctx, params, body }) => decideComment(ctx, { ...body, ...params, outcome: 'rejected' }),
  )
}
