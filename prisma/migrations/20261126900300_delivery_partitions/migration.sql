-- Deliveries and their attempts are partitioned alike, by the id of the delivery, which begins with the number of its event. The tables of today
-- become the first partitions: the constraints prove their bounds, so nothing is read, copied or built.
do $$
declare
  upto text := (select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') from pg_constraint
    where conrelid = 'delivery'::regclass and conname = 'delivery_0_upto');
begin
  alter table delivery rename to delivery_0;
  alter table delivery_try rename to delivery_try_0;
  alter table delivery_try_0 drop constraint delivery_try_delivery_id_fkey;
  alter table delivery_0 rename constraint delivery_pkey to delivery_0_pkey;
  alter table delivery_try_0 rename constraint delivery_try_pkey to delivery_try_0_pkey;
  alter table delivery_0 rename constraint delivery_endpoint_id_fkey to delivery_0_endpoint_id_fkey;
  -- As PostgreSQL names the indexes of partitions.
  alter index delivery_queued_at_event_seq_idx rename to delivery_0_queued_at_event_seq_idx;
  alter index delivery_created_at_delivery_id_idx rename to delivery_0_created_at_delivery_id_idx;
  alter index delivery_endpoint_id_created_at_delivery_id_idx rename to delivery_0_endpoint_id_created_at_delivery_id_idx;
  alter index delivery_state_created_at_delivery_id_idx rename to delivery_0_state_created_at_delivery_id_idx;
  alter index delivery_event_name_created_at_delivery_id_idx rename to delivery_0_event_name_created_at_delivery_id_idx;
  alter index delivery_subject rename to delivery_0_hashtextextended_created_at_delivery_id_idx;
  alter index delivery_arrived rename to delivery_0_endpoint_id_finished_at_idx;
  alter index delivery_try_open rename to delivery_try_0_started_at_idx;
  -- Of each partition: an index of the whole table would have to contain the id, which is another one in each attempt to send an event twice. All
  -- deliveries of an event are in one partition, as their ids begin with its number.
  alter index delivery_event_seq_endpoint_id_key rename to delivery_0_event_seq_endpoint_id_key;

  create table delivery (like delivery_0 including defaults) partition by range (delivery_id);
  alter table delivery add constraint delivery_pkey primary key (delivery_id);
  alter table delivery add constraint delivery_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint (endpoint_id)
    on delete cascade on update no action;
  create index delivery_queued_at_event_seq_idx on delivery (queued_at, event_seq);
  create index delivery_created_at_delivery_id_idx on delivery (created_at desc, delivery_id desc);
  create index delivery_endpoint_id_created_at_delivery_id_idx on delivery (endpoint_id, created_at desc, delivery_id desc);
  create index delivery_state_created_at_delivery_id_idx on delivery (state, created_at desc, delivery_id desc);
  create index delivery_event_name_created_at_delivery_id_idx on delivery (event_name, created_at desc, delivery_id desc);
  create index delivery_subject on delivery (hashtextextended(subject_id, 0), created_at desc, delivery_id desc);
  create index delivery_arrived on delivery (endpoint_id, finished_at desc) where state = 'delivered';
  execute format('alter table delivery attach partition delivery_0 for values from (minvalue) to (%L)', upto);
  alter table delivery_0 drop constraint delivery_0_upto;

  create table delivery_try (like delivery_try_0 including defaults) partition by range (delivery_id);
  alter table delivery_try add constraint delivery_try_pkey primary key (delivery_id, number);
  create index delivery_try_open on delivery_try (started_at) where duration_ms is null;
  execute format('alter table delivery_try attach partition delivery_try_0 for values from (minvalue) to (%L)', upto);
  alter table delivery_try_0 drop constraint delivery_try_0_upto;

  -- Take what no other partition takes, so that no write fails for the lack of one.
  create table delivery_default partition of delivery default;
  create unique index delivery_default_event_seq_endpoint_id_key on delivery_default (event_seq, endpoint_id);
  create table delivery_try_default partition of delivery_try default;
end $$;

-- In place of a foreign key, for which a partition of deliveries could not be dropped without reading all attempts under a lock.
create function delete_tries() returns trigger language plpgsql
as $$
begin
  delete from delivery_try where delivery_id in (select delivery_id from deleted);
  return null;
end $$;

create trigger delete_tries after delete on delivery referencing old table as deleted for each statement execute function delete_tries();

-- The first id after a partition: of an event, or of the deliveries of the event with that number.
create or replace function partition_bound(parent text, upto bigint) returns text language sql immutable
as $$
  select case parent when 'event' then upto::text else (lpad(to_hex(upto), 16, '0') || repeat('0', 16))::uuid::text end
$$;

-- Whether all rows of this partition were created before this, and none is needed any more: the numbering of events continues from the last number.
-- Looks in the indexes only, also before there are statistics of the partition.
create or replace function has_expired(partition text, expired_before timestamptz) returns boolean language plpgsql stable set enable_seqscan = off
as $$
declare
  has_expired boolean;
begin
  execute format('select not exists (select from %I where created_at >= $1)', partition) into has_expired using expired_before;
  if has_expired and partition like 'event\_%' then
    execute format('
      select not exists (select from %1$I where state = ''held'') and not exists (select from %1$I where seq is null)
        and coalesce((select max(seq) from %1$I) < (select max(seq) from event), true)', partition)
      into has_expired;
  end if;
  return has_expired;
end $$;

create or replace function add_partition(parent text, suffix text, lower_bound text, upper_bound text) returns void language plpgsql
as $$
begin
  execute format('create table %I (like %I including defaults)', parent || '_' || suffix, parent);
  if parent = 'delivery' then
    execute format('create unique index %I on %I (event_seq, endpoint_id)', 'delivery_' || suffix || '_event_seq_endpoint_id_key', 'delivery_' || suffix);
  end if;
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', parent, parent || '_' || suffix,
    coalesce(quote_literal(lower_bound), 'minvalue'), upper_bound);
end $$;

-- Keeps the partitions of deliveries and of their attempts. `deleted_from` is from where deliveries are deleted one by one: the bound of the last
-- partition that is full, or the first delivery of the default one; null while another process is at it.
create function keep_delivery_partitions(expired_before timestamptz, out deleted_from text, out has_dropped boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '50ms'
as $$
declare
  full_upto bigint;
begin
  select k.full_upto, k.has_dropped into full_upto, has_dropped
  from keep_partitions('{delivery,delivery_try}', (select coalesce(max(seq), 0) from event), (select min(seq) from event), expired_before) k;
  if full_upto is not null then
    deleted_from := least(partition_bound('delivery', full_upto), (select min(delivery_id) from delivery_default));
  end if;
end $$;

-- As for events: a number is never greater than the id of its event.
create function restart_delivery_partitions(reached bigint) returns void language plpgsql
as $$
declare
  parent text;
  part record;
begin
  foreach parent in array '{delivery,delivery_try}'::text[] loop
    for part in select name from partitions_of(parent) where upto is not null loop
      execute format('drop table %I', part.name);
    end loop;
    perform add_partition(parent, '0', null, partition_bound(parent, reached + 1000000));
  end loop;
end $$;
