import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { listComments } from '#server/modules/content/comments/list-comments.ts'
import { readComment } from '#server/modules/content/comments/read-comment.ts'
import {
  CommentEdit,
  CommentParams,
  CommentsEnvelope,
  CommentsPage,
  CommentsQuery,
  Deleted,
  DeleteQuery,
  NewComment,
} from '#server/modules/content/comments/schema.ts'
import { flagPaths, flagRoutes } from '#server/rest/flag-routes.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** Comments and their flags: docs/interface/comments.md and docs/interface/reports-and-flags.md. */
export const commentRoutes: RestPlugin = async (app) => {
  const one = { params: CommentParams, response: { 200: CommentsEnvelope } }

  app.get(
    '/api/v3/comments',
    { schema: { querystring: CommentsQuery, response: { 200: CommentsPage } } },
    ({ ctx, query }) => listComments(ctx, query),
  )

  app.post('/api/v3/comments', { schema: { body: NewComment, response: { 200: CommentsEnvelope } } }, ({ ctx, body }) =>
    createComment(ctx, body),
  )

  app.get('/api/v3/comments/:commentId', { schema: one }, ({ ctx, params }) => readComment(ctx, params))

  app.put('/api/v3/comments/:commentId', { schema: { ...one, body: CommentEdit } }, ({ ctx, params, body }) =>
    editComment(ctx, { ...body, ...params }),
  )

  app.delete(
    '/api/v4/comments/:commentId',
    { schema: { params: CommentParams, querystring: DeleteQuery, response: { 200: Deleted } } },
    async ({ ctx, params, query }) => {
      await deleteComment(ctx, { ...params, ...query })
      return { success: true } as const
    },
  )

  flagRoutes(app, {
    paths: flagPaths('/api/v3/comments/:commentId'),
    params: CommentParams.transform(({ commentId }) => ({ id: commentId })),
    envelope: CommentsEnvelope,
    flaggable: flaggableComment,
  })
}
