-- Earlier versions left an escalation open when its item was deleted, and counted it.
update escalation e set closed_at = now()
where e.closed_at is null and (
  e.subject_type = 'comment' and not exists (select from comment c where c.comment_id = e.subject_id and not c.is_deleted)
  or e.subject_type = 'post' and not exists (select from post p where p.post_id = e.subject_id and not p.is_deleted));
