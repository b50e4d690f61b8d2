-- What the renames don't cover. Two functions name a renamed column in their body.
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

-- The key of the report's metadata is two characters longer now, and so is each line.
update reported_act set line_bytes = line_bytes + 2;

-- The verification of the audit log has two positions; the other two were those of processes that can't run any more.
delete from audit_check where walk not in ('latest', 'full');
alter type audit_walk rename to former_audit_walk;
create type audit_walk as enum ('latest', 'full');
alter table audit_check alter column walk type audit_walk using walk::text::audit_walk;
drop type former_audit_walk;
