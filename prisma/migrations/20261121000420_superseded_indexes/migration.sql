-- Channels by activity are read along channel_by_activity, also where deleted ones are left out: a row that each message writes to
-- is worth no second index. And search finds what is said in the caller's own channels, not in all that are open.
drop index channel_active;
drop index channel_open;
