-- Gives the same levels as before, with functions that PostgreSQL 16 and 17 have as well.
create or replace function message_level(created_at timestamptz) returns text language sql immutable parallel safe
  return chr(97 + width_bucket(
    timestamp_hash_extended(date_bin('10 minutes', created_at, timestamptz '2000-01-01T00:00:00Z') at time zone 'UTC', 0) & 1048575,
    array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288]::bigint[]));
-- Only where the baseline was applied to one of those (prisma/migrate.ts).
drop function if exists public.timestamptz_hash_extended(timestamptz, integer);
