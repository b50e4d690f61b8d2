-- Rows of these tables live for less than a second. Vacuum gave all of their pages back, and by the plans that are made for a table without
-- pages, every read of it passes all rows that were deleted since. With pages, plans use the indexes, where deleted rows are skipped.
alter table tally_delta set (vacuum_truncate = off);
alter table held_day_delta set (vacuum_truncate = off);
alter table held_text_delta set (vacuum_truncate = off);
alter table audit_unsealed set (vacuum_truncate = off);
