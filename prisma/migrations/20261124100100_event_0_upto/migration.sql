-- The bound of the first partition: above the events that exist and as many again, at least a million, so that no write reaches it before
-- the next migrations are applied.
do $$
declare
  upto bigint := (select (s.last_value + greatest(1000000, t.reltuples::bigint)) / 1000000 * 1000000 + 1000000
    from event_event_id_seq s, pg_class t where t.oid = 'event'::regclass);
begin
  execute format('alter table event add constraint event_0_upto check (event_id < %L::bigint) not valid', upto);
end $$;
