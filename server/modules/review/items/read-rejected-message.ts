import { type Sql, sql } from '#server/core/db.ts'
import { REJECTED_VERSION } from '#server/modules/review/decisions/handlers/message.ts'

/** A message that rules rejected, in the columns of an item: it is read as a reported one is. Uses message_pkey and rule_match_subject_type_subject_id_rule_id_key. */
export function rejectedMessage(messageId: string): Sql {
  return sql`(
    select 'message' as subject_type, sent.message_id as subject_id, null::text as community_id, sent.channel_id,
      sent.user_id as author_id, case when sent.is_deleted then ${REJECTED_VERSION}::int else ${REJECTED_VERSION + 1}::int end as version,
      sent.flag_count, sent.created_at as opened_at, sent.created_at as placed_at, 'rejected' as state, null::text as title, null::text as text,
      null::timestamptz as escalated_at, null::text as escalated_by, null::text as escalated_by_name, null::text as escalation_note,
      null::text as handed_to, null::text as claimed_by, null::timestamptz as claimed_until
    from message sent where sent.message_id = ${messageId})`
}
