import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { CHANNEL_ACTIONS, COMMUNITY_ACTIONS } from '#server/core/permissions.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import type { Claim, Deciding, Subject, SubjectType } from '#server/modules/review/decisions/schema.ts'

export interface Deciders {
  /** Across the network, one of these is enough. */
  network: string[]
  /** In the space. */
  local: string
}

export const byAction = ({ network, local }: { network: string; local: string }): Deciders => ({
  network: [network, local],
  local,
})

/** The permissions with which people decide on a type: those with which its lists are read. */
const PERMISSIONS: Record<SubjectType, Deciders> = {
  comment: byAction(COMMUNITY_ACTIONS.reviewComments),
  post: byAction(COMMUNITY_ACTIONS.reviewPosts),
  message: byAction(CHANNEL_ACTIONS.deleteMessages),
  user: { network: ['BAN_USER'], local: '' },
}

/** Ids as values or as columns. */
interface Placed {
  subjectType: SubjectType
  communityId: string | null | Sql
  channelId?: string | null | Sql
  authorId: string | Sql
}

/**
 * Whether a person may decide on an item: a condition on `network_user u` and, if they have one, their `staff_account a`, by the roles they
 * hold in that space or across the network.
 */
export function mayDecide({ subjectType, ...placed }: Placed): Sql {
  const { network, local } = PERMISSIONS[subjectType]
  return mayDecideBy({ network: sql`${network}`, local: sql`${local}` }, placed)
}

/** `mayDecide` by what somebody needs, as SQL expressions: a text[] of network permissions and one of the space. */
export function mayDecideBy(
  { network, local }: { network: Sql; local: Sql },
  { communityId, channelId = null, authorId }: Omit<Placed, 'subjectType'>,
): Sql {
  return sql`a.is_disabled is not true and not u.is_deleted and not u.is_global_ban and u.user_id <> ${authorId} and (
    ${network} && network_role_permissions(u.roles)
    or exists (
      select from community_user theirs
      where theirs.community_id = ${communityId} and theirs.user_id = u.user_id and theirs.membership = 'member' and not theirs.is_deleted
        and ${local} = any(role_permissions(theirs.roles)))
    ${
      channelId === null
        ? sql.empty
        : sql`or exists (
          select from channel_user theirs
          where theirs.channel_id = ${channelId} and theirs.user_id = u.user_id and theirs.membership = 'member' and not theirs.is_deleted
            and ${local} = any(role_permissions(theirs.roles)))`
    })`
}

/** The columns of a held row or a report about its claim. */
export interface ClaimedRow {
  claimedBy: string | null
  claimedUntil: Date | null
}

/** Columns of a row with `subject_type`, `community_id`, `claimed_by` and these. */
interface ClaimColumns {
  authorId: Sql
  channelId?: Sql
}

/**
 * The name of the person who claimed a row; null without a claim, and once the claimant may no longer decide on the item, which ends the claim's effect.
 * Nothing is looked up for what isn't claimed. One condition for all types, as each would be set up at every execution.
 */
export function claimantOf(row: Sql, columns: ClaimColumns): Sql {
  return sql`
    case when ${row}.claimed_by is not null then (
      select ${DESK_NAME} from network_user u left join staff_account a on a.network_user_id = u.user_id
      where u.user_id = ${row}.claimed_by and ${mayDecideRow(row, columns)}) end`
}

/** `mayDecide` for a row with `subject_type` and `community_id`. */
export function mayDecideRow(row: Sql, { authorId, channelId }: ClaimColumns): Sql {
  const byType = (of: (deciders: Deciders) => Sql) =>
    sql`case ${row}.subject_type ${sql.join(
      Object.entries(PERMISSIONS).map(([type, deciders]) => sql`when ${sql.raw(`'${type}'`)} then ${of(deciders)}`),
      ' ',
    )} end`
  const needed = {
    network: byType(({ network }) => sql`${network}::text[]`),
    local: byType(({ local }) => sql`${local}::text`),
  }
  return mayDecideBy(needed, { communityId: sql`${row}.community_id`, channelId: channelId ?? null, authorId })
}

/** The claim in force on an item. `claimedByName` is what `claimantOf` selects. */
export function toClaim(ctx: Ctx, row: ClaimedRow & { claimedByName: string | null }): Claim | undefined {
  const { claimedBy, claimedByName, claimedUntil } = row
  if (claimedBy === null || claimedByName === null || claimedUntil === null || claimedUntil <= ctx.now())
    return undefined
  return { by: { userId: claimedBy, displayName: claimedByName }, until: claimedUntil.toISOString() }
}

type Held = Partial<ClaimedRow> & Omit<Placed, 'subjectType'> & { subjectId: string; version: number }

/**
 * Fails with CHANGED, naming the claimant, for an item that somebody else has claimed (docs/decisions/0199-leases-and-claims.md): the desk decides on
 * such an item only if the moderator has seen by whom it is claimed. Apps, which don't know of claims, decide as ever.
 */
export async function assertUnclaimed(
  ctx: Ctx,
  { claimedBy, claimedUntil, ...held }: Held,
  { subjectType, despiteClaimOf }: Pick<Subject, 'subjectType'> & Pick<Deciding, 'despiteClaimOf'>,
): Promise<void> {
  if (!claimedBy || !claimedUntil || ctx.source === 'rest' || claimedBy === despiteClaimOf) return
  if (!isOthersClaim(ctx, { claimedBy, claimedUntil })) return
  const claimant = await queryOne<{ displayName: string }>(
    ctx,
    sql`
    select ${DESK_NAME} as display_name from network_user u left join staff_account a on a.network_user_id = u.user_id
    where u.user_id = ${claimedBy} and ${mayDecide({ subjectType, ...held })}`,
  )
  if (claimant === undefined) return
  throw new DomainError('CHANGED', {
    version: held.version,
    claimedBy,
    claimedByName: claimant.displayName,
    claimedUntil: claimedUntil.toISOString(),
  })
}

/** Whether somebody else's claim is in force. */
function isOthersClaim(ctx: Ctx, { claimedBy = null, claimedUntil = null }: Partial<ClaimedRow>): boolean {
  return claimedBy !== null && claimedBy !== actingUserId(ctx) && claimedUntil !== null && claimedUntil > ctx.now()
}

/** A condition on a held row, for a compare-and-set: nobody else has claimed it since it was read, as another row has it. */
export function isClaimedAsRead(ctx: Ctx, row: Sql, seen: Sql): Sql {
  return sql`(${row}.claimed_by is null or ${row}.claimed_by = ${actingUserId(ctx) ?? null}
    or ${row}.claimed_by = ${seen}.claimed_by and ${row}.claimed_until = ${seen}.claimed_until or ${ctx.source === 'rest'})`
}
