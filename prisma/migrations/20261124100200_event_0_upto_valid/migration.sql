-- Reads all events, while readers and writers go on.
alter table "event" validate constraint "event_0_upto";
