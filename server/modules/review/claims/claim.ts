import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { lockAlike } from '#server/modules/review/claims/lock-alike.ts'
import type { Claimed, ClaimInput, Released } from '#server/modules/review/claims/schema.ts'
import { setClaims } from '#server/modules/review/claims/set-claims.ts'
import { lockOpenReport, lockPending } from '#server/modules/review/decisions/lock-pending.ts'
import { assertUnclaimed, toClaim } from '#server/modules/review/decisions/may-decide.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

/**
 * Claims a held item, everything that is held with the same text, or an open report, for as long as its community lets a claim last; the
 * caller's own claim starts again. Of two concurrent callers one gets it. Fails with NOT_FOUND for what the caller may not see, FORBIDDEN for
 * what they may not review or what they wrote, CHANGED if it is no longer pending or if somebody else has claimed it, with their name. Of a
 * group, such items are left out and named.
 */
export function claim(ctx: Ctx, { isGroup, ...input }: ClaimInput): Promise<Claimed> {
  return inTransaction(ctx, (ctx) => {
    if (actingUserId(ctx) === undefined) throw new DomainError('FORBIDDEN')
    return isGroup && !input.isReport ? claimGroup(ctx, input) : claimOne(ctx, input)
  })
}

async function claimOne(ctx: Ctx, { subjectType, isReport, ...input }: ClaimInput): Promise<Claimed> {
  const item = await lockOne(ctx, { subjectType, isReport, ...input })
  if (item.authorId === actingUserId(ctx)) throw new DomainError('FORBIDDEN')
  await assertUnclaimed(ctx, item, { subjectType })
  const set = await setClaims(ctx, { subjectType, items: [item], isClaimed: true, isReport })
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
    ...(await setClaims(ctx, { subjectType: subject.subjectType, items, isClaimed: true })),
    others: [...byName].flatMap(([displayName, { length: count }]) =>
      displayName === undefined ? [] : { displayName, count },
    ),
    own: Math.min(found.length, BULK_LIMIT) - foreign.length,
    isCut: found.length > BULK_LIMIT,
  }
}

const lockOne = (ctx: Ctx, { isReport, ...subject }: ClaimInput) =>
  isReport ? lockOpenReport(ctx, subject) : lockPending(ctx, subject)

/**
 * Ends the caller's claim of a held item, of everything that is held with the same text, or of a report; colleagues' claims stay. Fails
 * with NOT_FOUND for what the caller may not see, FORBIDDEN for what they may not review, CHANGED if it is no longer pending.
 */
export function release(ctx: Ctx, { isGroup, ...input }: ClaimInput): Promise<Released> {
  const { subjectType, isReport } = input
  return inTransaction(ctx, async (ctx) => {
    const found = isGroup && !isReport ? await lockAlike(ctx, input) : [await lockOne(ctx, input)]
    const mine = found.filter(({ claimedBy }) => claimedBy && claimedBy === actingUserId(ctx))
    const { items } = await setClaims(ctx, { subjectType, items: mine, isClaimed: false, isReport })
    return { items }
  })
}
