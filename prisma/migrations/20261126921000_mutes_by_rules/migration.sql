-- The version of the rule that muted, and what it fired on; "muted_by" is then the rule's id. Null for a mute by a person.
alter table "mute" add column "rule_version" integer, add column "subject_type" "subject_type", add column "subject_id" text;
