import type { Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { createMessage } from '#server/modules/content/messages/create-message.ts'
import { NewMessage } from '#server/modules/content/messages/schema.ts'
import { createPost } from '#server/modules/content/posts/create-post.ts'
import { NewPost } from '#server/modules/content/posts/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule, type RuleState } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { factoriesOf } from '#server/testing/factories.ts'

/** Communities with rules, and what rules did there. */
export function rulesOn(database: Database) {
  const { prisma } = database
  const make = factoriesOf(database)

  /** A community that holds nothing by itself, with its moderator and a member. */
  async function scene() {
    const { communityId } = await make.community({ needApprovalOnCommentCreation: false })
    const moderator = ctxOf(database, await make.reviewerOf(communityId))
    const author = await make.user()
    await make.member({ communityId, userId: author.userId })
    const { postId } = await make.post({ communityId })
    const comment = async (text: string, userId = author.userId) => {
      const input = { referenceType: 'post', referenceId: postId, data: { text } }
      const commentId = await writtenComment(ctxOf(database, asUser(userId), { source: 'rest' }), input)
      return prisma.comment.findUniqueOrThrow({ where: { commentId } })
    }
    const running = async (condition: unknown, state: RuleState = 'live', over: object = {}) => {
      const input = { communityId, name: 'Rule', kinds: ['comment', 'post'], condition, ...over }
      const rule = await createRule(moderator, NewRule.parse(input))
      return state === 'draft' ? rule : setRuleState(moderator, { ...rule, state })
    }
    return { communityId, moderator, author, postId, comment, running }
  }

  const matchesOf = (subjectId: string) =>
    prisma.ruleMatch.findMany({ where: { subjectId }, orderBy: { ruleId: 'asc' } })

  async function countsOf(
    kind: 'post_comments' | 'held_comments' | 'community_posts' | 'held_posts',
    subjectId: string,
  ) {
    const { _sum } = await prisma.tallyDelta.aggregate({ where: { kind, subjectId }, _sum: { delta: true } })
    return _sum.delta ?? 0
  }

  return { scene, matchesOf, countsOf }
}

export async function writtenComment(ctx: Ctx, input: unknown): Promise<string> {
  const { comments } = await createComment(ctx, NewComment.parse(input))
  return comments[0]?.commentId ?? ''
}

export async function writtenPost(ctx: Ctx, input: unknown): Promise<string> {
  const { posts } = await createPost(ctx, NewPost.parse(input))
  return posts[0]?.postId ?? ''
}

export async function writtenMessage(ctx: Ctx, input: unknown): Promise<string> {
  const { messages } = await createMessage(ctx, NewMessage.parse(input))
  return messages[0]?.messageId ?? ''
}
