-- The moderator who claimed a report, and until when.
alter table "report" add column "claimed_by" text, add column "claimed_until" timestamptz(3);
