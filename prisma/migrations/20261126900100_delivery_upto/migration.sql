-- The bound of the first partition of deliveries and of their attempts, by ids, which begin with the number of the event: above the events that
-- exist and as many again as are kept, at least a million, so that no write reaches it before the next migrations are applied.
do $$
declare
  reached bigint := coalesce((select max(seq) from event), 0);
  upto bigint := (reached + greatest(1000000, reached - (select min(seq) from event))) / 1000000 * 1000000 + 1000000;
  bound text := (lpad(to_hex(upto), 16, '0') || repeat('0', 16))::uuid;
begin
  execute format('alter table delivery add constraint delivery_0_upto check (delivery_id < %L) not valid', bound);
  execute format('alter table delivery_try add constraint delivery_try_0_upto check (delivery_id < %L) not valid', bound);
end $$;
