import { toAuditTerms } from '#server/core/ban-terms.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { requireReason } from '#server/modules/network/reasons/require-reason.ts'
import { endOf, insertBulk } from '#server/modules/review/bulk/insert-bulk.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { selectAuthors } from '#server/modules/review/bulk/sanctions.ts'
import type { BulkProgress, BulkSanction, StartBulk } from '#server/modules/review/bulk/schema.ts'

/**
 * Stores a bulk action, which decides on held items and may delete what is published; `runBulk` runs it. A second call with the same id starts nothing new. Fails with FORBIDDEN for a
 * caller that is not a person, INVALID_PARAMETERS for an invalid reason or policy, NOT_FOUND for a colleague's id.
 */
export function startBulk(ctx: Ctx, input: StartBulk): Promise<BulkProgress> {
  return inTransaction(ctx, async (ctx) => {
    const reason = await requireReason(ctx, input)
    const { sanction } = input
    await assertPolicy(ctx, sanction?.policyId)
    const endsAt = sanction && endOf(ctx, sanction.minutes)

    const isNew = await insertBulk(ctx, { ...input, reason, sanction: sanction && { ...sanction, endsAt } })
    if (isNew) {
      await insertItems(ctx, input)
      if (sanction) await insertSanctions(ctx, input, sanction)
      await recordAudit(ctx, {
        action: 'bulk.started',
        subjectType: 'bulk',
        subjectId: input.bulkId,
        after: {
          outcome: input.outcome,
          items: input.items.length + (input.published?.length ?? 0),
          ...(sanction && {
            [LOGGED_AS[sanction.sanction]]: sanction.scope,
            ...toAuditTerms({ endsAt, policyId: sanction.policyId }),
          }),
        },
        text: reason,
      })
    }
    return readBulk(ctx, input)
  })
}

/** The names in the log for the accounts that it bans or mutes. */
const LOGGED_AS = { ban: 'bans', mute: 'mutes' } as const

/** Whom to ban or mute, space by space; it is found later who cannot be. */
async function insertSanctions(ctx: Ctx, { bulkId, items }: StartBulk, { scope, except }: BulkSanction): Promise<void> {
  await execute(
    ctx,
    sql`
    insert into bulk_sanction (bulk_id, position, space_id, user_id, state, failure)
    select ${bulkId}, row_number() over (order by author.space_id, author.user_id), author.space_id, author.user_id,
      (case when author.is_spared then 'refused' else 'waiting' end)::bulk_item_state, case when author.is_spared then 'EXCEPTED' end
    from (${selectAuthors(ctx, scope, { items, except })}) author`,
  )
}

/** What is held before what is published, each ordered by id, so that two bulk actions over the same items can't deadlock. */
async function insertItems(ctx: Ctx, { bulkId, items, published = [] }: StartBulk): Promise<void> {
  const all = [...items, ...published]
  await execute(
    ctx,
    sql`
    insert into bulk_item (bulk_id, position, subject_type, subject_id, version, is_published)
    select ${bulkId}, row_number() over (order by is_published, type, id), type::subject_type, id, version, is_published
    from unnest(${all.map(({ subjectType }) => subjectType)}::text[], ${all.map(({ subjectId }) => subjectId)}::text[],
      ${all.map(({ version }) => version)}::int[], ${all.map((_, index) => index >= items.length)}::bool[]) as item(type, id, version, is_published)`,
  )
}
