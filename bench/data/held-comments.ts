import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { LARGEST_COMMUNITY } from './network.ts'

/** A pending comment. */
export interface HeldComment {
  commentId: string
  version: number
}

/** What the desk sends to approve it. */
export function approvalOf({ commentId, version }: HeldComment) {
  return { subjectType: 'comment', subjectId: commentId, outcome: 'approved', version, clientKey: randomUUID() }
}

/**
 * At most `count` pending comments of the largest community, from the middle of its queue, so that the dead index entries that decisions leave
 * behind don't affect other measurements.
 */
export async function takeHeldComments(pool: pg.Pool, count: number): Promise<HeldComment[]> {
  const found = await pool.query<HeldComment>(
    `with held as materialized (
       select * from review_item where kind = 'held' and community_id = $1 and subject_type = 'comment' and state = 'waiting')
     select subject_id as "commentId", version from held
     order by placed_at desc, subject_id offset (select greatest(count(*) - $2, 0) / 2 from held) limit $2`,
    [LARGEST_COMMUNITY, count],
  )
  return found.rows
}

/** Makes all approved comments pending again. The audit log keeps its entries. */
export async function putHeldCommentsBack(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with back as (
       update comment set approval_status = 'pending', version = 1, updated_at = created_at
       where community_id = $1 and approval_status = 'approved'
         and comment_id in (select subject_id from decision where undone_at is null)
       returning comment_id, reference_id),
     items as (
       update review_item i set state = 'waiting', version = 1, closed_at = null from back
       where i.kind = 'held' and i.subject_type = 'comment' and i.subject_id = back.comment_id)
     insert into tally_delta (kind, subject_id, delta)
     select 'held_comments'::tally_kind, $1, count(*) from back having count(*) > 0
     union all
     select 'post_comments', reference_id, -count(*) from back group by reference_id`,
    [LARGEST_COMMUNITY],
  )
  await pool.query('vacuum comment')
}
