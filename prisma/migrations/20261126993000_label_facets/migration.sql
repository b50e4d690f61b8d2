-- The labels of the rules that hold an item are facets of it too (docs/decisions/0252-queue-by-label.md).
create or replace function facets_of(type subject_type, id text) returns table (facet text, score double precision) language sql stable as $$
  select 'signal:' || s.name, s.score from signal s where s.subject_type = type and s.subject_id = id
  union
  select of_rule.facet, null from rule_match m
  join rule_version v on v.rule_id = m.rule_id and v.version = m.version
  cross join lateral (values ('rule:' || m.rule_id), ('queue:' || (v.action ->> 'queueId')), ('label:' || (v.action ->> 'label'))) of_rule(facet)
  where m.subject_type = type and m.subject_id = id and m.is_live and v.action ->> 'type' = 'hold' and of_rule.facet is not null
$$;
