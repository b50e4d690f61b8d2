-- The version of the rule that flagged it; "user_id" is then the rule's id. Null for a flag by a person.
alter table "flag" add column "rule_version" integer;
