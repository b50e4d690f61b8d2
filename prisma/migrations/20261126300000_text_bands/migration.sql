-- Values that two held items share when they say nearly the same (server/modules/content/reviewable/text-bands.ts). Null for short texts, and for
-- what was held by an earlier version.
alter table "comment" add column "text_bands" integer[];
alter table "post" add column "text_bands" integer[];

-- Neither the key nor the bands outlive their text: a writer that changes the text and not the key leaves both to the worker.
create or replace function forget_text_key() returns trigger language plpgsql as $$
begin
  new.text_key := null;
  new.text_bands := null;
  return new;
end $$;
