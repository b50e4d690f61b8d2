import { type Sql, sql } from '#server/core/db.ts'

/** Audited actions by their names in the moderation activity report (docs/interface/reports-and-flags.md#report-events). */
const EVENT_OF: Record<string, string> = {
  'comment.flagged': 'comment.flagged',
  'comment.flagsCleared': 'comment.flagsCleared',
  'comment.dismissed': 'comment.flagsCleared',
  'comment.deleted': 'comment.deleted',
  'comment.erased': 'comment.deleted',
  'comment.approved': 'comment.approved',
  'comment.rejected': 'comment.declined',
  'comment.reversed': 'comment.declined',
  'comment.restored': 'comment.approved',
  'post.flagged': 'post.flagged',
  'post.flagsCleared': 'post.flagsCleared',
  'post.dismissed': 'post.flagsCleared',
  'post.deleted': 'post.deleted',
  'post.erased': 'post.deleted',
  'post.approved': 'post.approved',
  'post.rejected': 'post.declined',
  'post.reversed': 'post.declined',
  'post.restored': 'post.approved',
  'message.flagged': 'v5.message.flagged',
  'message.flagsCleared': 'v5.message.flagCleared',
  'message.dismissed': 'v5.message.flagCleared',
  'message.deleted': 'v5.message.deleted',
  'message.erased': 'v5.message.deleted',
  'message.deletedByFlags': 'v5.message.deleted',
  'community.userBanned': 'community.userBanned',
  'community.userRemoved': 'community.userRemoved',
  'channelUser.banned': 'channel.userBanned',
  'user.globallyBanned': 'user.didGlobalBan',
  'user.flagged': 'user.flagged',
  'user.flagsCleared': 'user.flagCleared',
  'user.dismissed': 'user.flagCleared',
}

/** The columns (docs/interface/reports-and-flags.md#report-columns), in the order of report_line. */
export const HEADER =
  'network_id,user_id,event,note,content_type,content_public_id,target_type,target_id,is_ai,created_at,updated_at,metadata\r\n'

/** Added to a statement that inserts audit rows, named `act`: marks those with one of these actions as part of the report, if it is on. */
function reported(actions: string[]): Sql {
  const events = Object.fromEntries(actions.map((action) => [action, EVENT_OF[action]]))
  return sql`,
  reported as (
    insert into reported_act (audit_id, at, event, line_bytes)
    select act.audit_id, act.at, published.event, octet_length(report_line(act, published.event, null))
    from act cross join lateral (select ${JSON.stringify(events)}::jsonb ->> act.action) as published(event)
    where published.event is not null and (select is_report_enabled from network_settings))`
}

/** Added to a statement that logs an undo: takes the undone decision out of the report. Uses audit_subject_type_subject_id_audit_id_idx. */
const TAKEN_BACK = sql`,
  taken_back as (
    delete from reported_act using act
    where reported_act.audit_id = (
      select max(decided.audit_id) from audit decided
      where decided.subject_type = act.subject_type and decided.subject_id = act.subject_id
        and split_part(decided.action, '.', 2) in ('approved', 'rejected', 'reversed', 'restored', 'dismissed', 'deleted')))`

/** The parts that these acts add to the statement that logs them. */
export function reporting(acts: { action: string }[]): Sql {
  const actions = acts.map(({ action }) => action)
  const published = actions.filter((action) => action in EVENT_OF)
  if (published.length > 0) return reported(published)
  return actions.some((action) => action.endsWith('.undone')) ? TAKEN_BACK : sql.empty
}
