-- What is worth four hours or more comes before all that only waits: the newest day (UTC) first, of a day the most severe first, of equals the
-- longest held first (docs/decisions/0283-severe-and-fresh-first.md). It is sorted by times before 1999, in whole milliseconds, which keep that
-- order; the rest by its sum as a time (UTC), so that the order stays right while time passes. The earlier, the more urgent.
create or replace function urgent_at(queued_at timestamptz, target_minutes smallint, rule_minutes smallint, signal_minutes smallint,
  reach_minutes smallint, flag_count integer) returns timestamp language sql immutable parallel safe
  return case when coalesce(rule_minutes, 0) + coalesce(signal_minutes, 0) + coalesce(reach_minutes, 0) + 60 * least(flag_count, 8) >= 240
    then timestamp '1999-01-01' - (date_trunc('day', queued_at at time zone 'UTC') - timestamp '1970-01-01')
      + interval '40 seconds' * (1920 - coalesce(rule_minutes, 0) - coalesce(signal_minutes, 0) - coalesce(reach_minutes, 0)
        - 60 * least(flag_count, 8))
      + date_trunc('milliseconds', ((queued_at at time zone 'UTC') - date_trunc('day', queued_at at time zone 'UTC')) / 2160)
    else (queued_at at time zone 'UTC') + make_interval(mins => coalesce(target_minutes, 240) - coalesce(rule_minutes, 0)
      - coalesce(signal_minutes, 0) - coalesce(reach_minutes, 0) - 60 * least(flag_count, 8)) end;

update held_facet f
set urgent_at = urgent_at(c.queued_at, c.target_minutes, c.rule_minutes, c.signal_minutes, c.reach_minutes, c.flag_count)
from comment c where f.subject_type = 'comment' and c.comment_id = f.subject_id;
update held_facet f
set urgent_at = urgent_at(p.queued_at, p.target_minutes, p.rule_minutes, p.signal_minutes, p.reach_minutes, p.flag_count)
from post p where f.subject_type = 'post' and p.post_id = f.subject_id;
