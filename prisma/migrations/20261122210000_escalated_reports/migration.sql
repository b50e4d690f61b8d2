-- Who asked others to look at a report, and why. It counts while it is newer than the first open flag: a report that opens again starts without.
alter table "report"
  add column "escalated_by" text,
  add column "escalated_by_name" text,
  add column "escalation_note" text,
  add column "escalated_at" timestamptz(3);
