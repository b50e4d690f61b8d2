-- Partitions that have expired are detached first, and dropped by a later call. A transaction that drops a table waits for the disk before it
-- releases its locks; one that detaches does not, and nobody waits for a table that is in no other one. A schema of their own keeps these
-- tables out of backups.
do $$ begin
  -- The statement asks for the right to create it even if it exists.
  if to_regnamespace('docket_expired') is null then
    create schema docket_expired;
  end if;
end $$;

-- The partitions of a table. `upto` is the event id or number that its first id after the partition stands for; null for the default partition.
create function partitions_of(parent text) returns table (name text, upto bigint) language sql stable
as $$
  select c.relname::text, coalesce(substring(b.bound from $re$TO \('(\d+)'\)$re$)::bigint,
    ('x' || replace(substring(b.bound from $re$TO \('([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4})-$re$), '-', ''))::bit(64)::bigint)
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = parent::regclass
$$;

-- The first id after a partition.
create function partition_bound(parent text, upto bigint) returns text language sql immutable
as $$
  select case parent when 'event' then upto::text end
$$;

-- One call does one of these things to tables that are partitioned alike, of which the first one tells what has expired: detach the oldest
-- partition if it is full and all of it has expired; drop what was detached; add the partitions that will be needed next. `has_dropped` is false
-- after the last one. `full_upto` is the bound of the last partition that is full; null while another process is at it. Waits with others behind
-- it for 50 ms at most, and never for somebody who has locked a single partition: what could not be done is done by a later call.
create function keep_partitions(tables text[], reached bigint, first_kept bigint, expired_before timestamptz,
  out full_upto bigint, out has_dropped boolean)
language plpgsql volatile
as $$
declare
  oldest text;
  detached text;
  next_from bigint;
  next_rows bigint;
  default_rows bigint;
  parent text;
begin
  has_dropped := false;
  if not pg_try_advisory_xact_lock(72707374, hashtext(tables[1])) then
    return;
  end if;
  full_upto := coalesce((select max(upto) from partitions_of(tables[1]) where upto <= reached), 0);
  -- Locks are not kept while the disk writes: what a crash undoes is done again.
  perform set_config('synchronous_commit', 'off', true);
  perform set_config('lock_timeout', '50ms', true);

  select substring(name from '\d+$') into oldest from partitions_of(tables[1]) where upto <= reached order by upto limit 1;
  if oldest is not null and has_expired(tables[1] || '_' || oldest, expired_before) then
    begin
      execute (select format('lock table %s in access exclusive mode', string_agg(format('only %I', t), ', ')) from unnest(tables) t);
      execute (select format('lock table %s in access exclusive mode nowait', string_agg(format('only %I, only %I', t || '_' || oldest, t || '_default'), ', '))
        from unnest(tables) t);
      -- A transaction may have been open before.
      if has_expired(tables[1] || '_' || oldest, expired_before) then
        foreach parent in array tables loop
          execute format('alter table %I detach partition %I', parent, parent || '_' || oldest);
          execute format('alter table %I set schema docket_expired', parent || '_' || oldest);
        end loop;
        has_dropped := true;
        return;
      end if;
    exception when lock_not_available then
      raise notice 'no partition was detached: the table is locked';
    end;
  end if;

  detached := (select string_agg(format('docket_expired.%I', relname), ', ') from pg_class
    where relnamespace = 'docket_expired'::regnamespace and relkind = 'r' and relname ~ format('^(%s)_\d+$', array_to_string(tables, '|')));
  if detached is not null then
    begin
      perform set_config('lock_timeout', '1s', true);
      execute format('drop table %s', detached);
      has_dropped := true;
      return;
    exception when lock_not_available then
      raise notice 'what was detached was not dropped: it is locked';
      perform set_config('lock_timeout', '50ms', true);
    end;
  end if;

  -- With a margin, for statements that have taken an id and not yet found its partition.
  next_from := greatest((select max(upto) from partitions_of(tables[1])), reached + 10000);
  -- An eighth of what is kept, so that there are few partitions, but enough to be worth one.
  next_rows := greatest(1000000, (reached - first_kept) / 8);
  default_rows := 0;
  foreach parent in array tables loop
    execute format('select greatest($1, count(*)) from (select from %I limit 100000) as read', parent || '_default') into default_rows using default_rows;
  end loop;
  -- Two in advance. To add one, all of the default one is read under a lock.
  while next_from - reached < 2 * next_rows and default_rows < 100000 loop
    begin
      foreach parent in array tables loop
        perform add_partition(parent, next_from::text, partition_bound(parent, next_from), partition_bound(parent, next_from + next_rows));
      end loop;
      next_from := next_from + next_rows;
    exception when lock_not_available then
      raise notice 'no partition was added: the table is locked';
      exit;
    end;
  end loop;
end $$;

create function add_partition(parent text, suffix text, lower_bound text, upper_bound text) returns void language plpgsql
as $$
begin
  execute format('create table %I (like %I including defaults)', parent || '_' || suffix, parent);
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', parent, parent || '_' || suffix,
    coalesce(quote_literal(lower_bound), 'minvalue'), upper_bound);
end $$;

-- Keeps the partitions of events. `deleted_from` is from where events are deleted one by one: the bound of the last partition that is full, or
-- the first event of the default one; null while another process is at it.
create or replace function keep_event_partitions(expired_before timestamptz, out deleted_from bigint, out has_dropped boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '50ms'
as $$
begin
  select k.full_upto, k.has_dropped into deleted_from, has_dropped
  from keep_partitions('{event}', (select last_value from event_event_id_seq), (select min(event_id) from event), expired_before) k;
  deleted_from := least(deleted_from, case when deleted_from is not null then (select min(event_id) from event_default) end);
end $$;
