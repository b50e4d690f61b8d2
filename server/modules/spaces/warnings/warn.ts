import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInChannel, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { lockPersonBelow } from '#server/modules/accounts/roles/lock-person-below.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { cancelEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { assertPolicy } from '#server/modules/network/policies/assert-policy.ts'
import { statementTables } from '#server/modules/network/statements/write-statements.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import { maySomewhere } from '#server/modules/spaces/places-of.ts'
import type { WarnInput, WarningParams } from '#server/modules/spaces/warnings/schema.ts'

/** Whether the caller may warn in the community of this column, as an SQL condition: those who review comments or posts there. */
export function mayWarnIn(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`(${mayInCommunity(ctx, 'reviewComments', communityColumn)} or ${mayInCommunity(ctx, 'reviewPosts', communityColumn)})`
}

/** Whether the caller may warn for the whole network. */
export function mayWarnEverywhere(ctx: Ctx): boolean {
  return holds(ctx, 'MANAGE_POST_AND_COMMENT')
}

/** Whether the caller may warn this person somewhere, as an SQL condition. */
export function mayWarnSomewhere(ctx: Ctx, person: Sql): Sql {
  return maySomewhere(ctx, person, { mayIn: mayWarnIn, mayEverywhere: mayWarnEverywhere(ctx) })
}

/**
 * Warns a person: a statement of reasons with no other effect, issued once its undo time is over. For those who review comments or posts in the community; for the
 * network, MANAGE_POST_AND_COMMENT. Fails with NOT_FOUND for an unknown community or person, FORBIDDEN without the permission, for oneself and for people of equal or
 * higher rank, INVALID_PARAMETERS for an unknown policy, or for something that they didn't write there.
 */
export function warn(ctx: Ctx, { userId, space, policyId, words, about }: WarnInput): Promise<WarningParams> {
  const communityId = space.scope === 'community' ? space.communityId : null
  return inTransaction(ctx, async (ctx) => {
    await lockWarned(ctx, userId, communityId)
    await assertPolicy(ctx, policyId)
    if (about) await assertWroteThere(ctx, { userId, communityId }, about)

    const subject = { subjectType: 'user', subjectId: userId, communityId }
    const { eventId } = await recordEvent(ctx, {
      ...subject,
      name: 'desk.user.didWarn',
      payload: { userId },
      isDeskOnly: true,
      holdForMs: ctx.undoWindowMs,
    })
    const stated = await queryOne<WarningParams>(
      ctx,
      sql`
      with ${statementTables(ctx, {
        measure: 'warned',
        from: sql`(select) made`,
        userId: sql`${userId}`,
        communityId: sql`${communityId}`,
        subjectType: sql`${about?.type ?? null}`,
        subjectId: sql`${about?.id ?? null}`,
        eventId: sql`${eventId}`,
        policyId: sql`${policyId ?? null}`,
        words: sql`${words ?? null}`,
      })}
      select statement_id from stated`,
    )
    if (stated === undefined) throw new Error('an insert returned no row')
    await recordAudit(ctx, {
      ...subject,
      action: 'user.warned',
      after: { ...stated, ...present({ policyId }), ...(about && { [`${about.type}Id`]: about.id }) },
      ...(words !== undefined && { text: words }),
    })
    return stated
  })
}

async function lockWarned(ctx: Ctx, userId: string, communityId: string | null): Promise<void> {
  if (communityId === null && !mayWarnEverywhere(ctx)) throw new DomainError('FORBIDDEN')
  if (communityId !== null) await lockCommunity(ctx, communityId, { mayAct: mayWarnIn(ctx, sql`k.community_id`) })
  await lockPersonBelow(ctx, userId, communityId)
}

/** Undoes one's own warning before it is issued. Fails with NOT_FOUND for one of somebody else, CHANGED once its undo time is over. */
export function undoWarning(ctx: Ctx, { statementId }: WarningParams): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const warning = await queryOne<Warning>(
      ctx,
      sql`
      select user_id, community_id, event_id::text as event_id from statement
      where statement_id = ${statementId} and measure = 'warned' and made_by = ${actingUserId(ctx) ?? actorName(ctx)} for update`,
    )
    if (warning === undefined) throw new DomainError('NOT_FOUND')
    const { userId, communityId, eventId } = warning
    if (!(await cancelEvent(ctx, eventId))) throw new DomainError('CHANGED')
    await execute(ctx, sql`update statement set voided_at = ${ctx.now()} where statement_id = ${statementId}`)
    const subject = { subjectType: 'user', subjectId: userId, communityId }
    await recordAudit(ctx, { ...subject, action: 'user.warningUndone', before: { statementId } })
  })
}

interface Warning {
  userId: string
  communityId: string | null
  eventId: string
}

type About = NonNullable<WarnInput['about']>

/** Where they wrote it; of messages, those in channels whose messages the caller may delete. */
const writtenIn = (ctx: Ctx): Record<About['type'], Sql> => ({
  comment: sql`select c.community_id from comment c where c.comment_id = about.id and c.user_id = about.user_id`,
  post: sql`select p.community_id from post p where p.post_id = about.id and p.posted_user_id = about.user_id`,
  message: sql`
    select about.community_id from message m
    where m.message_id = about.id and m.user_id = about.user_id and ${mayInChannel(ctx, 'deleteMessages', sql`m.channel_id`)}`,
})

async function assertWroteThere(
  ctx: Ctx,
  { userId, communityId }: { userId: string; communityId: string | null },
  { type, id }: About,
): Promise<void> {
  const found = await queryOne(
    ctx,
    sql`
    select 1 as found
    from (select ${id}::text as id, ${userId}::text as user_id, ${communityId}::text as community_id) about
    cross join lateral (${writtenIn(ctx)[type]}) written
    where about.community_id is null or written.community_id = about.community_id`,
  )
  if (found === undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['about: they did not write it there'] })
}
