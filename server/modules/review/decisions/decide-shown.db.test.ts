import { expect, test } from 'vitest'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { decideComment, decidePost } from '#server/modules/review/decisions/decide-shown.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const { scene } = rulesOn(database)

test.each([
  'approved',
  'rejected',
] as const)('a comment and a post that rules held and that are %s are answered as reading them answers then', async (outcome) => {
  const { communityId, moderator, author, comment, running } = await scene()
  await running({ kind: 'words', words: ['ferry'] })
  const [{ commentId }, reply] = [await comment('The ferry runs'), await comment('Another ferry')]
  await database.prisma.comment.update({ where: { commentId: reply.commentId }, data: { parentId: commentId } })
  const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'A ferry' } }
  const postId = await writtenPost(asAuthor, input)

  const comments = await decideComment(moderator, { commentId, outcome })
  expect(comments).toEqual(await buildCommentsEnvelope(moderator, [commentId]))
  expect(comments).toMatchObject({
    comments: [{ commentId, approvalStatus: outcome }],
    commentChildren: [{ parentId: commentId, reviewReasons: [{ name: 'Rule' }] }],
  })
  const posts = await decidePost(moderator, { postId, outcome })
  expect(posts).toEqual(await buildPostsEnvelope(moderator, [postId]))
  expect(posts).toMatchObject({ posts: [{ postId }] })
})
