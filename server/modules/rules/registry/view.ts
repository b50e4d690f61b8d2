import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import type { ListedRule, RuleKind, RuleVersion } from '#server/modules/rules/registry/schema.ts'
import { mayWhereItApplies } from '#server/modules/rules/registry/scope.ts'

/** What `toListedRule` reads, selected from `CURRENT`. */
export function ruleColumns(ctx: Ctx): Sql {
  const community = sql`r.community_id`
  return sql`r.rule_id, r.community_id, r.name, r.state::text as state, r.version, r.revision, v.kinds, v.action, r.owner_id,
    u.user_id as owner_user_id, u.display_name as owner_name, r.created_at, r.updated_at,
    ${mayWhereItApplies(ctx, 'reviewComments', community)} as may_review_comments,
    ${mayWhereItApplies(ctx, 'reviewPosts', community)} as may_review_posts`
}

/**
 * Rules that aren't archived, where the caller may manage them, with their current versions. Uses rule_version_pkey and
 * network_user_pkey.
 */
export function managedRules(ctx: Ctx): Sql {
  return sql`
    rule r join rule_version v on v.rule_id = r.rule_id and v.version = r.version left join network_user u on u.user_id = r.owner_id
    where not r.is_archived and ${mayWhereItApplies(ctx, 'manageRules', sql`r.community_id`)}`
}

export interface RuleRow
  extends Pick<ListedRule, 'ruleId' | 'name' | 'state' | 'version' | 'revision' | 'kinds' | 'action'> {
  communityId: string | null
  ownerId: string
  ownerUserId: string | null
  ownerName: string | null
  createdAt: Date
  updatedAt: Date
  mayReviewComments: boolean
  mayReviewPosts: boolean
}

export function toListedRule({ ownerId, ownerUserId, ownerName, ...row }: RuleRow): ListedRule {
  const { communityId, createdAt, updatedAt, mayReviewComments, mayReviewPosts, ...rule } = row
  return {
    ...rule,
    ...present({ communityId }),
    owner: { ...present({ userId: ownerUserId }), displayName: ownerName || ownerId },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    mayMakeLive: mayDoByHand(row, rule.kinds),
  }
}

/** Whether the caller may hold content of each of these kinds: that is a reviewer's. */
export function mayDoByHand(
  { mayReviewComments, mayReviewPosts }: Pick<RuleRow, 'mayReviewComments' | 'mayReviewPosts'>,
  kinds: RuleKind[],
): boolean {
  const may = { comment: mayReviewComments, post: mayReviewPosts }
  return kinds.every((kind) => may[kind])
}

export interface VersionRow extends Pick<RuleVersion, 'version' | 'kinds' | 'action'> {
  condition: Condition
  createdAt: Date
  usedAt: Date | null
}

export function toRuleVersion({ createdAt, usedAt, ...version }: VersionRow): RuleVersion {
  return { ...version, createdAt: createdAt.toISOString(), ...(usedAt !== null && { usedAt: usedAt.toISOString() }) }
}
