import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { holds, mayEverywhere, mayInCommunity } from '#server/core/permissions.ts'
import { mayModerateMessages, moderatesEverywhere } from '#server/modules/content/messages/lock-message.ts'

type Spaces = 'all' | ReadonlySet<string>

/** What a person may receive: held items they review, reports they may review, and events about themselves. */
export interface Scope {
  userId: string
  comments: Spaces
  posts: Spaces
  /** Messages in channels, and those in conversations. */
  channels: Spaces
  conversations: Spaces
  people: boolean
}

/** Uses community_user_user_id_idx and channel_user_user_id_idx. */
export async function readScope(ctx: Ctx): Promise<Scope> {
  const userId = actingUserId(ctx) ?? ''
  const community = sql`m.community_id`
  const spaces = await query<{ id: string; comments: boolean; posts: boolean; messages: boolean }>(
    ctx,
    sql`
    select m.community_id as id, ${mayInCommunity(ctx, 'reviewComments', community)} as comments,
      ${mayInCommunity(ctx, 'reviewPosts', community)} as posts, false as messages
    from community_user m where m.user_id = ${userId}
    union all
    select c.channel_id, false, false, ${mayModerateMessages(ctx)}
    from channel_user m join channel c on c.channel_id = m.channel_id where m.user_id = ${userId}
    order by id`,
  )
  const where = (kind: 'comments' | 'posts' | 'messages') =>
    new Set(spaces.filter((space) => space[kind]).map(({ id }) => id))
  const everywhere = moderatesEverywhere(ctx)
  return {
    userId,
    comments: mayEverywhere(ctx, 'reviewComments') ? 'all' : where('comments'),
    posts: mayEverywhere(ctx, 'reviewPosts') ? 'all' : where('posts'),
    channels: everywhere && holds(ctx, 'VIEW_CHANNELS') ? 'all' : where('messages'),
    conversations: everywhere && holds(ctx, 'READ_CONVERSATIONS') ? 'all' : where('messages'),
    people: holds(ctx, 'BAN_USER'),
  }
}

/** Whether they review nothing at all. */
export function isEmptyScope({ userId: _, people, ...spaces }: Scope): boolean {
  return !people && Object.values(spaces).every((all) => all !== 'all' && all.size === 0)
}

export function isSameScope(one: Scope, other: Scope): boolean {
  return (
    one.userId === other.userId &&
    one.people === other.people &&
    isSame(one.comments, other.comments) &&
    isSame(one.posts, other.posts) &&
    isSame(one.channels, other.channels) &&
    isSame(one.conversations, other.conversations)
  )
}

function isSame(one: Spaces, other: Spaces): boolean {
  if (one === 'all' || other === 'all') return one === other
  return one.size === other.size && one.isSubsetOf(other)
}

export interface EventScope {
  subjectType: string
  subjectId: string
  communityId?: string | null
  channelId?: string | null
  conversationId?: string | null
}

export function canReceive(scope: Scope, { subjectType, subjectId, ...space }: EventScope): boolean {
  const { userId, comments, posts, channels, conversations, people } = scope
  const { communityId, channelId, conversationId } = space
  switch (subjectType) {
    case 'comment':
      return isIn(comments, communityId)
    case 'post':
      return isIn(posts, communityId)
    case 'community':
      return isIn(comments, communityId) || isIn(posts, communityId)
    case 'authorTreatment':
    case 'rule':
    case 'namedQueue':
    case 'policy':
    case 'view':
      return [comments, posts].some((spaces) => (communityId ? isIn(spaces, communityId) : isAny(spaces)))
    case 'message':
      return isIn(channels, channelId) || isIn(conversations, conversationId)
    case 'user':
      return people || subjectId === userId
    default:
      return false
  }
}

/** Rules, queues, policies and treatments of the network apply in all communities; shared views are for all who review. */
function isAny(spaces: Spaces): boolean {
  return spaces === 'all' || spaces.size > 0
}

function isIn(spaces: Spaces, id: string | null | undefined): boolean {
  if (id === null || id === undefined) return false
  return spaces === 'all' || spaces.has(id)
}
