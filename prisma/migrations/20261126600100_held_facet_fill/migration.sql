-- Of what was held before there were facets. The triggers keep what is written at the same time.
select count(put_held_facets(marked.subject_type, marked.subject_id)) from (
  select distinct subject_type, subject_id from signal where subject_type <> 'message'
  union select subject_type, subject_id from rule_match where is_live) marked;
