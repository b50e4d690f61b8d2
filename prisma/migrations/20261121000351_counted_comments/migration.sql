-- Comments that everyone sees are counted like everything else: a row for each change, folded by the sealer, so that two
-- decisions below one post never wait for each other.
insert into tally (kind, subject_id, total)
  select 'comment_children'::tally_kind, comment_id, children_number from comment where children_number <> 0
  union all
  select 'post_comments'::tally_kind, post_id, comments_count from post where comments_count <> 0;

alter table comment drop column children_number;
alter table post drop column comments_count;
