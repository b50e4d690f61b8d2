-- Deliveries of events to the endpoints of integrators (server/modules/webhooks). Until now nothing was ever delivered.
drop table delivery;

alter table webhook_endpoint
  add column description text,
  add column version integer not null default 1,
  add column failing_since timestamptz(3),
  add column removed_at timestamptz(3);
alter table webhook_endpoint add constraint webhook_endpoint_reason check (disabled_reason in ('person', 'failing'));

create type delivery_state as enum ('waiting', 'delivered', 'failed', 'skipped');

create table delivery (
  delivery_id text not null,
  endpoint_id text not null,
  event_seq bigint not null,
  event_name text not null,
  subject_type text not null,
  subject_id text not null,
  state delivery_state not null default 'waiting',
  tries integer not null default 0,
  queued_at timestamptz(6),
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3),
  settled_at timestamptz(3),
  constraint delivery_pkey primary key (delivery_id),
  constraint delivery_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint (endpoint_id) on delete cascade on update no action
);
create unique index delivery_event_seq_endpoint_id_key on delivery (event_seq, endpoint_id);
-- What the queue is to be told, in the order of events; and when it was last told anything.
create index delivery_queued_at_event_seq_idx on delivery (queued_at, event_seq);
-- The list of deliveries, newest first, by each of its filters.
create index delivery_created_at_delivery_id_idx on delivery (created_at desc, delivery_id desc);
create index delivery_endpoint_id_created_at_delivery_id_idx on delivery (endpoint_id, created_at desc, delivery_id desc);
create index delivery_state_created_at_delivery_id_idx on delivery (state, created_at desc, delivery_id desc);
create index delivery_event_name_created_at_delivery_id_idx on delivery (event_name, created_at desc, delivery_id desc);

create type try_problem as enum ('status', 'redirect', 'timeout', 'address', 'name', 'connection', 'certificate', 'cut', 'interrupted');

create table delivery_try (
  delivery_id text not null,
  number integer not null,
  is_last boolean not null,
  started_at timestamptz(3) not null,
  duration_ms integer,
  status integer,
  problem try_problem,
  answer text,
  constraint delivery_try_pkey primary key (delivery_id, number),
  constraint delivery_try_delivery_id_fkey foreign key (delivery_id) references delivery (delivery_id) on delete cascade on update no action
);
-- Tries under way: those that began long ago were cut off with their process.
create index delivery_try_open on delivery_try (started_at) where duration_ms is null;

-- An event is told no earlier than those on the same subject that still wait out their undo time (events/record-event.ts).
create index event_held_subject on event (subject_type, subject_id) where state = 'held';
-- What is kept for a time only (events/forget-events.ts).
create index event_created on event (created_at);
