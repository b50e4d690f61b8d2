-- Whoever makes a channel or a community stands above the moderators they appoint there.
insert into role (role_id, display_name, rank, scope, permissions)
select owner.role_id, owner.display_name, owner.rank, moderator.scope, moderator.permissions
from (values
  ('channel-owner', 'Channel owner', 150, 'channel-moderator'),
  ('community-owner', 'Community owner', 250, 'community-moderator')) owner(role_id, display_name, rank, moderator_id)
join role moderator on moderator.role_id = owner.moderator_id
on conflict do nothing;
