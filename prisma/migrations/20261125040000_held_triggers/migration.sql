-- The same triggers and functions at less cost for each change of a row. Each statement prepares the condition of a trigger for itself, and parses a
-- function in it to do so: conditions are written out.
create or replace trigger comment_held_day_inserted after insert on comment for each row
  when (new.approval_status = 'pending' and not new.is_deleted) execute function count_held_day();
create or replace trigger comment_held_day_updated after update on comment for each row
  when ((case when old.approval_status = 'pending' and not old.is_deleted then (old.queued_at at time zone 'UTC')::date end, old.community_id)
    is distinct from
      (case when new.approval_status = 'pending' and not new.is_deleted then (new.queued_at at time zone 'UTC')::date end, new.community_id))
  execute function count_held_day();
create or replace trigger comment_held_text_inserted after insert on comment for each row
  when (new.approval_status = 'pending' and not new.is_deleted and new.text_key is not null) execute function count_held_comment_text();
create or replace trigger comment_held_text_updated after update on comment for each row
  when (case when old.approval_status = 'pending' and not old.is_deleted then old.text_key end
    is distinct from case when new.approval_status = 'pending' and not new.is_deleted then new.text_key end)
  execute function count_held_comment_text();
create or replace trigger post_held_text_inserted after insert on post for each row
  when (new.feed_type = 'reviewing' and not new.is_deleted and new.parent_post_id is null and new.text_key is not null)
  execute function count_held_post_text();
create or replace trigger post_held_text_updated after update on post for each row
  when (case when old.feed_type = 'reviewing' and not old.is_deleted and old.parent_post_id is null then old.text_key end
    is distinct from case when new.feed_type = 'reviewing' and not new.is_deleted and new.parent_post_id is null then new.text_key end)
  execute function count_held_post_text();

-- An insert runs only where there is a row to insert.
create or replace function count_held_day() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.community_id is not null and held_day(old.approval_status, old.is_deleted, old.queued_at) is not null then
    insert into held_day_delta (community_id, day, delta)
    values (old.community_id, held_day(old.approval_status, old.is_deleted, old.queued_at), -1);
  end if;
  if tg_op <> 'DELETE' and new.community_id is not null and held_day(new.approval_status, new.is_deleted, new.queued_at) is not null then
    insert into held_day_delta (community_id, day, delta)
    values (new.community_id, held_day(new.approval_status, new.is_deleted, new.queued_at), 1);
  end if;
  return null;
end $$;
create or replace function count_held_comment_text() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and held_comment_key(old.approval_status, old.is_deleted, old.text_key) is not null then
    insert into held_text_delta (text_key, delta) values (old.text_key, -1);
  end if;
  if tg_op <> 'DELETE' and held_comment_key(new.approval_status, new.is_deleted, new.text_key) is not null then
    insert into held_text_delta (text_key, delta) values (new.text_key, 1);
  end if;
  return null;
end $$;
create or replace function count_held_post_text() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and held_post_key(old.feed_type, old.is_deleted, old.parent_post_id, old.text_key) is not null then
    insert into held_text_delta (text_key, delta) values (old.text_key, -1);
  end if;
  if tg_op <> 'DELETE' and held_post_key(new.feed_type, new.is_deleted, new.parent_post_id, new.text_key) is not null then
    insert into held_text_delta (text_key, delta) values (new.text_key, 1);
  end if;
  return null;
end $$;

-- One expression, which becomes part of the statement. A function with a subquery starts an executor of its own at each call. The digest is of the
-- same bytes as before; that of no words at all is null.
create or replace function text_digest(data jsonb) returns bytea language sql immutable parallel safe as $$
  select decode(nullif(md5(regexp_replace(lower(normalize(coalesce(data ->> 'text', ''), NFKC)), '[^[:alnum:]]+', '', 'g')), md5('')), 'hex')
$$;
