import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import { excerptOf, LONG_EXCERPT_LENGTH } from '#server/core/excerpt.ts'
import type { Page } from '#server/core/list-page.ts'
import { listPage } from '#server/core/list-page.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import type { FlagRecord, Named, PersonListInput } from '#server/modules/people/schema.ts'
import { knowsChannel, knowsCommunity } from '#server/modules/people/scope.ts'
import { namedAs } from '#server/modules/people/view.ts'

/**
 * Flags on a person and on what they wrote, latest first. Uses flag_pkey and, for the flagged content, comment_flagged_of_author,
 * post_flagged_of_author and message_flagged_of_author.
 */
export function listFlagsOn(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<FlagRecord>> {
  return list(ctx, page, flagsOn(userId))
}

/** A query for the flags on a person and on what they wrote. */
export function flagsOn(userId: string): Sql {
  return sql`(
    select f.* from flag f where f.subject_type = 'user' and f.subject_id = ${userId}
    union all
    select f.* from comment c join flag f on f.subject_type = 'comment' and f.subject_id = c.comment_id
    where c.user_id = ${userId} and c.flag_count > 0
    union all
    select f.* from post p join flag f on f.subject_type = 'post' and f.subject_id = p.post_id
    where p.posted_user_id = ${userId} and p.flag_count > 0
    union all
    select f.* from message m join flag f on f.subject_type = 'message' and f.subject_id = m.message_id
    where m.user_id = ${userId} and m.flag_count > 0)`
}

/** Flags that a person sent, latest first. Uses flag_of_user. */
export function listFlagsBy(ctx: Ctx, { userId, ...page }: PersonListInput): Promise<Page<FlagRecord>> {
  return list(ctx, page, sql`(select * from flag where flag.user_id = ${userId})`)
}

interface FlagRow {
  tie: string
  subjectType: FlagRecord['subjectType']
  subjectId: string
  by: Named
  at: Date
  isByRule: boolean
  reason: string
  detail: string | null
  clearedAt: Date | null
  data: Record<string, unknown> | null
}

/** The ids of what is flagged may be long. */
const TIE = sql`md5(f.subject_type || ':' || f.subject_id || ':' || f.user_id)`

function list(ctx: Ctx, page: Omit<PersonListInput, 'userId'>, flags: Sql): Promise<Page<FlagRecord>> {
  return listPage<FlagRow, FlagRecord>(ctx, page, {
    order: {
      first: { column: sql`f.created_at`, isDescending: true, type: 'timestamptz' },
      tie: { column: TIE, isDescending: false },
    },
    // Messages in a conversation are not shown outside it.
    select: ({ where, orderBy, limit }) => sql`
      select ${TIE} as tie, f.subject_type::text as subject_type, f.subject_id, f.created_at as at, f.rule_version is not null as is_by_rule, f.reason, f.detail,
        f.cleared_at, ${namedAs(sql`f.user_id`, sql`sender`)} as by,
        coalesce(c.data, p.data, case when h.type <> 'conversation' then m.data end) as data
      from ${flags} f left join network_user sender on sender.user_id = f.user_id ${FLAGGED}
      where ${where} and ${knowsFlag(ctx)}
      order by ${orderBy} ${limit}`,
    positionOf: ({ at, tie }) => [timestampOf(at), tie],
    toItem: ({ tie: _, data, at, isByRule, detail, clearedAt, ...flag }) => ({
      ...flag,
      ...(isByRule && { isByRule }),
      at: timestampOf(at),
      ...present({
        detail,
        clearedAt: clearedAt && timestampOf(clearedAt),
        excerpt: excerptOf(textOf({ data }), LONG_EXCERPT_LENGTH),
      }),
    }),
  })
}

/** What flag `f` is on, beside it. */
export const FLAGGED = sql`
  left join comment c on f.subject_type = 'comment' and c.comment_id = f.subject_id
  left join post p on f.subject_type = 'post' and p.post_id = f.subject_id
  left join message m on f.subject_type = 'message' and m.message_id = f.subject_id
  left join channel h on h.channel_id = m.channel_id`

/** Whether the caller may see flag `f`. Needs `FLAGGED` beside it. */
export function knowsFlag(ctx: Ctx): Sql {
  return sql`case f.subject_type when 'user' then ${holds(ctx, 'VIEW_HISTORY') || holds(ctx, 'BAN_USER')}
    when 'message' then ${knowsChannel(ctx, 'VIEW_HISTORY', sql`m.channel_id`)}
    else ${knowsCommunity(ctx, 'VIEW_HISTORY', sql`coalesce(c.community_id, p.community_id)`)} end`
}
