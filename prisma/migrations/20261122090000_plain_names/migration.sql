-- AlterEnum
alter type door rename to source;

-- RenameColumn
alter table audit rename column door to source;
alter table audit rename constraint audit_door_not_null to audit_source_not_null;
alter table decision rename column door to source;
alter table decision rename constraint decision_door_not_null to decision_source_not_null;
alter table report rename column settled_at to closed_at;
alter table delivery rename column settled_at to finished_at;

-- RenameTable
alter table audit_refused rename to audit_rejected;
alter table audit_rejected rename constraint audit_refused_pkey to audit_rejected_pkey;
alter table audit_rejected rename constraint audit_refused_audit_id_not_null to audit_rejected_audit_id_not_null;
alter table audit_rejected rename constraint audit_refused_found_at_not_null to audit_rejected_found_at_not_null;
alter table audit_rejected rename constraint audit_refused_problem_not_null to audit_rejected_problem_not_null;

-- Triggers keep the function they run.
alter function refuse_change rename to reject_change;
alter function refuse_roles_of_spaces rename to reject_roles_of_spaces;

create or replace function audit_content(a audit) returns text language sql immutable as $$
  select jsonb_build_array(
    a.audit_id, (extract(epoch from a.at) * 1000)::bigint, a.actor_kind, a.actor_id, a.source, a.action, a.subject_type, a.subject_id,
    a.community_id, a.channel_id, a.before, a.after, encode(a.text_digest, 'hex'), a.request_id)::text
$$;

create or replace function report_line(act audit, event text, note text) returns text language plpgsql stable parallel safe as $$
declare
  done_at text := to_char(act.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  return concat_ws(',',
    csv_cell('network'), csv_cell(act.actor_id), csv_cell(event), csv_cell(note), csv_cell(act.subject_type), csv_cell(act.subject_id),
    csv_cell(case when act.community_id is not null then 'community' when act.channel_id is not null then 'channel' end),
    csv_cell(coalesce(act.community_id, act.channel_id)), csv_cell('false'), csv_cell(done_at), csv_cell(done_at),
    csv_cell(jsonb_strip_nulls(jsonb_build_object(
      'actorKind', act.actor_kind, 'source', act.source, 'before', act.before, 'after', act.after))::text)) || E'\r\n';
end $$;

-- A line of the report is two characters longer than before.
update reported_act set line_bytes = line_bytes + 2;
