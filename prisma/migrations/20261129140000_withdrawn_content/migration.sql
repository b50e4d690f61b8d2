-- Who deleted it is part of the state: what its author deleted while moderation had hidden it stays deleted.
alter table "comment" add column "withdrawn_at" timestamptz(3);
alter table "post" add column "withdrawn_at" timestamptz(3);
alter table "message" add column "withdrawn_at" timestamptz(3);
