-- Posts that wait are counted like comments that do.
insert into tally (kind, subject_id, total)
  select 'held_posts'::tally_kind, community_id, count(*)
  from post where feed_type = 'reviewing' and not is_deleted and parent_post_id is null and community_id is not null
  group by community_id;

-- What was flagged before waits for somebody to look into it.
insert into report (subject_type, subject_id, community_id, author_id, flag_count, first_flagged_at, last_flagged_at)
  select 'comment'::subject_type, comment_id, community_id, user_id, flag_count, updated_at, updated_at
  from comment where flag_count > 0 and not is_deleted
  union all
  select 'post'::subject_type, post_id, community_id, posted_user_id, flag_count, updated_at, updated_at
  from post where flag_count > 0 and not is_deleted
  union all
  select 'user'::subject_type, user_id, null, user_id, flag_count, updated_at, updated_at
  from network_user where flag_count > 0 and not is_deleted;
insert into report (subject_type, subject_id, channel_id, author_id, flag_count, first_flagged_at, last_flagged_at)
  select 'message'::subject_type, message_id, channel_id, user_id, flag_count, updated_at, updated_at
  from message where flag_count > 0 and not is_deleted;
