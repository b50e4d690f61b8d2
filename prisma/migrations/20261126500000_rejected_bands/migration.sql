-- False until the worker has stored the bands of the text that was rejected (server/modules/review/rejected/store-rejected-bands.ts).
alter table "decision" add column "are_bands_stored" boolean not null default false;

-- Values that two texts share when they say nearly the same, of what people rejected in the last 180 days: one row for each of 24 (docs/decisions/0242).
create table "rejected_band" (
  "band" integer not null,
  "decided_at" timestamptz(3) not null,
  "decision_id" bigint not null,
  "community_key" integer not null,
  constraint "rejected_band_pkey" primary key ("band", "decided_at", "decision_id")
);
create index "rejected_band_in_community" on "rejected_band" ("community_key", "band", "decided_at", "decision_id");
create index "rejected_band_decided_at" on "rejected_band" using brin ("decided_at");
