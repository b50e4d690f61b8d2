import { isDeepStrictEqual } from 'node:util'
import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { assertKinds } from '#server/modules/rules/registry/assert-kinds.ts'
import { assertQueueOfSpace } from '#server/modules/rules/registry/assert-queue-of-space.ts'
import { assertSizes } from '#server/modules/rules/registry/assert-sizes.ts'
import { assertUsable } from '#server/modules/rules/registry/assert-usable.ts'
import { type LockedRule, lockRule } from '#server/modules/rules/registry/lock-rule.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { recordRule } from '#server/modules/rules/registry/record-rule.ts'
import type { Rule, RuleChange } from '#server/modules/rules/registry/schema.ts'
import { mayActManually } from '#server/modules/rules/registry/view.ts'

/**
 * Changes a rule. What it does becomes a new version if the current one was used; a rule in shadow or live goes on with it. Fails with
 * NOT_FOUND for one the caller may not manage, CHANGED if somebody changed it first, FORBIDDEN for a live one that would do what the caller
 * may not do by hand, INVALID_PARAMETERS for conditions that can't be used and for too many words. A call that changes nothing is neither
 * logged nor published.
 */
export function changeRule(ctx: Ctx, { ruleId, revision, ...change }: RuleChange): Promise<Rule> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockRule(ctx, { ruleId, revision })
    const after = { ...before, ...withoutUndefined(change) }
    const isOtherVersion = !isDeepStrictEqual(versionOf(before), versionOf(after))
    const isOtherLimit = before.maxOverturned !== after.maxOverturned
    if (!isOtherVersion && !isOtherLimit && before.name === after.name) return readRule(ctx, { ruleId })
    if (isOtherVersion) await assertMayBecome(ctx, before, after)

    const version = before.version + (isOtherVersion && before.usedAt !== null ? 1 : 0)
    if (isOtherVersion) await writeVersion(ctx, { ...after, version })
    await execute(
      ctx,
      sql`
      update rule set name = ${after.name}, version = ${version}, max_overturned = ${after.maxOverturned}, revision = revision + 1,
        updated_at = ${ctx.now()}
      where rule_id = ${ruleId}`,
    )
    await recordRule(ctx, before, {
      action: 'rule.changed',
      before: { version: before.version, ...(isOtherLimit && { maxOverturned: before.maxOverturned }) },
      after: { version, ...(isOtherLimit && { maxOverturned: after.maxOverturned }) },
      name: before.name === after.name ? undefined : after.name,
    })
    return readRule(ctx, { ruleId })
  })
}

async function assertMayBecome(ctx: Ctx, before: LockedRule, rule: LockedRule): Promise<void> {
  if (rule.state === 'live' && !mayActManually(rule)) throw new DomainError('FORBIDDEN')
  assertKinds(rule)
  await assertUsable(rule.condition)
  // One that was deleted since may stay.
  if (before.action.queueId !== rule.action.queueId) await assertQueueOfSpace(ctx, rule)
  await assertPolicy(ctx, rule.action.policyId, before.action.policyId)
  if (isRunning(rule)) await assertSizes(ctx, rule)
}

const isRunning = ({ state }: LockedRule) => state === 'shadow' || state === 'live'

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  // `fromEntries` loses the types: the names and values are those of the fields.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function versionOf({ kinds, condition, action }: Pick<LockedRule, 'kinds' | 'condition' | 'action'>) {
  return { kinds, condition, action }
}

/** A version that was never used is overwritten. */
async function writeVersion(ctx: Ctx, rule: LockedRule): Promise<void> {
  const { ruleId, version, kinds, condition, action } = rule
  const now = ctx.now()
  const usedAt = isRunning(rule) ? now : null
  await execute(
    ctx,
    sql`
    insert into rule_version (rule_id, version, kinds, condition, action, created_by, created_at, used_at)
    values (${ruleId}, ${version}, ${kinds}, ${JSON.stringify(condition)}::jsonb, ${JSON.stringify(action)}::jsonb,
      ${actingUserId(ctx) ?? actorName(ctx)}, ${now}, ${usedAt})
    on conflict (rule_id, version) do update set kinds = excluded.kinds, condition = excluded.condition, action = excluded.action,
      created_by = excluded.created_by, created_at = excluded.created_at`,
  )
}
