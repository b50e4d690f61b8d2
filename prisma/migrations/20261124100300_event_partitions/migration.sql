-- Events are partitioned by their id, which grows with time. The table of today becomes the first partition: the constraint proves its bound,
-- so nothing is read, copied or built. Dynamic, as the bound depends on how many events there are.
do $$
declare
  upto text := (select substring(pg_get_constraintdef(oid) from '< ''?(\d+)') from pg_constraint
    where conrelid = 'event'::regclass and conname = 'event_0_upto');
begin
  alter table event rename to event_0;
  alter table event_0 rename constraint event_pkey to event_0_pkey;
  -- As PostgreSQL names the indexes of partitions.
  alter index event_created rename to event_0_created_at_idx;
  alter index event_held rename to event_0_releases_at_event_id_idx;
  alter index event_held_subject rename to event_0_subject_type_subject_id_idx;
  alter index event_unsealed rename to event_0_event_id_idx;
  drop index event_seq_key;

  create table event (like event_0 including defaults) partition by range (event_id);
  alter table event add constraint event_pkey primary key (event_id);
  create index event_seq_idx on event (seq);
  create index event_created on event (created_at);
  create index event_held on event (releases_at, event_id) where state = 'held';
  create index event_held_subject on event (subject_type, subject_id) where state = 'held';
  create index event_unsealed on event (event_id) where seq is null;
  execute format('alter table event attach partition event_0 for values from (minvalue) to (%s)', upto);
  alter table event_0 drop constraint event_0_upto;
  -- Takes what no other partition takes, so that no write fails for the lack of one.
  create table event_default partition of event default;
  alter sequence event_event_id_seq owned by event.event_id;
end $$;

-- The bound of the default partition is null.
create view event_partition as
select format('%I', c.relname) as name, substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(\d+)'\)$re$)::bigint as upto
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'event'::regclass;

-- Whether the last of these events was created before this, and none is needed any more: the numbering continues from the last number. Looks in
-- the indexes only, also before there are statistics of the partition.
create function has_expired(partition text, expired_before timestamptz) returns boolean language plpgsql stable set enable_seqscan = off
as $$
declare
  has_expired boolean;
begin
  execute format('
    select not exists (select from %1$s where created_at >= $1) and not exists (select from %1$s where state = ''held'')
      and not exists (select from %1$s where seq is null)
      and coalesce((select max(seq) from %1$s) < (select max(seq) from event), true)', partition)
    into has_expired using expired_before;
  return has_expired;
end $$;

-- Adds the partitions that will be needed next, and drops the oldest one if every event in it has expired: one in a transaction, which has the
-- lock of all events until its end. `deleted_from` is from where events are deleted one by one: the bound of the last partition that is full, or
-- the first event of the default one; null while another process is at it. Waits for no lock for longer than 50 ms, as everybody who comes later
-- waits with it: what could not be done is done by a later call.
create function keep_event_partitions(expired_before timestamptz, out deleted_from bigint, out has_dropped boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '50ms'
as $$
declare
  reached bigint;
  next_from bigint;
  next_rows bigint;
  part record;
begin
  has_dropped := false;
  if not pg_try_advisory_xact_lock(72707374) then
    return;
  end if;
  reached := (select last_value from event_event_id_seq);
  -- With a margin, for statements that have taken an id and not yet found its partition.
  next_from := greatest((select max(upto) from event_partition), reached + 10000);
  -- An eighth of what is kept, so that there are few partitions, but enough to be worth one.
  next_rows := greatest(1000000, (reached - (select min(event_id) from event)) / 8);

  -- Two in advance. To add one, all of the default one is read under a lock.
  while next_from - reached < 2 * next_rows and (select count(*) from (select from event_default limit 100000) as read) < 100000 loop
    begin
      execute format('create table event_%s (like event including defaults)', next_from);
      execute format('alter table event attach partition event_%s for values from (%s) to (%s)', next_from, next_from, next_from + next_rows);
      next_from := next_from + next_rows;
    exception when lock_not_available then
      raise notice 'no partition was added: the table is locked';
      exit;
    end;
  end loop;

  deleted_from := least(coalesce((select max(upto) from event_partition where upto <= reached), 0), (select min(event_id) from event_default));

  select name into part from event_partition where upto <= reached order by upto limit 1;
  if found and has_expired(part.name, expired_before) then
    begin
      execute format('lock table only event, only %s in access exclusive mode', part.name);
      -- A transaction may have been open before.
      if has_expired(part.name, expired_before) then
        execute format('drop table %s', part.name);
        has_dropped := true;
      end if;
    exception when lock_not_available then
      raise notice 'no partition was dropped: the table is locked';
    end;
  end if;
end $$;

-- Replaces the partitions of an empty table by one that all events up to this id, and as many as usual after it, belong to: for a restore.
create function restart_event_partitions(reached bigint) returns void language plpgsql
as $$
declare
  part record;
begin
  for part in select name from event_partition where upto is not null loop
    execute format('drop table %s', part.name);
  end loop;
  execute format('create table event_0 partition of event for values from (minvalue) to (%s)', reached + 1000000);
end $$;
