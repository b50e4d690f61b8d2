-- Of what labelled rules held before. The triggers keep what is written at the same time.
select count(put_held_facets(labelled.subject_type, labelled.subject_id)) from (
  select distinct m.subject_type, m.subject_id from rule_version v
  join rule_match m on m.rule_id = v.rule_id and m.version = v.version and m.is_live and m.subject_type <> 'message'
  where v.action ->> 'type' = 'hold' and v.action ? 'label') labelled;
