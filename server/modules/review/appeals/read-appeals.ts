import type { Ctx } from '#server/core/ctx.ts'
import type { ListOrder } from '#server/core/database/keyset.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { listPage } from '#server/core/list-page.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { DESK_NAME } from '#server/modules/accounts/users/desk-name.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { mayModerateMessages } from '#server/modules/content/messages/lock-message.ts'
import {
  maySeeText,
  STATEMENT_JOINS,
  type StatementRow,
  statementColumns,
  toStatement,
} from '#server/modules/network/statements/read-statements.ts'
import type { StatementLinks } from '#server/modules/network/statements/statement-link.ts'
import { CAN_SOMEBODY_ELSE, decidedFirst, mayDecideAppeal } from '#server/modules/review/appeals/may-decide-appeal.ts'
import type { Appeal, Appeals, AppealsCount, AppealsQuery } from '#server/modules/review/appeals/schema.ts'
import { mayReadChannel } from '#server/modules/spaces/channels/channel-scope.ts'

/** How long after an appeal was made its decision is due. */
const DUE_DAYS = 7

/** The most that are counted. */
const COUNTED = 100

const ORDERS: Record<AppealsQuery['state'], { isIt: Sql; order: ListOrder }> = {
  waiting: {
    isIt: sql`appeal.state = 'waiting'`,
    order: {
      first: { column: sql`appeal.created_at`, isDescending: false, type: 'timestamptz' },
      tie: { column: sql`appeal.appeal_id`, isDescending: false },
    },
  },
  decided: {
    isIt: sql`appeal.state <> 'waiting'`,
    order: {
      first: { column: sql`appeal.decided_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: sql`appeal.appeal_id`, isDescending: true },
    },
  },
}

/**
 * A page of the appeals that the caller may decide on: those to decide, the oldest first, with whose first decision it was only once they are decided; or
 * those that are, the latest first. Uses appeal_waiting or appeal_decided.
 */
export async function listAppeals(
  ctx: Ctx,
  links: StatementLinks,
  { state, limit, token }: AppealsQuery,
): Promise<Appeals> {
  const { isIt, order } = ORDERS[state]
  const { items, ...paging } = await listPage<Row, Appeal>(
    ctx,
    { cursor: token, limit },
    {
      order,
      select: ({ where, orderBy, limit }) => sql`
        with page as materialized (
          select appeal.*, appeal.state as appeal_state, row_number() over (order by ${orderBy}) as place
          from appeal join statement s on s.statement_id = appeal.statement_id
          where ${isIt} and ${mayDecideAppeal(ctx)} and ${where} order by ${orderBy} ${limit})
        select ${statementColumns(ctx, seesText(ctx))}, person.display_name, page.created_at as appealed_at, page.decided_at, page.appeal_state,
          page.appeal_id, page.words as appeal_words, page.answer,
          case when ${decidedFirst(ctx)} then case when ${CAN_SOMEBODY_ELSE} then 'no' else 'alone' end else 'yes' end as may_decide,
          ${nameOfDecider(sql`page.first_decider`)} as first_decided_by, ${nameOfDecider(sql`page.decided_by`)} as decided_by
        from page join statement s on s.statement_id = page.statement_id
        left join network_user person on person.user_id = s.user_id ${STATEMENT_JOINS}
        order by page.place`,
      positionOf: ({ appealedAt, decidedAt, appealId }) => [
        (state === 'waiting' ? appealedAt : (decidedAt ?? appealedAt)).toISOString(),
        appealId,
      ],
      toItem: (row) => toAppeal(row, links),
    },
  )
  return { appeals: items, paging }
}

/** How many appeals the caller can decide on now: of those whose first decision was theirs, where nobody else could. Uses appeal_waiting. */
export async function countAppeals(ctx: Ctx): Promise<AppealsCount> {
  const counted = await queryOne<AppealsCount>(
    ctx,
    sql`
    select count(*)::int as count from (
      select from appeal join statement s on s.statement_id = appeal.statement_id
      where appeal.state = 'waiting' and ${mayDecideAppeal(ctx)} and case when ${decidedFirst(ctx)} then not ${CAN_SOMEBODY_ELSE} else true end
      ${sql.raw(`limit ${COUNTED}`)}) could_be_decided`,
  )
  return { count: counted?.count ?? 0 }
}

/** What was judged, for those who review it; of messages, in the channels that they read and moderate. */
function seesText(ctx: Ctx): Sql {
  return sql`(${maySeeText(ctx)} or s.subject_type = 'message' and exists (
    select from channel c where c.channel_id = s.channel_id and ${mayReadChannel(ctx)} and ${mayModerateMessages(ctx)}))`
}

/** The name at the desk of a user; the name of an admin token is stored as it is. */
function nameOfDecider(decider: Sql): Sql {
  return sql`case when ${decider} is not null then coalesce((
    select ${DESK_NAME} from network_user u left join staff_account a on a.network_user_id = u.user_id where u.user_id = ${decider}), ${decider}) end`
}

interface Row extends StatementRow {
  appealId: string
  /** Also where the text of what was judged is in a conversation that the caller isn't in: they are for those who decide. */
  appealWords: string | null
  answer: string | null
  displayName: string | null
  appealedAt: Date
  decidedAt: Date | null
  appealState: Appeal['state']
  mayDecide: Appeal['mayDecide']
  firstDecidedBy: string | null
  decidedBy: string | null
}

function toAppeal(row: Row, links: StatementLinks): Appeal {
  const { appealId, appealedAt, appealWords: words, appealState: state, answer, mayDecide, decidedAt } = row
  const { firstDecidedBy, decidedBy } = row
  const { appeal: _, appealUntil: __, ...statement } = toStatement(row, links)
  return {
    appealId,
    statement,
    author: { userId: row.userId, displayName: nameOf(row) },
    state,
    createdAt: timestampOf(appealedAt),
    dueAt: timestampOf(new Date(appealedAt.getTime() + DUE_DAYS * 24 * 3_600_000)),
    mayDecide,
    ...present({ words }),
    ...(decidedAt !== null && {
      decidedAt: timestampOf(decidedAt),
      ...present({ answer, firstDecidedBy, decidedBy }),
    }),
  }
}
