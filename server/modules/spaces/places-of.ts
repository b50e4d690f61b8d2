import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'

/** The most communities that an act on a person offers. */
const PLACES_SHOWN = 50

/** The person, and the community where the caller came across them: without one, all that they are a member of. */
interface Met {
  userId: string
  communityId?: string | undefined
}

interface May {
  mayIn: (ctx: Ctx, communityColumn: Sql) => Sql
  mayEverywhere: boolean
}

/**
 * Where the caller may do something to a person who is of lower rank there: communities by name, at most 50, and last, with null, the network. A query of
 * `community_id` and `display_name`. Uses community_user_user_id_idx.
 */
export function placesOf(ctx: Ctx, { userId, communityId }: Met, { mayIn, mayEverywhere }: May): Sql {
  const [person, column] = [sql`u.user_id`, sql`k.community_id`]
  const isIt =
    communityId === undefined
      ? sql`exists (
          select from community_user cu
          where cu.community_id = k.community_id and cu.user_id = ${userId} and cu.membership = 'member' and not cu.is_deleted)`
      : sql`k.community_id = ${communityId}`
  return sql`
    (select k.community_id, ${PLACE_NAME} as display_name
    from network_user u join community k on not k.is_deleted and ${isIt}
    where u.user_id = ${userId} and ${mayIn(ctx, column)} and ${outranks(ctx, person, { communityId: column })}
    order by display_name, community_id ${sql.raw(`limit ${PLACES_SHOWN}`)})
    union all
    select null, '' from network_user u where u.user_id = ${userId} and ${mayEverywhere} and ${outranks(ctx, person, 'network')}`
}

/** Whether there is such a place for this person, as an SQL condition. Uses community_user_user_id_idx. */
export function maySomewhere(ctx: Ctx, person: Sql, { mayIn, mayEverywhere }: May): Sql {
  const communityId = sql`own.community_id`
  return sql`(${person} is distinct from ${actingUserId(ctx) ?? null} and (
    ${mayEverywhere} and ${outranks(ctx, person, 'network')}
    or exists (
      select from community_user own join community k on k.community_id = own.community_id and not k.is_deleted
      where own.user_id = ${person} and own.membership = 'member' and not own.is_deleted
        and ${mayIn(ctx, communityId)} and ${outranks(ctx, person, { communityId })})))`
}

/** The name of `community k`; empty for the network. */
export const PLACE_NAME = sql`coalesce(nullif(k.display_name, ''), k.community_id, '')`
