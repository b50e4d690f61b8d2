import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import {
  type CommunityAction,
  mayEverywhere,
  mayInChannel,
  mayInCommunity,
  mayInEveryChannel,
} from '#server/core/permissions.ts'
import type { RuleSpace } from '#server/modules/rules/registry/schema.ts'
import { isVisible } from '#server/modules/spaces/communities/visible.ts'

/** Whether the caller may do this where the rule of the column applies, as an SQL condition: null is the whole network. */
export function mayWhereItApplies(ctx: Ctx, action: CommunityAction, communityColumn: Sql): Sql {
  const inNetwork = mayEverywhere(ctx, action) ? sql`${communityColumn} is null` : sql`false`
  return sql`(${inNetwork} or ${mayInCommunity(ctx, action, communityColumn)})`
}

/** Whether the caller may delete the messages that the rule of the column judges, as an SQL condition: null is the whole network. */
export function mayDeleteMessages(ctx: Ctx, communityColumn: Sql): Sql {
  if (mayInEveryChannel(ctx, 'deleteMessages')) return sql`true`
  return sql`exists (
    select from community owner
    where owner.community_id = ${communityColumn} and ${mayInChannel(ctx, 'deleteMessages', sql`owner.channel_id`)})`
}

/** Fails with NOT_FOUND for a community the caller may not see, FORBIDDEN where they may not manage rules. */
export async function assertMayManageRules(ctx: Ctx, { communityId }: RuleSpace): Promise<void> {
  if (communityId === null) {
    if (!mayEverywhere(ctx, 'manageRules')) throw new DomainError('FORBIDDEN')
    return
  }
  const known = await queryOne<{ mayManage: boolean }>(
    ctx,
    sql`
    select ${mayInCommunity(ctx, 'manageRules', sql`k.community_id`)} as may_manage
    from community k where k.community_id = ${communityId} and not k.is_deleted and ${isVisible(ctx)}`,
  )
  if (known === undefined) throw new DomainError('NOT_FOUND')
  if (!known.mayManage) throw new DomainError('FORBIDDEN')
}

/** One change at a time to the rules of a space: their order and their limit concern all of them. */
export async function lockRulesOf(ctx: Ctx, { communityId }: RuleSpace): Promise<void> {
  await queryOne(
    ctx,
    sql`select pg_advisory_xact_lock(hashtextextended(${`rules of ${communityId ?? ''}`}, 0)) is null as locked`,
  )
}
