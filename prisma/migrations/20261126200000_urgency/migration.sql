-- What a held item is worth in "Most urgent first", in minutes (docs/decisions/0238-most-urgent-first.md). Null: four hours of target, and nothing
-- of the others. The reach of a held item is null until the worker has written the minutes of one that was held before.
alter table "comment" add column "target_minutes" smallint, add column "rule_minutes" smallint, add column "signal_minutes" smallint,
  add column "reach_minutes" smallint;
alter table "post" add column "target_minutes" smallint, add column "rule_minutes" smallint, add column "signal_minutes" smallint,
  add column "reach_minutes" smallint;

-- The sum as a time (UTC), so that the order stays right while time passes: the earlier, the more urgent.
create function urgent_at(queued_at timestamptz, target_minutes smallint, rule_minutes smallint, signal_minutes smallint,
  reach_minutes smallint, flag_count integer) returns timestamp language sql immutable parallel safe
  return (queued_at at time zone 'UTC') + make_interval(mins => coalesce(target_minutes, 240) - coalesce(rule_minutes, 0)
    - coalesce(signal_minutes, 0) - coalesce(reach_minutes, 0) - 60 * least(flag_count, 8));

-- The minutes of a score, up to eight hours, and of so many people; null for none.
create function signal_urgency(score double precision) returns smallint language sql immutable parallel safe
  return nullif(round((greatest(score, 0.5) - 0.5) * 960), 0)::smallint;
create function reach_urgency(reach integer) returns smallint language sql immutable parallel safe
  return nullif(60 * greatest(length(reach::text) - 2, 0), 0)::smallint;

-- Triggers write what they know for every writer: the target and the reach when an item is held, and the scores also when it is held again. The
-- program writes the minutes of rules.
create function set_comment_urgency() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.queued_at is distinct from old.queued_at then
    new.target_minutes := (select within_minutes from service_target where community_id = new.community_id);
    new.reach_minutes := coalesce(
      (select reach_urgency(reach) from post where post_id = new.reference_id and new.reference_type = 'post'), 0);
  end if;
  if tg_op = 'UPDATE' then
    new.signal_minutes := (
      select signal_urgency(max(score)) from signal where subject_type = 'comment' and subject_id = new.comment_id);
  end if;
  return new;
end $$;
create function set_post_urgency() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.queued_at is distinct from old.queued_at then
    new.target_minutes := (select within_minutes from service_target where community_id = new.community_id);
    new.reach_minutes := coalesce(reach_urgency(new.reach), 0);
  end if;
  if tg_op = 'UPDATE' then
    new.signal_minutes := (
      select signal_urgency(max(score)) from signal where subject_type = 'post' and subject_id = new.post_id);
  end if;
  return new;
end $$;
create trigger comment_urgency_inserted before insert on comment for each row
  when (new.approval_status = 'pending' and not new.is_deleted) execute function set_comment_urgency();
create trigger comment_urgency_updated before update of approval_status, is_deleted, queued_at on comment for each row
  when (new.approval_status = 'pending' and not new.is_deleted
    and (old.approval_status is distinct from 'pending' or old.is_deleted or old.queued_at is distinct from new.queued_at))
  execute function set_comment_urgency();
create trigger post_urgency_inserted before insert on post for each row
  when (new.feed_type = 'reviewing' and not new.is_deleted and new.parent_post_id is null) execute function set_post_urgency();
create trigger post_urgency_updated before update of feed_type, is_deleted, queued_at on post for each row
  when (new.feed_type = 'reviewing' and not new.is_deleted and new.parent_post_id is null
    and (old.feed_type <> 'reviewing' or old.is_deleted or old.queued_at is distinct from new.queued_at))
  execute function set_post_urgency();

-- A new score of a held item. Who writes scores has locked the item, so that of two at the same time the second one sees the first.
create function set_signal_urgency() returns trigger language plpgsql as $$
declare
  minutes smallint := (
    select signal_urgency(max(score)) from signal where subject_type = new.subject_type and subject_id = new.subject_id);
begin
  if new.subject_type = 'comment' then
    update comment set signal_minutes = minutes
    where comment_id = new.subject_id and approval_status = 'pending' and not is_deleted and signal_minutes is distinct from minutes;
  else
    update post set signal_minutes = minutes
    where post_id = new.subject_id and feed_type = 'reviewing' and not is_deleted and signal_minutes is distinct from minutes;
  end if;
  return null;
end $$;
create trigger signal_urgency_inserted after insert on signal for each row
  when (new.subject_type <> 'message' and new.score > 0.5) execute function set_signal_urgency();
create trigger signal_urgency_updated after update of score on signal for each row
  when (new.subject_type <> 'message' and old.score <> new.score and greatest(old.score, new.score) > 0.5)
  execute function set_signal_urgency();
