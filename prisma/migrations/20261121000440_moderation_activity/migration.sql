-- The moderation activity report: which rows of the log it tells of, and how one becomes a line of CSV.

-- CreateTable
CREATE TABLE "reported_act" (
    "audit_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "line_bytes" INTEGER NOT NULL,

    CONSTRAINT "reported_act_pkey" PRIMARY KEY ("audit_id")
);

-- CreateIndex
CREATE INDEX "reported_act_at_audit_id_line_bytes_idx" ON "reported_act"("at", "audit_id", "line_bytes");

-- One cell of RFC 4180, always quoted unless it is empty. What a spreadsheet would take for a formula has an apostrophe put
-- before it, and so has what begins with an apostrophe: taking one leading apostrophe off gives the value back. Both are
-- plpgsql: functions in SQL that are not inlined would be planned anew for every cell.
create function csv_cell(value text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when coalesce(value, '') = '' then '' else
    '"' || case when left(value, 1) in ('=', '+', '-', '@', E'\t', E'\r', E'\n', '＝', '＋', '－', '＠', '''') then '''' else '' end
      || replace(value, '"', '""') || '"'
  end;
end $$;

-- network_id, user_id, event, note, content_type, content_public_id, target_type, target_id, is_ai, created_at, updated_at, metadata
create function report_line(act audit, event text, note text) returns text language plpgsql stable parallel safe as $$
declare
  done_at text := to_char(act.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  return concat_ws(',',
    csv_cell('network'), csv_cell(act.actor_id), csv_cell(event), csv_cell(note), csv_cell(act.subject_type), csv_cell(act.subject_id),
    csv_cell(case when act.community_id is not null then 'community' when act.channel_id is not null then 'channel' end),
    csv_cell(coalesce(act.community_id, act.channel_id)), csv_cell('false'), csv_cell(done_at), csv_cell(done_at),
    csv_cell(jsonb_strip_nulls(jsonb_build_object(
      'actorKind', act.actor_kind, 'door', act.door, 'before', act.before, 'after', act.after))::text)) || E'\r\n';
end $$;
