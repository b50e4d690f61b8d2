import type { Db } from '#server/core/database/db-types.ts'
import { query, queryOne, sql } from '#server/core/db.ts'

/** A place in the write-ahead log. What was committed, and could be seen, when it was asked for, is before it. */
export interface Position {
  /** The database whose log it is, and its timeline, which changes with each failover. */
  history: string
  lsn: string
}

/** What a replica has of the log. */
export interface Progress {
  /** Whether it follows the same history; false after a promotion, and for a copy of something else. */
  isFollowing: boolean
  hasReached: boolean
  lagBytes: number
  /** Since the last commit that it has; 0 once it has reached the position. */
  lagSeconds: number
}

/**
 * Where the primary's log ends. The end of what is flushed is enough, and replicas receive no more, unless commits don't wait for the flush.
 */
export async function readPosition(db: Db): Promise<Position> {
  const [position] = await query<Position>(
    { db },
    sql`
    select lsn::text, system_identifier || ' ' || current_database() || ' ' || left(pg_walfile_name(lsn), 8) as history
    from pg_control_system(), lateral (
      select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) at`,
  )
  if (position === undefined) throw new Error('the primary has no position')
  return position
}

/**
 * A replica learns its timeline from the receiver of the log, which not every role may see, or with its next restart point: until then it
 * counts as one that follows something else. The log of a replica that has left the primary's history may be longer than the primary's.
 */
const HISTORY = sql`(
  select system_identifier || ' ' || current_database() || ' ' || upper(lpad(to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline,
    (select received_tli from pg_stat_wal_receiver))), 8, '0'))
  from pg_control_system(), pg_control_checkpoint() c, pg_control_recovery() r)`

/** Whether the database has everything up to the position. Ask before the read: the snapshot of one statement could be older than what it finds. */
export async function hasReached(db: Db, { history, lsn }: Position): Promise<boolean> {
  const found = await queryOne<{ hasReached: boolean | null }>(
    { db },
    sql`
    select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn and ${HISTORY} = ${history} as has_reached`,
  )
  return found?.hasReached === true
}

export async function readProgress(db: Db, { history, lsn }: Position): Promise<Progress> {
  const progress = await queryOne<Progress>(
    { db },
    sql`
    select pg_is_in_recovery() and ${HISTORY} = ${history} as is_following, has_reached,
      case when has_reached then 0 else lag end as lag_bytes,
      case when has_reached then 0 else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 end as lag_seconds
    from (select coalesce(replayed >= ${lsn}::pg_lsn, false) as has_reached, coalesce(pg_wal_lsn_diff(${lsn}::pg_lsn, replayed), 0)::float8 as lag
      from pg_last_wal_replay_lsn() replayed) at`,
  )
  return progress ?? { isFollowing: false, hasReached: false, lagBytes: 0, lagSeconds: 0 }
}
