-- From here on every flag keeps the report of its subject. What was flagged before is read once more, with the times of its flags.
truncate report;
insert into report (subject_type, subject_id, community_id, channel_id, author_id, flag_count, first_flagged_at, last_flagged_at)
  select flagged.type, flagged.id, community_id, channel_id, author_id, flag_count,
    coalesce(flags.first_at, flagged.updated_at), coalesce(flags.last_at, flagged.updated_at)
  from (
    select 'comment'::subject_type as type, comment_id as id, community_id, null as channel_id, user_id as author_id, flag_count, updated_at
    from comment where flag_count > 0 and not is_deleted
    union all
    select 'post', post_id, community_id, null, posted_user_id, flag_count, updated_at
    from post where flag_count > 0 and not is_deleted and feed_type <> 'declined'
    union all
    select 'message', message_id, null, channel_id, user_id, flag_count, updated_at from message where flag_count > 0 and not is_deleted
    union all
    select 'user', user_id, null, null, user_id, flag_count, updated_at from network_user where flag_count > 0 and not is_deleted) flagged
  left join lateral (
    select min(created_at) as first_at, max(created_at) as last_at from flag
    where flag.subject_type = flagged.type and flag.subject_id = flagged.id) flags on true;

-- What is reported and not settled is counted by its community or channel; what stands in neither is counted under no name.
insert into tally (kind, subject_id, total)
  select (case subject_type when 'comment' then 'reported_comments' when 'post' then 'reported_posts' when 'message' then 'reported_messages'
    else 'reported_people' end)::tally_kind, coalesce(community_id, channel_id, ''), count(*)
  from report where settled_at is null group by 1, 2;

-- What is open in one community or channel, latest first; and across the network.
drop index report_in_community;
drop index report_in_channel;
drop index report_latest;
create index report_in_community on report (community_id, last_flagged_at desc, subject_type, subject_id)
  where settled_at is null and community_id is not null;
create index report_in_channel on report (channel_id, last_flagged_at desc, subject_type, subject_id)
  where settled_at is null and channel_id is not null;
create index report_latest on report (last_flagged_at desc, subject_type, subject_id) where settled_at is null;
