-- A table that was detached is dropped without its foreign keys: with them, the transaction that drops it would lock webhook_endpoint until the
-- disk has written, while every delivery waits, and could not drop it as long as somebody reads that table.
-- One call does one of these things to tables that are partitioned alike, of which the first one tells what has expired: detach the oldest
-- partition if it is full and all of it has expired; drop what was detached; add the partitions that will be needed next. `has_dropped` is false
-- after the last one. `full_upto` is the bound of the last partition that is full; null while another process is at it. Waits with others behind
-- it for 50 ms at most for each table, and never for somebody who has locked a single partition: what could not be done is done by a later call.
create or replace function keep_partitions(tables text[], reached bigint, first_kept bigint, expired_before timestamptz,
  out full_upto bigint, out has_dropped boolean)
language plpgsql volatile
as $$
declare
  oldest text;
  detached text;
  referenced text;
  foreign_key record;
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
      -- To drop a foreign key, the table it refers to is locked: first, as by everybody who locks rows of both.
      select string_agg(distinct c.confrelid::regclass::text, ', ') into referenced
      from pg_constraint c join unnest(tables) t on c.conrelid = t::regclass where c.contype = 'f';
      if referenced is not null then
        execute format('lock table %s in access exclusive mode', referenced);
      end if;
      execute (select format('lock table %s in access exclusive mode', string_agg(format('only %I', t), ', ')) from unnest(tables) t);
      execute (select format('lock table %s in access exclusive mode nowait', string_agg(format('only %I, only %I', t || '_' || oldest, t || '_default'), ', '))
        from unnest(tables) t);
      -- A transaction may have been open before.
      if has_expired(tables[1] || '_' || oldest, expired_before) then
        foreach parent in array tables loop
          execute format('alter table %I detach partition %I', parent, parent || '_' || oldest);
          for foreign_key in select conname from pg_constraint where conrelid = (parent || '_' || oldest)::regclass and contype = 'f' loop
            execute format('alter table %I drop constraint %I', parent || '_' || oldest, foreign_key.conname);
          end loop;
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
