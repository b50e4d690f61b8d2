import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { LINK_DAYS, readStatementToken } from '#server/modules/network/statements/statement-link.ts'
import { recordAppealEvent } from '#server/modules/review/appeals/record-appeal.ts'
import type { AppealInput, AppealParams, LinkedAppealInput } from '#server/modules/review/appeals/schema.ts'

/**
 * Appeals against a statement of reasons, once, as its recipient. Fails with NOT_FOUND for one that was not issued to the caller, CHANGED if they have appealed or it is
 * reversed, INVALID_PARAMETERS more than 180 days after its issue.
 */
export function appeal(ctx: Ctx, { statementId, words }: AppealInput): Promise<AppealParams> {
  return add(ctx, { statementId, words, isTheirs: sql`s.user_id = ${actingUserId(ctx) ?? null}` })
}

/** The same for whom the link was sent to: they need no account. NOT_FOUND for a link that was changed, or is older than 180 days. */
export async function appealByLink(ctx: Ctx, key: Buffer, { token, words }: LinkedAppealInput): Promise<void> {
  const statementId = readStatementToken(key, token)
  const isTheirs = sql`s.issued_at > ${earliest(ctx)}`
  await add(ctx, { statementId, words, isTheirs })
}

const earliest = (ctx: Ctx) => new Date(ctx.now().getTime() - LINK_DAYS * 24 * 3_600_000)

interface NewAppeal extends AppealInput {
  /** Whether the caller is the recipient of `statement s`, as an SQL condition. */
  isTheirs: Sql
}

interface Stated {
  userId: string
  communityId: string | null
  channelId: string | null
  madeBy: string | null
  isTooLate: boolean
  isReversed: boolean
}

/** The statement's row is locked, so that it isn't reversed in between. Of two at once one is stored. */
function add(ctx: Ctx, { statementId, words, isTheirs }: NewAppeal): Promise<AppealParams> {
  return inTransaction(ctx, async (ctx) => {
    const stated = await queryOne<Stated>(
      ctx,
      sql`
      select s.user_id, s.community_id, s.channel_id, s.made_by, s.issued_at <= ${earliest(ctx)} as is_too_late, s.reversed_at is not null as is_reversed
      from statement s where s.statement_id = ${statementId} and s.issued_at is not null and ${isTheirs} for no key update`,
    )
    if (stated === undefined) throw new DomainError('NOT_FOUND')
    const { userId, communityId, channelId, madeBy, isTooLate, isReversed } = stated
    if (isTooLate)
      throw new DomainError('INVALID_PARAMETERS', { detail: ['statementId: it was issued more than 180 days ago'] })
    if (isReversed) throw new DomainError('CHANGED')
    const added = await queryOne<AppealParams>(
      ctx,
      sql`
      insert into appeal (statement_id, user_id, first_decider, words, created_at)
      values (${statementId}, ${userId}, ${madeBy}, ${words}, ${ctx.now()})
      on conflict (statement_id) do nothing returning appeal_id`,
    )
    if (added === undefined) throw new DomainError('CHANGED')
    await recordAudit(ctx, {
      subjectType: 'user',
      subjectId: userId,
      action: 'user.appealed',
      communityId,
      channelId,
      after: { statementId, ...added },
    })
    await recordAppealEvent(ctx, 'appeal.didCreate', { ...added, statementId, communityId })
    return added
  })
}
