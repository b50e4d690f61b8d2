import { expect, test } from 'vitest'
import { actingUserId } from '#server/core/ctx.ts'
import { buildCommentsEnvelope } from '#server/modules/content/comments/build-comments-envelope.ts'
import { buildPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import { decideComment, decidePost } from '#server/modules/review/decisions/decide-shown.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const { scene } = rulesOn(database)

async function react(commentId: string, userId: string): Promise<void> {
  const to = { subjectType: 'comment', subjectId: commentId } as const
  await database.prisma.reaction.create({ data: { ...to, userId, reactionName: 'like' } })
  await database.prisma.comment.update({ where: { commentId }, data: { reactionsCount: 1 } })
}

test.each([
  'approved',
  'rejected',
] as const)('a comment and a post that rules held and that are %s are answered as reading them answers then, and published without what only the moderator sees', async (outcome) => {
  const { communityId, moderator, author, comment, running } = await scene()
  await running({ kind: 'words', words: ['ferry'] })
  const [{ commentId }, reply] = [await comment('The ferry runs'), await comment('Another ferry')]
  await database.prisma.comment.update({ where: { commentId: reply.commentId }, data: { parentId: commentId } })
  await react(commentId, actingUserId(moderator) ?? '')
  const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'A ferry' } }
  const postId = await writtenPost(asAuthor, input)

  const comments = await decideComment(moderator, { commentId, outcome })
  expect(comments).toEqual(await buildCommentsEnvelope(moderator, [commentId]))
  expect(comments).toMatchObject({
    comments: [{ commentId, approvalStatus: outcome, myReactions: ['like'] }],
    commentChildren: [{ parentId: commentId, reviewReasons: [{ name: 'Rule' }] }],
  })
  const published = await database.prisma.event.findFirstOrThrow({
    where: { subjectId: commentId, payload: { path: ['comments', '0', 'approvalStatus'], equals: outcome } },
  })
  expect(published.payload).toMatchObject({ comments: [{ commentId, myReactions: [] }], commentChildren: [] })
  const posts = await decidePost(moderator, { postId, outcome })
  expect(posts).toEqual(await buildPostsEnvelope(moderator, [postId]))
  expect(posts).toMatchObject({ posts: [{ postId }] })
})
