-- Reads all comments, while readers and writers go on.
alter table "comment" validate constraint "comment_pending_has_time";
