update decision d set held_at = held.queued_at
from (
  select 'comment'::subject_type as subject_type, comment_id as subject_id, queued_at from comment where queued_at is not null
  union all
  select 'post', post_id, queued_at from post where queued_at is not null) held
where held.subject_type = d.subject_type and held.subject_id = d.subject_id and d.outcome in ('approved', 'rejected') and not d.is_reversal;

-- What was decided in some communities in a time, how, by whom and how soon, without a look at the table itself.
create index decision_on_held on decision (community_id, decided_at) include (held_at, outcome, subject_type, decided_by)
  where held_at is not null and undone_at is null;

-- What was held in some communities in a time, whatever became of it.
create index comment_queued on comment (community_id, queued_at) where queued_at is not null;
create index post_queued on post (community_id, queued_at) where queued_at is not null and parent_post_id is null;
