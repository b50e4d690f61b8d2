import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { lockAlike } from '#server/modules/review/claims/lock-alike.ts'
import type { Claimed, ClaimInput, Released } from '#server/modules/review/claims/schema.ts'
import { setClaims } from '#server/modules/review/claims/set-claims.ts'
import { assertUnclaimed, toClaim } from '#server/modules/review/decisions/may-decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { kindOf } from '#server/modules/review/queue/kinds.ts'

/**
 * Claims an item, or everything that is held with the same text, for as long as its community lets a claim last; the
 * caller's own claim starts again. Of two concurrent callers one gets it. Fails with NOT_FOUND for what the caller may not see, FORBIDDEN for
 * what they may not review or what they wrote, CHANGED if it is no longer pending or if somebody else has claimed it, with their name. Of a
 * group, such items are left out and named.
 */
export function claim(ctx: Ctx, { isGroup, ...input }: ClaimInput): Promise<Claimed> {
  return inTransaction(ctx, (ctx) => {
    if (actingUserId(ctx) === undefined) throw new DomainError('FORBIDDEN')
    return isGroup && kindOf(input).isGrouped ? claimGroup(ctx, input) : claimOne(ctx, input)
  })
}

async function claimOne(ctx: Ctx, input: ClaimInput): Promise<Claimed> {
  const item = await kindOf(input).lock(ctx, input)
  if (item.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
  await assertUnclaimed(ctx, item, input)
  const set = await setClaims(ctx, { ...input, items: [item], isClaimed: true })
  return { ...set, others: [], own: 0, isCut: false }
}

async function claimGroup(ctx: Ctx, subject: Subject): Promise<Claimed> {
  const me = actingUserId(ctx)
  const found = await lockAlike(ctx, subject)
  const foreign = found.slice(0, BULK_LIMIT).filter(({ authorId }) => authorId !== me)
  const byName = Map.groupBy(foreign, (item) => {
    const by = toClaim(ctx, item)?.by
    return by?.userId === me ? undefined : by?.displayName
  })
  const items = byName.get(undefined) ?? []
  return {
    ...(await setClaims(ctx, { ...subject, items, isClaimed: true })),
    others: [...byName].flatMap(([displayName, { length: count }]) =>
      displayName === undefined ? [] : { displayName, count },
    ),
    own: Math.min(found.length, BULK_LIMIT) - foreign.length,
    isCut: found.length > BULK_LIMIT,
  }
}

/**
 * Ends the caller's claim of an item, or of everything that is held with the same text; colleagues' claims stay. Fails
 * with NOT_FOUND for what the caller may not see, FORBIDDEN for what they may not review, CHANGED if it is no longer pending.
 */
export function release(ctx: Ctx, { isGroup, ...input }: ClaimInput): Promise<Released> {
  const kind = kindOf(input)
  return inTransaction(ctx, async (ctx) => {
    const found = isGroup && kind.isGrouped ? await lockAlike(ctx, input) : [await kind.lock(ctx, input)]
    const mine = found.filter(({ claimedBy }) => claimedBy && claimedBy === actingUserId(ctx))
    const { items } = await setClaims(ctx, { ...input, items: mine, isClaimed: false })
    return { items }
  })
}
