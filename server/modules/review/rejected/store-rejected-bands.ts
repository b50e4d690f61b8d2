import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { type Batch, createSetAside } from '#server/core/set-aside.ts'
import { comparedText, shinglesOf } from '#server/core/similarity/shingles.ts'
import { textPartOf } from '#server/modules/content/items/text-key.ts'
import { COMMENT_HAS_FILES, POST_HAS_FILES } from '#server/modules/content/reviewable/has-files.ts'
import { communityKeyOf, REJECTED_KEPT, rejectedBandsOf } from '#server/modules/rules/judging/rejected-bands.ts'

/** Few enough that their locks are held briefly. */
const BATCH_SIZE = 200

interface Rejected {
  decisionId: string
  decidedAt: Date
  communityId: string
  data: unknown
}

/**
 * Stores the bands of one batch of texts that people rejected, the latest first, for the condition on similarity (docs/decisions/0242), and deletes
 * those of undone rejections. Texts that came with files aren't stored, as the files may be why they were rejected. True if more may be left. Uses
 * decision_without_bands, comment_pkey, post_pkey and rejected_band_decided_at.
 */
export async function storeRejectedBands(ctx: Ctx): Promise<boolean> {
  return (await setAside.workBatch(ctx, (batch) => storeBatch(ctx, batch))) === BATCH_SIZE
}

const setAside = createSetAside('rejected bands')

function storeBatch(ctx: Ctx, batch: Batch): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const decisions = await query<{ decisionId: string; decidedAt: Date; isUndone: boolean }>(
      ctx,
      sql`
      select decision_id::text as decision_id, decided_at, undone_at is not null as is_undone from decision where outcome = 'rejected' and not are_bands_stored
        and ${batch.isTaken(sql`decision_id::text`)}
      order by decision_id desc ${sql.raw(`limit ${BATCH_SIZE}`)} for no key update skip locked`,
    )
    const ids = decisions.map(({ decisionId }) => decisionId)
    batch.take(ids)
    if (ids.length === 0) return
    const undone = decisions.filter(({ isUndone }) => isUndone)
    const bands = (await readTexts(ctx, ids)).flatMap(toBands)
    await execute(
      ctx,
      sql`
      with stored as (
        insert into rejected_band (band, decided_at, decision_id, community_key)
        select b.band, b."decidedAt", b."decisionId", b."communityKey"
        from jsonb_to_recordset(${JSON.stringify(bands)}::jsonb)
          as b(band int, "decidedAt" timestamptz, "decisionId" bigint, "communityKey" int)
        on conflict do nothing),
      forgotten as (
        delete from rejected_band where decided_at = any(${undone.map(({ decidedAt }) => decidedAt.toISOString())}::timestamptz[])
          and decision_id = any(${undone.map(({ decisionId }) => decisionId)}::bigint[]))
      update decision set are_bands_stored = true where decision_id = any(${ids}::bigint[])`,
    )
  })
}

/** The texts of decisions that weren't undone, and are recent enough to be looked for. */
function readTexts(ctx: Ctx, decisionIds: string[]): Promise<Rejected[]> {
  return query<Rejected>(
    ctx,
    sql`
    select d.decision_id::text as decision_id, d.decided_at, d.community_id, coalesce(c.data, p.data) as data
    from decision d
    left join comment c on d.subject_type = 'comment' and c.comment_id = d.subject_id and not (${COMMENT_HAS_FILES})
    left join post p on d.subject_type = 'post' and p.post_id = d.subject_id and not ${POST_HAS_FILES}
    where d.decision_id = any(${decisionIds}::bigint[]) and d.undone_at is null and d.community_id is not null
      and d.decided_at > ${ctx.now()}::timestamptz - ${REJECTED_KEPT}`,
  )
}

function toBands({ decisionId, decidedAt, communityId, data }: Rejected) {
  const shingles = shinglesOf(comparedText({ title: textPartOf(data, 'title'), text: textPartOf(data, 'text') }))
  if (shingles === undefined) return []
  const communityKey = communityKeyOf(communityId)
  return rejectedBandsOf(shingles).map((band) => ({ band, decidedAt, decisionId, communityKey }))
}
