import { toAuditTerms } from '#server/core/ban-terms.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, type Sql, sql } from '#server/core/db.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { endOf, insertBulk } from '#server/modules/review/bulk/insert-bulk.ts'
import { readBulk } from '#server/modules/review/bulk/read-bulk.ts'
import { isInSpace, selectRemovable } from '#server/modules/review/bulk/removable.ts'
import { REMOVAL_LIMIT, type RemovalStarted, type StartRemoval } from '#server/modules/review/bulk/schema.ts'
import { mayReviewType } from '#server/modules/review/queue/held.ts'
import { banPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { spaceIdOf } from '#server/modules/spaces/sanctions/space-of.ts'

/**
 * Bans a person at once and stores what they wrote as the items of a bulk action, which `runBulk` removes: what is held is rejected, what is published
 * deleted. Its undo lifts this ban and restores the items. What a colleague has decided since the preview is left as it is. A second call with the same
 * id starts nothing new. Fails as the ban does, and with FORBIDDEN for a caller that is not a person.
 */
export function startRemoval(ctx: Ctx, input: StartRemoval): Promise<RemovalStarted> {
  return inTransaction(ctx, async (ctx) => {
    const { bulkId, ban } = input
    const { scope } = ban.space
    const endsAt = endOf(ctx, ban.minutes)
    const isNew = await insertBulk(ctx, { bulkId, outcome: 'rejected', sanction: { sanction: 'ban', scope, endsAt } })
    if (!isNew) return { ...(await readBulk(ctx, input)), withoutModerator: [] }
    // First, so that they write nothing in between.
    const at = ctx.now()
    const { withoutModerator } = await banPerson({ ...ctx, now: () => at }, ban)
    await insertBan(ctx, input, at)
    const items = await insertItems(ctx, input)
    const after = { outcome: 'rejected', items, bans: scope, ...toAuditTerms({ endsAt, policyId: ban.policyId }) }
    await recordAudit(ctx, { action: 'bulk.started', subjectType: 'bulk', subjectId: bulkId, after })
    return { ...(await readBulk(ctx, input)), withoutModerator }
  })
}

/** An earlier ban, which this one only gave other terms, isn't lifted by the undo; an imported one has no record. */
async function insertBan(ctx: Ctx, { bulkId, ban: { userId, space } }: StartRemoval, at: Date): Promise<void> {
  const spaceId = spaceIdOf(space)
  await execute(
    ctx,
    sql`
    insert into bulk_sanction (bulk_id, position, space_id, user_id, state, failure, sanction_id)
    select ${bulkId}, 1, ${spaceId}, ${userId}, (case when b.created_at = ${at} then 'done' else 'refused' end)::bulk_item_state,
      case when b.created_at <> ${at} then 'BANNED' end, b.ban_id
    from ban b
    where b.user_id = ${userId} and b.scope = ${space.scope}::ban_scope and b.lifted_at is null
      and coalesce(b.community_id, b.channel_id, '') = ${spaceId}`,
  )
}

/** In the order of ids within each type, so that two bulk actions over the same items can't deadlock. Returns how many items there are. */
function insertItems(ctx: Ctx, input: StartRemoval): Promise<number> {
  const { bulkId, at, except, isHeldIncluded, published, ban, item, space } = input
  const since = published?.since
  const removable = {
    authorId: ban.userId,
    space,
    item,
    isHeldIncluded,
    published: published && { since: since === undefined ? undefined : new Date(since) },
  }
  return execute(
    ctx,
    sql`
    with found as materialized (${selectRemovable(ctx, removable, REMOVAL_LIMIT)}),
    decided as materialized (${selectDecided(ctx, ban.userId, new Date(at))}),
    chosen as (
      select f.subject_type, f.subject_id, f.version, f.is_published, d.subject_id is not null as is_decided
      from found f left join decided d using (subject_type, subject_id) where not f.is_claimed
      union all
      select d.subject_type, d.subject_id, d.version, false, true from decided d
      where ${isHeldIncluded} and d.was_held and ${isInSpace(space, sql`d.community_id`)} and ${mayReviewDecided(ctx)}
        and not exists (select from found f where f.subject_type = d.subject_type and f.subject_id = d.subject_id)),
    left_out as (
      select * from unnest(${except.map(({ subjectType }) => subjectType)}::text[], ${except.map(({ subjectId }) => subjectId)}::text[])
        as left_out(subject_type, subject_id))
    insert into bulk_item (bulk_id, position, subject_type, subject_id, version, is_published, state, failure)
    select ${bulkId}, row_number() over (order by is_published, subject_type, subject_id), subject_type::subject_type, subject_id, version,
      is_published, (case when is_decided then 'refused' else 'waiting' end)::bulk_item_state, case when is_decided then 'CHANGED' end
    from chosen
    where not exists (select from left_out l where l.subject_type = chosen.subject_type and l.subject_id = chosen.subject_id)`,
  )
}

/** The latest decisions by others on what a person wrote, since a moment. Uses decision_author_id_decided_at_idx. */
function selectDecided(ctx: Ctx, authorId: string, since: Date): Sql {
  return sql`
    select distinct on (d.subject_type, d.subject_id) d.subject_type::text, d.subject_id, d.version, d.community_id, d.held_at is not null as was_held
    from decision d
    where d.author_id = ${authorId} and d.decided_at > ${since} and d.undone_at is null and d.subject_type <> 'user'
      and d.decided_by is distinct from ${actingUserId(ctx) ?? null}
    order by d.subject_type, d.subject_id, d.decided_at desc`
}

function mayReviewDecided(ctx: Ctx): Sql {
  const may = (type: HeldType) => mayReviewType(ctx, type, sql`d.community_id`)
  return sql`case d.subject_type when 'comment' then ${may('comment')} else ${may('post')} end`
}
