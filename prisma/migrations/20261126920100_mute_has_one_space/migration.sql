-- Reads all mutes, while readers and writers go on.
alter table "mute" validate constraint "mute_has_one_space";
