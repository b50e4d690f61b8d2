import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'
import { mayEverywhere, mayInCommunity } from '#server/core/permissions.ts'

type Places = 'all' | ReadonlySet<string>

/** What somebody may be told of: what is held where they review it, and themselves. */
export interface Scope {
  userId: string
  comments: Places
  posts: Places
}

/** Uses community_user_user_id_idx. */
export async function readScope(ctx: Ctx): Promise<Scope> {
  const userId = actingUserId(ctx) ?? ''
  const community = Prisma.sql`m.community_id`
  const places = await query<{ communityId: string; comments: boolean; posts: boolean }>(
    ctx,
    Prisma.sql`
    select m.community_id as "communityId", ${mayInCommunity(ctx, 'reviewComments', community)} as comments,
      ${mayInCommunity(ctx, 'reviewPosts', community)} as posts
    from community_user m where m.user_id = ${userId}
    order by m.community_id`,
  )
  const where = (kind: 'comments' | 'posts') =>
    new Set(places.filter((place) => place[kind]).map(({ communityId }) => communityId))
  return {
    userId,
    comments: mayEverywhere(ctx, 'reviewComments') ? 'all' : where('comments'),
    posts: mayEverywhere(ctx, 'reviewPosts') ? 'all' : where('posts'),
  }
}

/** Whether they review nothing at all. */
export function isNothing({ comments, posts }: Scope): boolean {
  return comments !== 'all' && comments.size === 0 && posts !== 'all' && posts.size === 0
}

export function isSameScope(one: Scope, other: Scope): boolean {
  return one.userId === other.userId && isSame(one.comments, other.comments) && isSame(one.posts, other.posts)
}

function isSame(one: Places, other: Places): boolean {
  if (one === 'all' || other === 'all') return one === other
  return one.size === other.size && one.isSubsetOf(other)
}

export interface Told {
  subjectType: string
  subjectId: string
  communityId?: string | null
}

export function mayHear({ userId, comments, posts }: Scope, { subjectType, subjectId, communityId }: Told): boolean {
  switch (subjectType) {
    case 'comment':
      return isIn(comments, communityId)
    case 'post':
      return isIn(posts, communityId)
    case 'community':
      return isIn(comments, communityId) || isIn(posts, communityId)
    case 'user':
      return subjectId === userId
    default:
      return false
  }
}

function isIn(places: Places, communityId: string | null | undefined): boolean {
  if (communityId === null || communityId === undefined) return false
  return places === 'all' || places.has(communityId)
}
