-- How many comments each community holds, by the day (UTC) they were held on, so that a page far down the queue is found without reading
-- what is skipped. Kept as other counts are: totals folded by the sequencer, and open deltas, which never wait for each other.
CREATE TABLE "held_day" (
    "community_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "total" INTEGER NOT NULL,

    CONSTRAINT "held_day_pkey" PRIMARY KEY ("community_id","day")
);
CREATE TABLE "held_day_delta" (
    "delta_id" BIGSERIAL NOT NULL,
    "community_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "held_day_delta_pkey" PRIMARY KEY ("delta_id")
);
CREATE INDEX "held_day_delta_community_id_day_idx" ON "held_day_delta"("community_id", "day");

-- The day that a comment counts for; null for one that is not held.
create function held_day(approval_status approval_status, is_deleted boolean, queued_at timestamptz) returns date
language sql immutable parallel safe
as $$ select case when approval_status = 'pending' and not is_deleted then (queued_at at time zone 'UTC')::date end $$;

-- Triggers count what every writer does, also of the version that runs until this one has started.
create function count_held_day() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into held_day_delta (community_id, day, delta)
    select old.community_id, held_day(old.approval_status, old.is_deleted, old.queued_at), -1
    where old.community_id is not null and held_day(old.approval_status, old.is_deleted, old.queued_at) is not null;
  end if;
  if tg_op <> 'DELETE' then
    insert into held_day_delta (community_id, day, delta)
    select new.community_id, held_day(new.approval_status, new.is_deleted, new.queued_at), 1
    where new.community_id is not null and held_day(new.approval_status, new.is_deleted, new.queued_at) is not null;
  end if;
  return null;
end $$;
-- Creating a trigger waits for writers and blocks new ones, so that what is counted below and what the triggers count adds up.
create trigger comment_held_day_inserted after insert on comment for each row
  when (held_day(new.approval_status, new.is_deleted, new.queued_at) is not null) execute function count_held_day();
create trigger comment_held_day_updated after update on comment for each row
  when ((held_day(old.approval_status, old.is_deleted, old.queued_at), old.community_id)
    is distinct from (held_day(new.approval_status, new.is_deleted, new.queued_at), new.community_id))
  execute function count_held_day();
create trigger comment_held_day_deleted after delete on comment for each row
  when (held_day(old.approval_status, old.is_deleted, old.queued_at) is not null) execute function count_held_day();

insert into held_day (community_id, day, total)
select community_id, held_day(approval_status, is_deleted, queued_at), count(*)
from comment where approval_status = 'pending' and not is_deleted and community_id is not null group by 1, 2;
