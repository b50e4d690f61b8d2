import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { type CommunityAction, mayInCommunity } from '#server/core/permissions.ts'
import { requireUser } from '#server/core/require-user.ts'
import { runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { type AuthorTreatment, treatmentOf } from '#server/modules/spaces/author-treatments/treatment-of.ts'
import { assertNotMuted, mutedUntil } from '#server/modules/spaces/sanctions/muted.ts'

/** Where somebody writes, and what they may do there. */
export interface Space {
  communityId: string | null
  /** Of a message. */
  channelId?: string
  isBanned: boolean
  /** False in a channel that they aren't in. */
  isMember?: boolean
  /** Whether they may write there. */
  isOpen: boolean
  mutedUntil: Date | null
  /** Whether its community holds what is written there for review. */
  isReviewed: boolean
  mayReview: boolean
  /** What becomes of what this person writes there. */
  treatment: AuthorTreatment | null
  /** `runningRules` of its community, or `runningMessageRules` of its channel. */
  rules: string | null
}

/** What the app alone defines, and one's own page: no community, no rules. */
export const OPEN_SPACE = {
  communityId: null,
  isBanned: false,
  isOpen: true,
  mutedUntil: null,
  isReviewed: false,
  mayReview: false,
  treatment: null,
  rules: null,
} as const satisfies Space

interface InCommunity {
  isOpen: Sql
  isReviewed: Sql
  review: CommunityAction
}

/** The columns of `Space` of the community that the column names: `community k`, where they are `mine`. */
export function spaceIn(ctx: Ctx, communityColumn: Sql, { isOpen, isReviewed, review }: InCommunity): Sql {
  const isJoined = sql`(
    ${communityColumn} is null or ${ctx.actor.kind === 'admin'} or coalesce(mine.membership = 'member', false))`
  return sql`
    ${communityColumn} as community_id, ${IS_BANNED} as is_banned, (${isJoined} and ${isOpen}) as is_open,
    ${mutedUntil(ctx, sql`mine`)} as muted_until, coalesce(${isReviewed}, false) as is_reviewed,
    ${mayInCommunity(ctx, review, communityColumn)} as may_review,
    ${treatmentOf(ctx, sql`${actingUserId(ctx) ?? null}::text`, communityColumn)} as treatment, ${runningRules(communityColumn)} as rules`
}

/** Joins the row that the caller has in the community that the column names, as `mine`. */
export function joinOwnMembership(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`
    left join community_user mine
      on mine.community_id = ${communityColumn} and mine.user_id = ${actingUserId(ctx) ?? null} and not mine.is_deleted`
}

/** Whether the caller is banned there, by their row `mine`. */
export const IS_BANNED = sql`coalesce(mine.membership = 'banned', false)`

/** The author's id. Fails with FORBIDDEN for an admin token, which isn't a user, BANNED, NOT_CHANNEL_MEMBER, FORBIDDEN for what is closed, and MUTED. */
export function admit(ctx: Ctx, { isBanned, isMember = true, isOpen, mutedUntil }: Space): string {
  const userId = requireUser(ctx)
  if (isBanned) throw new DomainError('BANNED')
  if (!isMember) throw new DomainError('NOT_CHANNEL_MEMBER')
  if (!isOpen) throw new DomainError('FORBIDDEN')
  assertNotMuted(ctx, mutedUntil)
  return userId
}
