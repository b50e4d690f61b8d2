import { type Sql, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { withinDays } from '#server/core/within-days.ts'
import {
  type ActorKind,
  type AuditEntry,
  type AuditFilter,
  DECIDED,
  HELD,
} from '#server/modules/ledger/audit/schema.ts'

/** Decisions on held items. */
const DECISIONS = ['comment.approved', 'comment.rejected', 'post.approved', 'post.rejected']

/**
 * The filter's conditions on a row `audit a`. By time, alone or with actor, action or community, rows come in order from
 * audit_at, audit_by_actor, audit_of_action and audit_in_community; by subject from audit_subject_type_subject_id_audit_id_idx,
 * with a skip scan over its types.
 */
export function matchesFilter({ actorId, action, subjectId, communityId, ...days }: AuditFilter): Sql {
  const parts = [
    ...(actorId === undefined ? [] : [sql`and a.actor_id = ${actorId}`]),
    ...(action === undefined ? [] : [isOfAction(action)]),
    ...(subjectId === undefined ? [] : [sql`and a.subject_id = ${subjectId}`]),
    ...(communityId === undefined ? [] : [sql`and a.community_id = ${communityId}`]),
    withinDays(days, sql`a.at`),
  ]
  return sql`true ${sql.join(parts, ' ')}`
}

function isOfAction(action: string): Sql {
  if (action === DECIDED) return IS_DECISION_IN_FORCE
  return action === HELD ? sql`and a.action in ('comment.held', 'post.held')` : sql`and a.action = ${action}`
}

/** Uses decision_subject_type_subject_id_decided_at_idx. The resulting version distinguishes several decisions on one subject. */
const IS_DECISION_IN_FORCE = sql`and a.action = any(${DECISIONS}) and not exists (
  select from decision d
  where d.subject_type in ('comment', 'post') and d.subject_type::text = a.subject_type and d.subject_id = a.subject_id
    and d.version = (a.after ->> 'version')::int and d.undone_at is not null)`

/**
 * The names beside the ids, selected from `audit a` with ENTRY_NAMES; of an endpoint its host, as the rest of an address may be secret; of a
 * token whose it is, or its role; of a message its author.
 */
export const NAME_COLUMNS = sql`
  coalesce(nullif(who.display_name, ''), key.name) as actor_name,
  coalesce(nullif(whom.display_name, ''), staff.name, nullif(where_to.display_name, ''), nullif(room.display_name, ''), their_key.name,
    substring(endpoint.url from '^[a-z]+://([^/?#]+)'), classifier.name, their_rule.name,
    case when their_role.role_id is not null then coalesce(nullif(their_role.display_name, ''), their_role.role_id) end, their_reason.label,
    coalesce(their_policy.texts -> 'en', (select said from jsonb_each(their_policy.texts) as written(language, said) limit 1)) ->> 'title',
    their_queue.name, their_view.name, token.name, nullif(holder.display_name, ''), coalesce(nullif(granted.display_name, ''), granted.role_id),
    nullif(writer.display_name, '')) as subject_name,
  nullif(k.display_name, '') as community_name, nullif(h.display_name, '') as channel_name`

/** What `toEntry` reads, selected from `audit a` with ENTRY_NAMES. */
export const ENTRY_COLUMNS = sql`
  a.audit_id::text as audit_id, a.at, a.actor_kind, a.actor_id, a.source::text as source, a.action,
  a.subject_type, a.subject_id, a.request_id, a.community_id,
  a.channel_id, who.user_id as actor_user_id, who.is_deleted as is_actor_deleted, whom.is_deleted as is_subject_deleted,
  case when a.action = 'network.moderationUpdated' then (
    select jsonb_object_agg(now.key, now.value) from jsonb_each(a.after) now where now.value is distinct from a.before -> now.key) end as turned,
  case when a.action = 'import.finished' then a.after -> 'added' end as added,
  ${NAME_COLUMNS}`

/** The names that an entry refers to, each looked up by primary key. */
export const ENTRY_NAMES = sql`
  left join network_user who on a.actor_kind in ('user', 'admin') and who.user_id = a.actor_id
  left join api_key key on a.actor_kind = 'key' and key.key_id = a.actor_id
  left join network_user whom on a.subject_type = 'user' and whom.user_id = a.subject_id
  left join staff_account staff on a.subject_type = 'staff' and staff.id = a.subject_id
  left join community where_to on a.subject_type = 'community' and where_to.community_id = a.subject_id
  left join channel room on a.subject_type = 'channel' and room.channel_id = a.subject_id
  left join api_key their_key on a.subject_type = 'key' and their_key.key_id = a.subject_id
  left join webhook_endpoint endpoint on a.subject_type = 'webhook' and endpoint.endpoint_id = a.subject_id
  left join classifier on a.subject_type = 'classifier' and classifier.classifier_id = a.subject_id
  left join rule their_rule on a.subject_type = 'rule' and their_rule.rule_id = a.subject_id
  left join role their_role on a.subject_type = 'role' and their_role.role_id = a.subject_id
  left join rejection_reason their_reason on a.subject_type = 'reason' and their_reason.reason_id = a.subject_id
  left join policy on a.subject_type = 'policy' and policy.policy_id = a.subject_id
  left join policy_version their_policy on their_policy.policy_id = policy.policy_id and their_policy.version = policy.version
  left join named_queue their_queue on a.subject_type = 'namedQueue' and their_queue.queue_id = a.subject_id
  left join saved_view their_view on a.subject_type = 'view' and their_view.view_id = a.subject_id
  left join access_token token on a.subject_type = 'token' and token.token_id = a.subject_id
  left join network_user holder on holder.user_id = token.user_id
  left join role granted on granted.role_id = token.role_id
  left join message on a.subject_type = 'message' and message.message_id = a.subject_id
  left join network_user writer on writer.user_id = message.user_id
  left join community k on k.community_id = a.community_id
  left join channel h on h.channel_id = a.channel_id`

export interface EntryRow {
  auditId: string
  at: Date
  actorKind: ActorKind
  actorId: string | null
  source: AuditEntry['source']
  action: string
  subjectType: string
  subjectId: string
  requestId: string
  communityId: string | null
  channelId: string | null
  actorName: string | null
  actorUserId: string | null
  isActorDeleted: boolean | null
  subjectName: string | null
  isSubjectDeleted: boolean | null
  communityName: string | null
  channelName: string | null
  turned: Record<string, boolean> | null
  added: Record<string, number> | null
}

export function toEntry(row: EntryRow): AuditEntry {
  const { auditId, actorKind, source, action, subjectType, subjectId, requestId, communityId, channelId } = row
  return {
    auditId,
    at: row.at.toISOString(),
    actor: {
      kind: actorKind,
      ...present({ id: row.actorId, name: row.actorName, userId: row.actorUserId, isDeleted: row.isActorDeleted }),
    },
    source,
    action,
    subject: {
      type: subjectType,
      id: subjectId,
      ...present({ name: row.subjectName, isDeleted: row.isSubjectDeleted }),
    },
    requestId,
    ...present({ turned: row.turned, added: row.added }),
    ...(communityId !== null && { community: { communityId, displayName: row.communityName ?? communityId } }),
    ...(channelId !== null && { channel: { channelId, displayName: row.channelName ?? channelId } }),
  }
}
