import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { COMMENT_HAS_FILES, POST_HAS_FILES } from '#server/modules/content/reviewable/has-files.ts'
import { textBandsOf } from '#server/modules/content/reviewable/text-bands.ts'
import { textKeyOf } from '#server/modules/content/reviewable/text-key.ts'
import { putItems } from '#server/modules/ledger/items/put-items.ts'

/** Few enough that their locks are held briefly. */
const BATCH_SIZE = 500

interface Keyless {
  id: string
  communityId: string | null
  data: unknown
  hasFiles: boolean
  queuedAt: Date
}

/** What is held and has no key yet, newest first. Uses comment_without_text_key and post_without_text_key. */
const KEYLESS: Record<'comment' | 'post', (batch: Batch) => Sql> = {
  comment: (batch) => sql`
    select c.comment_id as id, c.community_id, c.data, c.queued_at, ${COMMENT_HAS_FILES} as has_files from comment c
    where c.approval_status = 'pending' and not c.is_deleted and c.text_key is null and ${batch.isTaken(sql`c.comment_id`)}
    order by c.queued_at desc, c.comment_id`,
  post: (batch) => sql`
    select p.post_id as id, p.community_id, p.data, p.queued_at,
      ${POST_HAS_FILES} as has_files from post p
    where p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null and p.text_key is null
      and ${batch.isTaken(sql`p.post_id`)}
    order by p.queued_at desc, p.post_id`,
}

const STORE: Record<'comment' | 'post', Sql> = {
  comment: sql`update comment t set text_key = keyed.key, text_bands = keyed.bands::int[] from keyed where t.comment_id = keyed.id and t.text_key is null`,
  post: sql`update post t set text_key = keyed.key, text_bands = keyed.bands::int[] from keyed where t.post_id = keyed.id and t.text_key is null`,
}

/**
 * Writes the keys and bands of one batch of held items that have none: those of imports, and those whose text was changed by a writer that
 * does not know of keys. An item that somebody is changing waits for the next batch. True if more may be left.
 */
export async function writeTextKeys(ctx: Ctx): Promise<boolean> {
  return runSteps(
    (['comment', 'post'] as const).map((type) => async () => (await writeBatch(ctx, type)) === BATCH_SIZE),
  )
}

const SET_ASIDE = { comment: createSetAside('text keys of comments'), post: createSetAside('text keys of posts') }

function writeBatch(ctx: Ctx, subjectType: 'comment' | 'post'): Promise<number> {
  return SET_ASIDE[subjectType].workBatch(ctx, (batch) =>
    inTransaction(ctx, async (ctx) => {
      const items = await query<Keyless>(
        ctx,
        sql`${KEYLESS[subjectType](batch)} ${sql.raw(`limit ${BATCH_SIZE}`)} for no key update skip locked`,
      )
      batch.take(items.map(({ id }) => id))
      if (items.length === 0) return
      const keys = items.map((item) => textKeyOf({ subjectType, ...item }))
      const bands = items.map((item) => toArray(textBandsOf({ subjectType, ...item }, item.queuedAt)))
      await execute(
        ctx,
        sql`
      with keyed as (select * from unnest(${items.map(({ id }) => id)}::text[], ${keys}::uuid[], ${bands}::text[]) as keyed(id, key, bands))
      ${STORE[subjectType]}`,
      )
      await putItems(
        ctx,
        subjectType,
        items.map(({ id }) => id),
      )
    }),
  )
}

/** PostgreSQL's notation, as there are no arrays of arrays of different lengths. */
const toArray = (bands: number[] | null) => bands && `{${bands.join(',')}}`
