-- What a held item can be found by besides its own columns, in the orders of the queue (docs/decisions/0244-queue-by-rule-and-by-signal.md).
CREATE TABLE "held_facet" (
    "subject_type" "subject_type" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "facet" TEXT NOT NULL,
    "community_id" TEXT NOT NULL,
    "score" DOUBLE PRECISION,
    "band" SMALLINT NOT NULL DEFAULT 0,
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "urgent_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "held_facet_pkey" PRIMARY KEY ("subject_type","subject_id","facet")
);
CREATE INDEX "held_facet_in_order" ON "held_facet"("community_id", "subject_type", "facet", "band", "queued_at" DESC, "subject_id");
CREATE INDEX "held_facet_urgent" ON "held_facet"("community_id", "subject_type", "facet", "band", "urgent_at", "subject_id");
create index held_facet_by_score on held_facet (community_id, subject_type, facet, score desc, subject_id) where score is not null;

-- All of an item: the live rules that hold it, the queues that these name, and the scores of classifiers.
create function facets_of(type subject_type, id text) returns table (facet text, score double precision) language sql stable as $$
  select 'signal:' || s.name, s.score from signal s where s.subject_type = type and s.subject_id = id
  union
  select of_rule.facet, null from rule_match m
  join rule_version v on v.rule_id = m.rule_id and v.version = m.version
  cross join lateral (values ('rule:' || m.rule_id), ('queue:' || (v.action ->> 'queueId'))) of_rule(facet)
  where m.subject_type = type and m.subject_id = id and m.is_live and v.action ->> 'type' = 'hold' and of_rule.facet is not null
$$;

-- Locks the item, so that of two at the same time the second one sees what the first one wrote.
create function put_held_facets(type subject_type, id text) returns void language plpgsql as $$
declare
  held record;
begin
  if type = 'comment' then
    select community_id, queued_at, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count) as urgent_at
    into held from comment
    where comment_id = id and approval_status = 'pending' and not is_deleted and community_id is not null
    for no key update;
  else
    select community_id, queued_at, urgent_at(queued_at, target_minutes, rule_minutes, signal_minutes, reach_minutes, flag_count) as urgent_at
    into held from post
    where post_id = id and feed_type = 'reviewing' and not is_deleted and parent_post_id is null and community_id is not null
      and queued_at is not null
    for no key update;
  end if;
  if not found then return; end if;

  insert into held_facet (subject_type, subject_id, facet, community_id, score, band, queued_at, urgent_at)
  select type, id, known.facet, held.community_id, known.score, floor(coalesce(known.score, 0) * 20), held.queued_at, held.urgent_at
  from facets_of(type, id) known
  on conflict (subject_type, subject_id, facet) do update set community_id = excluded.community_id, score = excluded.score,
    band = excluded.band, queued_at = excluded.queued_at, urgent_at = excluded.urgent_at
  where (held_facet.community_id, held_facet.score, held_facet.queued_at, held_facet.urgent_at)
    is distinct from (excluded.community_id, excluded.score, excluded.queued_at, excluded.urgent_at);
end $$;

-- A new score, or a rule that fired. A rule that fired again may no longer hold the item: in shadow, or in another version.
create function add_held_facets() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'rule_match' then
    delete from held_facet f
    where f.subject_type = new.subject_type and f.subject_id = new.subject_id and f.score is null
      and f.facet not in (select known.facet from facets_of(new.subject_type, new.subject_id) known);
  end if;
  perform put_held_facets(new.subject_type, new.subject_id);
  return null;
end $$;
create trigger signal_facet_inserted after insert on signal for each row
  when (new.subject_type <> 'message') execute function add_held_facets();
create trigger signal_facet_updated after update of score on signal for each row
  when (new.subject_type <> 'message' and old.score <> new.score) execute function add_held_facets();
create trigger rule_match_facet_inserted after insert on rule_match for each row
  when (new.is_live) execute function add_held_facets();
create trigger rule_match_facet_updated after update on rule_match for each row
  when (new.is_live or old.is_live) execute function add_held_facets();

-- What is held again gets its facets, what is no longer held has none, and what moves in an order takes them along. Nothing is known of what is
-- inserted: scores and matches name it.
create function keep_comment_facets() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.approval_status is distinct from 'pending' or new.is_deleted or new.community_id is null then
    delete from held_facet where subject_type = 'comment' and subject_id = old.comment_id;
  elsif old.approval_status = 'pending' and not old.is_deleted then
    update held_facet set community_id = new.community_id, queued_at = new.queued_at, urgent_at = urgent_at(new.queued_at,
      new.target_minutes, new.rule_minutes, new.signal_minutes, new.reach_minutes, new.flag_count)
    where subject_type = 'comment' and subject_id = new.comment_id;
  else
    perform put_held_facets('comment', new.comment_id);
  end if;
  return null;
end $$;
create function keep_post_facets() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.feed_type <> 'reviewing' or new.is_deleted or new.community_id is null then
    delete from held_facet where subject_type = 'post' and subject_id = old.post_id;
  elsif old.feed_type = 'reviewing' and not old.is_deleted then
    update held_facet set community_id = new.community_id, queued_at = new.queued_at, urgent_at = urgent_at(new.queued_at,
      new.target_minutes, new.rule_minutes, new.signal_minutes, new.reach_minutes, new.flag_count)
    where subject_type = 'post' and subject_id = new.post_id;
  else
    perform put_held_facets('post', new.post_id);
  end if;
  return null;
end $$;
create trigger comment_facets_updated after update on comment for each row
  when ((old.approval_status = 'pending' and not old.is_deleted or new.approval_status = 'pending' and not new.is_deleted)
    and (old.approval_status, old.is_deleted, old.community_id, old.queued_at, old.target_minutes, old.rule_minutes, old.signal_minutes,
      old.reach_minutes, old.flag_count)
    is distinct from (new.approval_status, new.is_deleted, new.community_id, new.queued_at, new.target_minutes, new.rule_minutes,
      new.signal_minutes, new.reach_minutes, new.flag_count))
  execute function keep_comment_facets();
create trigger comment_facets_deleted after delete on comment for each row
  when (old.approval_status = 'pending' and not old.is_deleted) execute function keep_comment_facets();
create trigger post_facets_updated after update on post for each row
  when ((old.feed_type = 'reviewing' and not old.is_deleted or new.feed_type = 'reviewing' and not new.is_deleted)
    and new.parent_post_id is null
    and (old.feed_type, old.is_deleted, old.community_id, old.queued_at, old.target_minutes, old.rule_minutes, old.signal_minutes,
      old.reach_minutes, old.flag_count)
    is distinct from (new.feed_type, new.is_deleted, new.community_id, new.queued_at, new.target_minutes, new.rule_minutes,
      new.signal_minutes, new.reach_minutes, new.flag_count))
  execute function keep_post_facets();
create trigger post_facets_deleted after delete on post for each row
  when (old.feed_type = 'reviewing' and not old.is_deleted and old.parent_post_id is null) execute function keep_post_facets();
