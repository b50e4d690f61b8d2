/**
 * Approves the next comment of the table bench_turn, if it is still pending: compares and sets, counts, and inserts the audit row, the
 * event and the decision. Everything is found by key. The event's payload is an id alone, and the signature of the audit row is one in size
 * alone.
 */
export const DECISION_FLOOR = `
  with approved as (
    update comment set approval_status = 'approved', version = version + 1, updated_at = now()
    where comment_id = (select comment_id from bench_turn where turn = (select nextval('bench_turns')))
      and approval_status = 'pending' and not is_deleted
    returning *),
  item as (
    update review_item i set state = 'approved', version = approved.version, closed_at = now() from approved
    where i.kind = 'held' and i.subject_type = 'comment' and i.subject_id = approved.comment_id),
  counted as (
    insert into tally_delta (kind, subject_id, delta)
    select 'held_comments'::tally_kind, community_id, -1 from approved
    union all
    select 'post_comments', reference_id, 1 from approved),
  audited as (
    insert into audit (at, actor_kind, actor_id, source, action, subject_type, subject_id, community_id, before, after, request_id,
      nonce, mac)
    select now(), 'user', 'reviewer', 'rest', 'comment.approved', 'comment', comment_id, community_id,
      '{"approvalStatus":"pending"}', '{"approvalStatus":"approved"}', 'bench', uuid_send(uuidv7()), sha256('bench')
    from approved),
  published as (
    insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
    select 'v3.comment.didApprove', false, 'comment', comment_id, community_id, jsonb_build_object('commentId', comment_id), 'released',
      now(), now()
    from approved returning event_id)
  insert into decision (subject_type, subject_id, community_id, author_id, outcome, decided_by, decided_by_name, decided_at, source,
    version, held_at, event_id)
  select 'comment', comment_id, community_id, user_id, 'approved', 'reviewer', 'Reviewer', now(), 'rest', version, queued_at, event_id
  from approved, published`
