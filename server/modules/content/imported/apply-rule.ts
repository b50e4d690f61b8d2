import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { IS_HELD } from '#server/modules/content/items/held.ts'
import { lockRule } from '#server/modules/rules/registry/lock-rule.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import type { RuleApplication } from '#server/modules/rules/registry/schema.ts'
import { mayTest } from '#server/modules/rules/registry/view.ts'

/**
 * Has the worker judge what is pending in a community by its live rules, of which this is one: what they find gets them as a reason, and their
 * urgency. Nothing is decided. Fails with NOT_FOUND for a rule the caller may not manage and for an unknown community, CHANGED if somebody
 * changed the rule first, FORBIDDEN where the caller may not review what it judges, INVALID_PARAMETERS for a rule that isn't live or doesn't
 * hold, and for the community of another rule. Uses review_item_in_community.
 */
export function applyRule(ctx: Ctx, { ruleId, revision, communityId }: RuleApplication): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const rule = await lockRule(ctx, { ruleId, revision })
    if (!mayTest(rule)) throw new DomainError('FORBIDDEN')
    if (rule.state !== 'live' || rule.action.type !== 'hold')
      throw new DomainError('INVALID_PARAMETERS', { detail: ['ruleId: must be of a live rule that holds'] })
    if (rule.communityId !== null && rule.communityId !== communityId)
      throw new DomainError('INVALID_PARAMETERS', { detail: ["communityId: must be the rule's"] })
    const community = await queryOne(
      ctx,
      sql`select from community where community_id = ${communityId} and not is_deleted`,
    )
    if (community === undefined) throw new DomainError('NOT_FOUND')

    await execute(
      ctx,
      sql`
      insert into unjudged_import (subject_type, subject_id, community_id, added_at)
      select i.subject_type::subject_type, i.subject_id, i.community_id, ${AT_ONCE} from review_item i
      where i.community_id = ${communityId} and i.subject_type in ('comment', 'post') and ${IS_HELD}
      on conflict (subject_type, subject_id) do update set added_at = excluded.added_at`,
    )
    await recordRule(ctx, rule, { action: 'rule.applied', after: { version: rule.version, communityId } })
  })
}

/** Older than anything that is left until an import ends. */
const AT_ONCE = sql`'-infinity'`
