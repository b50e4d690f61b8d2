import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError, type ErrorCode } from '#server/core/errors.ts'
import type { Measure } from '#server/modules/network/statements/schema.ts'
import { decideItem } from '#server/modules/review/decisions/decide-items.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import { unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { kindOf } from '#server/modules/spaces/sanctions/space-of.ts'

/** What a statement of reasons says was done. */
export interface StatedMeasure {
  statementId: string
  userId: string
  measure: Measure
  subjectType: SubjectType | null
  subjectId: string | null
  communityId: string | null
  channelId: string | null
  banId: string | null
  muteId: string | null
}

/**
 * Ends what was stated, as the caller, in their transaction. False where nothing is left to end: the content is public again, was erased, or its author deleted it;
 * the ban or mute is over. A warning has no other effect.
 */
export function endStated(ctx: Ctx, stated: StatedMeasure): Promise<boolean> {
  switch (stated.measure) {
    case 'banned':
      return liftBan(ctx, stated)
    case 'muted':
      return endMute(ctx, stated)
    case 'warned':
      return Promise.resolve(false)
    default:
      return restoreContent(ctx, stated)
  }
}

/** The decision is published at once: it can't be undone. */
async function restoreContent(ctx: Ctx, { measure, subjectType, subjectId }: StatedMeasure): Promise<boolean> {
  if (subjectType === null || subjectId === null) return false
  const from = measure === 'deleted' ? 'deleted' : 'rejected'
  const decision = { subjectType, subjectId, outcome: 'approved' } as const
  return isDone(decideItem({ ...ctx, undoWindowMs: 0 }, decision, { from, isAppeal: true }), ['NOT_FOUND', 'CHANGED'])
}

async function liftBan(ctx: Ctx, { banId, userId, ...space }: StatedMeasure): Promise<boolean> {
  const inForce = await queryOne(
    ctx,
    sql`
    select 1 as found from ban
    where ban_id = ${banId}::bigint and lifted_at is null and (ends_at is null or ends_at > ${ctx.now()})`,
  )
  return (
    inForce !== undefined && isDone(unbanPerson(ctx, { userId, space: spaceOf(space) }), ['NOT_FOUND', 'NOT_BANNED'])
  )
}

async function endMute(ctx: Ctx, { muteId, userId, ...place }: StatedMeasure): Promise<boolean> {
  const inForce = await queryOne(
    ctx,
    sql`select 1 as found from mute where mute_id = ${muteId}::bigint and lifted_at is null and ends_at > ${ctx.now()}`,
  )
  const space = spaceOf(place)
  if (inForce === undefined || space.scope === 'network') return false
  const { kind, spaceId } = kindOf(space)
  // Who isn't a member there any more is not muted any more.
  const noMember = ['NOT_FOUND', 'NOT_CHANNEL_MEMBER', 'BANNED'] as const
  return isDone(muteUsers(ctx, kind, { spaceId, userIds: [userId], mutePeriod: 0 }), noMember)
}

function spaceOf({ communityId, channelId }: Pick<StatedMeasure, 'communityId' | 'channelId'>): BanSpace {
  if (channelId !== null) return { scope: 'channel', channelId }
  return communityId === null ? { scope: 'network' } : { scope: 'community', communityId }
}

/** False if it fails with one of these codes, which say that there is nothing to do: they come before anything is changed. */
async function isDone(act: Promise<unknown>, nothingToDo: readonly ErrorCode[]): Promise<boolean> {
  try {
    await act
    return true
  } catch (error) {
    if (error instanceof DomainError && nothingToDo.includes(error.code)) return false
    throw error
  }
}
