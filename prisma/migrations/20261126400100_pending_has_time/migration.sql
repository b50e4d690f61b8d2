-- What rules reject at once was never held.
alter table "comment" add constraint "comment_pending_has_time" check (approval_status <> 'pending' or queued_at is not null) not valid;
alter table "comment" drop constraint "comment_held_has_time";
