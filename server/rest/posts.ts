import { Deleted, DeleteQuery } from '#server/modules/content/comments/schema.ts'
import { createPost } from '#server/modules/content/posts/create-post.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { listPosts } from '#server/modules/content/posts/list-posts.ts'
import { readPost } from '#server/modules/content/posts/read-post.ts'
import {
  NewPost,
  PostEdit,
  PostParams,
  PostsEnvelope,
  PostsPage,
  PostsQuery,
} from '#server/modules/content/posts/schema.ts'
import { decidePost } from '#server/modules/review/decisions/decide-shown.ts'
import { DecisionBody } from '#server/modules/review/decisions/schema.ts'
import { flagPaths, flagRoutes } from '#server/rest/flag-routes.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

/** Posts, the decisions on them, and their flags: docs/interface/posts.md and docs/interface/reports-and-flags.md. */
export const postRoutes: RestPlugin = async (app) => {
  const one = { params: PostParams, response: { 200: PostsEnvelope } }

  for (const version of ['v3', 'v4', 'v5']) {
    app.get(
      `/api/${version}/posts`,
      { schema: { querystring: PostsQuery, response: { 200: PostsPage } } },
      ({ ctx, query }) => listPosts(ctx, query),
    )
  }

  // The oldest client writes over version 3, with the same bodies and answers.
  for (const version of ['v3', 'v4']) {
    app.post(
      `/api/${version}/posts`,
      { schema: { body: NewPost, response: { 200: PostsEnvelope } } },
      ({ ctx, body }) => createPost(ctx, body),
    )

    app.put(`/api/${version}/posts/:postId`, { schema: { ...one, body: PostEdit } }, ({ ctx, params, body }) =>
      editPost(ctx, { ...body, ...params }),
    )
  }

  app.get('/api/v3/posts/:postId', { schema: one }, ({ ctx, params }) => readPost(ctx, params))

  app.delete(
    '/api/v4/posts/:postId',
    { schema: { params: PostParams, querystring: DeleteQuery, response: { 200: Deleted } } },
    async ({ ctx, params, query }) => {
      await deletePost(ctx, { ...params, ...query })
      return { success: true } as const
    },
  )

  app.post(
    '/api/v3/posts/:postId/approve',
    { schema: { ...one, body: DecisionBody }, config: { alsoFails: ['CHANGED'] } },
    ({ ctx, params, body }) => decidePost(ctx, { ...body, ...params, outcome: 'approved' }),
  )

  app.post(
    '/api/v3/posts/:postId/decline',
    { schema: { ...one, body: DecisionBody }, config: { alsoFails: ['CHANGED'] } },
    ({ ctx, params, body }) => decidePost(ctx, { ...body, ...params, outcome: 'rejected' }),
  )

  flagRoutes(app, {
    paths: flagPaths('/api/v3/posts/:postId'),
    params: PostParams.transform(({ postId }) => ({ id: postId })),
    envelope: PostsEnvelope,
    flaggable: flaggablePost,
  })
}
