import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import {
  type ListedRule,
  type Overturned,
  type Paused,
  ReviewedKind,
  type RuleKind,
  type RuleVersion,
} from '#server/modules/rules/registry/schema.ts'
import { mayDeleteMessages, mayWhereItApplies } from '#server/modules/rules/registry/scope.ts'

/** The action of the version `v`: those that were made before there were severities have the usual one. */
export const ACTION = sql`'{"severity": "medium"}' || v.action as action`

/** What `toListedRule` reads, selected from `managedRules`. The log has why it doesn't act: audit_subject_type_subject_id_audit_id_idx. */
export function ruleColumns(ctx: Ctx): Sql {
  const community = sql`r.community_id`
  return sql`r.rule_id, r.community_id, r.name, r.state::text as state, r.version, r.revision, v.kinds, ${ACTION}, r.owner_id, r.max_overturned,
    u.user_id as owner_user_id, u.display_name as owner_name, r.created_at, r.updated_at,
    case when r.state = 'paused' then (
      select jsonb_strip_nulls(jsonb_build_object('at', a.at, 'reason', a.after ->> 'reason',
        'by', case a.action when 'rule.paused' then coalesce(nullif(pausing.display_name, ''), a.actor_id) end))
      from audit a left join network_user pausing on pausing.user_id = a.actor_id
      where a.subject_type = 'rule' and a.subject_id = r.rule_id and a.action in ('rule.paused', 'rule.failed')
      order by a.audit_id desc limit 1) end as paused,
    case when r.state = 'shadow' then (
      select case a.action when 'rule.overturned' then
        jsonb_build_object('at', a.at, 'decided', a.after -> 'decided', 'approved', a.after -> 'approved') end
      from audit a
      where a.subject_type = 'rule' and a.subject_id = r.rule_id and a.action in ('rule.shadowed', 'rule.overturned')
      order by a.audit_id desc limit 1) end as overturned,
    ${mayWhereItApplies(ctx, 'reviewComments', community)} as may_review_comments,
    ${mayWhereItApplies(ctx, 'reviewPosts', community)} as may_review_posts, ${mayDeleteMessages(ctx, community)} as may_delete_messages,
    ${mayWhereItApplies(ctx, 'muteMembers', community)} as may_mute`
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
  extends Pick<
    ListedRule,
    'ruleId' | 'name' | 'state' | 'version' | 'revision' | 'kinds' | 'action' | 'maxOverturned'
  > {
  communityId: string | null
  ownerId: string
  ownerUserId: string | null
  ownerName: string | null
  createdAt: Date
  updatedAt: Date
  paused: Paused | null
  overturned: Overturned | null
  mayReviewComments: boolean
  mayReviewPosts: boolean
  mayDeleteMessages: boolean
  mayMute: boolean
}

export function toListedRule({ ownerId, ownerUserId, ownerName, ...row }: RuleRow): ListedRule {
  const { communityId, createdAt, updatedAt, paused, overturned, ...kept } = row
  const { mayReviewComments, mayReviewPosts, mayDeleteMessages, mayMute, ...rule } = kept
  return {
    ...rule,
    ...present({ communityId }),
    owner: { ...present({ userId: ownerUserId }), displayName: ownerName || ownerId },
    createdAt: timestampOf(createdAt),
    updatedAt: timestampOf(updatedAt),
    ...(paused && { paused: { ...paused, at: timestampOf(new Date(paused.at)) } }),
    ...(overturned && { overturned: { ...overturned, at: timestampOf(new Date(overturned.at)) } }),
    mayMakeLive: mayActManually(row),
    mayTest: mayTest(row),
  }
}

type Permitted = Pick<
  RuleRow,
  'kinds' | 'action' | 'mayReviewComments' | 'mayReviewPosts' | 'mayDeleteMessages' | 'mayMute'
>

/**
 * Whether the caller may do by hand what the rule does: to hold or reject content is a reviewer's, anybody flags it, to highlight it changes nothing.
 * A rule that mutes also takes the permission to mute.
 */
export function mayActManually(rule: Permitted): boolean {
  const { type, muteMinutes } = rule.action
  if (type === 'highlight' || type === 'flag') return true
  return reviewsKinds(rule) && (muteMinutes === undefined || rule.mayMute)
}

/** Whether the caller reviews content of each kind that the rule judges; messages are reviewed by those who delete them. */
function reviewsKinds({ kinds, ...row }: Omit<Permitted, 'action' | 'mayMute'>): boolean {
  const { mayReviewComments, mayReviewPosts, mayDeleteMessages } = row
  const may: Record<RuleKind, boolean> = {
    comment: mayReviewComments,
    post: mayReviewPosts,
    message: mayDeleteMessages,
  }
  return kinds.every((kind) => may[kind])
}

/** Whether it judges comments or posts, and the caller reviews these. */
export function mayTest({ kinds, ...row }: Omit<Permitted, 'action'>): boolean {
  const tested = ReviewedKind.options.filter((kind) => kinds.includes(kind))
  return tested.length > 0 && reviewsKinds({ ...row, kinds: tested })
}

export interface VersionRow extends Pick<RuleVersion, 'version' | 'kinds' | 'action'> {
  condition: Condition
  createdAt: Date
  usedAt: Date | null
}

export function toRuleVersion({ createdAt, usedAt, ...version }: VersionRow): RuleVersion {
  return { ...version, createdAt: timestampOf(createdAt), ...(usedAt !== null && { usedAt: timestampOf(usedAt) }) }
}
