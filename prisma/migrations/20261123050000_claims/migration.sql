-- The moderator who claimed a held item, and until when.
alter table "comment" add column "claimed_by" text, add column "claimed_until" timestamptz(3);
alter table "post" add column "claimed_by" text, add column "claimed_until" timestamptz(3);
-- How long a claim lasts in a community; null: a day.
alter table "community" add column "claim_minutes" integer;
