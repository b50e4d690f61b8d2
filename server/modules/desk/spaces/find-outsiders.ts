import type { Ctx } from '#server/core/ctx.ts'
import { NO_PREPARE } from '#server/core/database/statement-names.ts'
import { query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { rankByName } from '#server/core/fuzzy-name-search.ts'
import { NAMED_PEOPLE } from '#server/modules/accounts/users/named-people.ts'
import type { Outsider, OutsidersInput } from '#server/modules/desk/spaces/schema.ts'
import { readSpaceActs } from '#server/modules/desk/spaces/space-acts.ts'

const SHOWN = 10

/**
 * People who could be added to a space: the best matches by id, name or handle, without those who are in it or banned from it. Fails as
 * `readSpaceActs` does, and with FORBIDDEN for those who may not add anyone there. Uses channel_user_pkey or community_user_pkey.
 */
export async function findOutsiders(ctx: Ctx, { space, query: typed }: OutsidersInput): Promise<Outsider[]> {
  const { add } = await readSpaceActs(ctx, space)
  if (!add) throw new DomainError('FORBIDDEN')
  const words = typed.trim()
  if (words === '') return []
  const stands =
    space.scope === 'channel'
      ? sql`select from channel_user cu where cu.channel_id = ${space.channelId}`
      : sql`select from community_user cu where cu.community_id = ${space.communityId}`
  const isOutside = sql`
    not u.is_deleted and not exists (${stands} and cu.user_id = u.user_id and cu.membership <> 'none' and not cu.is_deleted)`
  return query<Outsider>(
    ctx,
    sql`
    select u.user_id, coalesce(nullif(u.display_name, ''), u.user_id) as display_name
    from ${rankByName(NAMED_PEOPLE, words, isOutside, SHOWN)} f join network_user u on u.user_id = f.id
    order by f.position, f.likeness desc, display_name, u.user_id ${NO_PREPARE}`,
  )
}
