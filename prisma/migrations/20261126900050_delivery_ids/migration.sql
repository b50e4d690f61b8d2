-- Ids of deliveries begin with the number of their event, by which they are going to be partitioned: early versions gave them other ids. Those that
-- are still to be sent are queued again under the new one; a job for a delivery that isn't there does nothing. Nothing is written where no id is
-- an early one.
with early as materialized (
  select delivery_id as before,
    (lpad(to_hex(event_seq), 16, '0') || right(replace(delivery_id, '-', ''), 16))::uuid::text as after
  from delivery
  where left(replace(delivery_id, '-', ''), 16) <> lpad(to_hex(event_seq), 16, '0')
  for update),
tries as (
  update delivery_try set delivery_id = early.after from early where delivery_id = early.before)
update delivery set delivery_id = early.after, queued_at = case when state = 'waiting' then null else queued_at end
from early where delivery_id = early.before;
