-- Hashes of the links in new content and of their domains (server/modules/rules/judging/link-keys.ts). Null where they are not known: in content
-- without links, of an earlier version, and of imports.
alter table "comment" add column "link_keys" bigint[];
alter table "post" add column "link_keys" bigint[];
alter table "message" add column "link_keys" bigint[];

-- Keys never outlive their text, also if an earlier version edits it.
create function forget_link_keys() returns trigger language plpgsql as $$
begin
  new.link_keys := null;
  return new;
end $$;
create trigger comment_link_keys_forgotten before update of data on comment for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
create trigger post_link_keys_forgotten before update of data on post for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
create trigger message_link_keys_forgotten before update of data on message for each row
  when (new.data is distinct from old.data and old.link_keys is not null) execute function forget_link_keys();
