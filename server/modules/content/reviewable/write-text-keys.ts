import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, type Sql, sql } from '#server/core/db.ts'
import { COMMENT_HAS_FILES, POST_HAS_FILES } from '#server/modules/content/reviewable/has-files.ts'
import { textBandsOf } from '#server/modules/content/reviewable/text-bands.ts'
import { textKeyOf } from '#server/modules/content/reviewable/text-key.ts'

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
const KEYLESS: Record<'comment' | 'post', Sql> = {
  comment: sql`
    select c.comment_id as id, c.community_id, c.data, c.queued_at, ${COMMENT_HAS_FILES} as has_files from comment c
    where c.approval_status = 'pending' and not c.is_deleted and c.text_key is null order by c.queued_at desc, c.comment_id`,
  post: sql`
    select p.post_id as id, p.community_id, p.data, p.queued_at,
      ${POST_HAS_FILES} as has_files from post p
    where p.feed_type = 'reviewing' and not p.is_deleted and p.parent_post_id is null and p.text_key is null
    order by p.queued_at desc, p.post_id`,
}

const STORE: Record<'comment' | 'post', Sql> = {
  comment: sql`update comment t set text_key = keyed.key, text_bands = keyed.bands::int[] from keyed where t.comment_id = keyed.id and t.text_key is null`,
  post: sql`update post t set text_key = keyed.key, text_bands = keyed.bands::int[] from keyed where t.post_id = keyed.id and t.text_key is null`,
}

/**
 * Writes the keys and bands of one batch of held items that have none: those of an earlier version, and those whose text was changed by a writer that
 * does not know of keys. An item that somebody is changing waits for the next batch. True if more may be left.
 */
export async function writeTextKeys(ctx: Ctx): Promise<boolean> {
  const written = [await writeBatch(ctx, 'comment'), await writeBatch(ctx, 'post')]
  return written.includes(BATCH_SIZE)
}

function writeBatch(ctx: Ctx, subjectType: 'comment' | 'post'): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const items = await query<Keyless>(
      ctx,
      sql`${KEYLESS[subjectType]} ${sql.raw(`limit ${BATCH_SIZE}`)} for no key update skip locked`,
    )
    if (items.length === 0) return 0
    const keys = items.map((item) => textKeyOf({ subjectType, ...item }))
    const bands = items.map((item) => toArray(textBandsOf({ subjectType, ...item }, item.queuedAt)))
    return execute(
      ctx,
      sql`
      with keyed as (select * from unnest(${items.map(({ id }) => id)}::text[], ${keys}::uuid[], ${bands}::text[]) as keyed(id, key, bands))
      ${STORE[subjectType]}`,
    )
  })
}

/** PostgreSQL's notation, as there are no arrays of arrays of different lengths. */
const toArray = (bands: number[] | null) => bands && `{${bands.join(',')}}`
