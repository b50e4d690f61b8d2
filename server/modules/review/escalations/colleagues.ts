import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { containsFolded } from '#server/core/database/like.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayDecide } from '#server/modules/review/decisions/may-decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { Colleague, ColleaguesInput } from '#server/modules/review/escalations/schema.ts'
import { kindOf } from '#server/modules/review/queue/kinds.ts'

const COLLEAGUES_SHOWN = 20

/** People with a staff account who may decide on the item, except its author and the caller. */
export async function listColleagues(ctx: Ctx, { name, ...item }: ColleaguesInput): Promise<Colleague[]> {
  const held = await kindOf(item).lock(ctx, item)
  return query<Colleague>(
    ctx,
    sql`
    select u.user_id, a.name as display_name
    from staff_account a join network_user u on u.user_id = a.network_user_id
    where ${mayDecide(held)} and u.user_id is distinct from ${actingUserId(ctx) ?? null} and ${containsFolded(sql`a.name`, name)}
    order by a.name, u.user_id ${sql.raw(`limit ${COLLEAGUES_SHOWN}`)}`,
  )
}

export async function assertColleague(ctx: Ctx, held: Held, userId: string): Promise<void> {
  const found = await query(
    ctx,
    sql`
    select 1 as found from staff_account a join network_user u on u.user_id = a.network_user_id
    where u.user_id = ${userId} and ${mayDecide(held)}`,
  )
  if (found.length === 0)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['handTo: this person cannot decide this item'] })
}

type Held = Subject & { communityId: string | null; channelId?: string | null | undefined; authorId: string }
