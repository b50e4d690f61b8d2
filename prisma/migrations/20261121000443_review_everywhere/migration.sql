-- What waits for review in all communities, newest first.
create index post_held_everywhere on post (queued_at desc, post_id) where feed_type = 'reviewing';

-- The parts of a stream and of a room, told with their post.
create index stream_parent on stream (parent_stream_id) where parent_stream_id is not null;
create index room_parent on room (parent_room_id) where parent_room_id is not null;
