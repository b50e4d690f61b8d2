-- Imported items, waiting for review, which rules haven't judged yet (docs/decisions/0255-rules-and-imports.md). The worker judges them and deletes
-- the row.
create table "unjudged_import" (
  "subject_type" "subject_type" not null,
  "subject_id" text not null,
  "community_id" text not null,
  "added_at" timestamptz(3) not null default current_timestamp,
  constraint "unjudged_import_pkey" primary key ("subject_type", "subject_id")
);
create index "unjudged_import_community_id_subject_type_subject_id_idx" on "unjudged_import" ("community_id", "subject_type", "subject_id");
create index "unjudged_import_added_at_idx" on "unjudged_import" ("added_at");
