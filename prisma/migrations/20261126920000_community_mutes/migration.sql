-- Members of communities can be muted, as those of channels.
alter table "community_user" add column "mute_timeout" timestamptz(3);
-- Only mutes in communities have no channel, and the version before makes none.
-- squawk-ignore ban-drop-not-null
alter table "mute" alter column "channel_id" drop not null;
alter table "mute" add column "community_id" text;
alter table "mute" add constraint "mute_has_one_space" check (num_nonnulls(community_id, channel_id) = 1) not valid;
