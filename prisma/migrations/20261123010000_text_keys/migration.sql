-- Equal for held items of one type in one community that say the same (server/modules/content/reviewable/text-key.ts). Null until it is
-- written: the worker does so for items of earlier versions.
alter table "comment" add column "text_key" uuid;
alter table "post" add column "text_key" uuid;

-- How many are held with the same key, where it is more than one. Kept as other counts are: totals folded by the sequencer, and open deltas.
CREATE TABLE "held_text" (
    "text_key" UUID NOT NULL,
    "total" INTEGER NOT NULL,

    CONSTRAINT "held_text_pkey" PRIMARY KEY ("text_key")
);
CREATE TABLE "held_text_delta" (
    "delta_id" BIGSERIAL NOT NULL,
    "text_key" UUID NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "held_text_delta_pkey" PRIMARY KEY ("delta_id")
);
CREATE INDEX "held_text_delta_text_key_idx" ON "held_text_delta"("text_key");

-- The key that an item counts for; null for one that is not held, and for one that is in no group.
create function held_comment_key(approval_status approval_status, is_deleted boolean, text_key uuid) returns uuid
language sql immutable parallel safe
as $$ select case when approval_status = 'pending' and not is_deleted then nullif(text_key, '00000000-0000-0000-0000-000000000000') end $$;
create function held_post_key(feed_type feed_type, is_deleted boolean, parent_post_id text, text_key uuid) returns uuid
language sql immutable parallel safe
as $$
  select case when feed_type = 'reviewing' and not is_deleted and parent_post_id is null
    then nullif(text_key, '00000000-0000-0000-0000-000000000000') end
$$;

-- Triggers count what every writer does, also of the version that runs until this one has started.
create function count_held_comment_text() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into held_text_delta (text_key, delta)
    select key, -1 from held_comment_key(old.approval_status, old.is_deleted, old.text_key) as key where key is not null;
  end if;
  if tg_op <> 'DELETE' then
    insert into held_text_delta (text_key, delta)
    select key, 1 from held_comment_key(new.approval_status, new.is_deleted, new.text_key) as key where key is not null;
  end if;
  return null;
end $$;
create function count_held_post_text() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into held_text_delta (text_key, delta)
    select key, -1 from held_post_key(old.feed_type, old.is_deleted, old.parent_post_id, old.text_key) as key where key is not null;
  end if;
  if tg_op <> 'DELETE' then
    insert into held_text_delta (text_key, delta)
    select key, 1 from held_post_key(new.feed_type, new.is_deleted, new.parent_post_id, new.text_key) as key where key is not null;
  end if;
  return null;
end $$;
create trigger comment_held_text_inserted after insert on comment for each row
  when (held_comment_key(new.approval_status, new.is_deleted, new.text_key) is not null) execute function count_held_comment_text();
create trigger comment_held_text_updated after update on comment for each row
  when (held_comment_key(old.approval_status, old.is_deleted, old.text_key)
    is distinct from held_comment_key(new.approval_status, new.is_deleted, new.text_key))
  execute function count_held_comment_text();
create trigger comment_held_text_deleted after delete on comment for each row
  when (held_comment_key(old.approval_status, old.is_deleted, old.text_key) is not null) execute function count_held_comment_text();
create trigger post_held_text_inserted after insert on post for each row
  when (held_post_key(new.feed_type, new.is_deleted, new.parent_post_id, new.text_key) is not null)
  execute function count_held_post_text();
create trigger post_held_text_updated after update on post for each row
  when (held_post_key(old.feed_type, old.is_deleted, old.parent_post_id, old.text_key)
    is distinct from held_post_key(new.feed_type, new.is_deleted, new.parent_post_id, new.text_key))
  execute function count_held_post_text();
create trigger post_held_text_deleted after delete on post for each row
  when (held_post_key(old.feed_type, old.is_deleted, old.parent_post_id, old.text_key) is not null)
  execute function count_held_post_text();

-- A key never outlives its text: a writer that changes the text and not the key leaves it to the worker.
create function forget_text_key() returns trigger language plpgsql as $$
begin
  new.text_key := null;
  return new;
end $$;
create trigger comment_text_changed before update of data, data_types on comment for each row
  when (old.text_key is not null and new.text_key is not distinct from old.text_key
    and (old.data is distinct from new.data or old.data_types is distinct from new.data_types))
  execute function forget_text_key();
create trigger post_text_changed before update of data, data_type on post for each row
  when (old.text_key is not null and new.text_key is not distinct from old.text_key
    and (old.data is distinct from new.data or old.data_type is distinct from new.data_type))
  execute function forget_text_key();
