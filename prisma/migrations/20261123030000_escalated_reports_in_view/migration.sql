-- The colleague a report is escalated to; null: anyone. Escalated reports are listed among everything escalated.
alter table "report" add column "handed_to" text;
create index report_escalated on report (last_flagged_at desc, subject_id, subject_type) where escalated_at is not null and closed_at is null;
