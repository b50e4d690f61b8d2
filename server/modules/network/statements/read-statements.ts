import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import type { ListOrder } from '#server/core/database/keyset.ts'
import { queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { listPage } from '#server/core/list-page.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type {
  LinkedStatement,
  Statement,
  StatementLink,
  StatementParams,
  Statements,
  StatementsQuery,
} from '#server/modules/network/statements/schema.ts'
import {
  LINK_DAYS,
  linkEndOf,
  readStatementToken,
  type StatementLinks,
  statementUrl,
} from '#server/modules/network/statements/statement-link.ts'

const NEWEST_FIRST: ListOrder = {
  first: { column: sql`s.issued_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`s.statement_id`, isDescending: true },
}

/**
 * A page of the statements issued to a person, newest first: all of them for the person, with VIEW_USERS and with MANAGE_POST_AND_COMMENT; those of the
 * communities that they review for others. Uses statement_user_id_issued_at_statement_id_idx.
 */
export async function listStatements(
  ctx: Ctx,
  links: StatementLinks,
  { userId, limit, token }: StatementsQuery,
): Promise<Statements> {
  const { items, ...paging } = await listPage<StatementRow, Statement>(
    ctx,
    { cursor: token, limit },
    {
      order: NEWEST_FIRST,
      select: ({ where, orderBy, limit }) => sql`
        with s as (
          select s.* from statement s
          where s.user_id = ${userId} and s.issued_at is not null and ${mayReadStatement(ctx)} and ${where} order by ${orderBy} ${limit})
        select ${statementColumns(ctx, maySeeText(ctx))} from s ${STATEMENT_JOINS} order by ${orderBy}`,
      positionOf: ({ issuedAt, statementId }) => [issuedAt.toISOString(), statementId],
      toItem: (row) => toStatement(row, links),
    },
  )
  return { statements: items, paging }
}

/** NOT_FOUND for one that doesn't exist, was not issued, or that the caller may not read: see `listStatements`. */
export async function readStatement(
  ctx: Ctx,
  links: StatementLinks,
  { statementId }: StatementParams,
): Promise<Statement> {
  const row = await findStatement(ctx, statementId, { isIt: mayReadStatement(ctx), seesText: maySeeText(ctx) })
  return toStatement(row, links)
}

/** For everybody who has the link, without a word of a message. NOT_FOUND for a link that was changed, or is older than 180 days. */
export async function readLinkedStatement(ctx: Ctx, key: Buffer, { token }: StatementLink): Promise<LinkedStatement> {
  const since = new Date(ctx.now().getTime() - LINK_DAYS * 24 * 3_600_000)
  const row = await findStatement(ctx, readStatementToken(key, token), {
    isIt: sql`s.issued_at > ${since}`,
    seesText: IS_IN_LINK,
  })
  const { userId: _, ...statement } = toBare(row)
  return statement
}

interface Asked {
  isIt: Sql
  seesText: Sql
}

async function findStatement(ctx: Ctx, statementId: string, { isIt, seesText }: Asked): Promise<StatementRow> {
  const row = await queryOne<StatementRow>(
    ctx,
    sql`select ${statementColumns(ctx, seesText)} from (
      select s.* from statement s where s.statement_id = ${statementId} and s.issued_at is not null and ${isIt}) s ${STATEMENT_JOINS}`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

/** Whether the caller may read statement `s`, as an SQL condition: see `listStatements`. */
export function mayReadStatement(ctx: Ctx): Sql {
  if (holds(ctx, 'VIEW_USERS') || holds(ctx, 'MANAGE_POST_AND_COMMENT')) return sql`true`
  return sql`(s.user_id = ${actingUserId(ctx) ?? null} or ${reviewsCommunity(ctx)})`
}

function reviewsCommunity(ctx: Ctx): Sql {
  const inCommunity = sql`s.community_id`
  return sql`(${mayInCommunity(ctx, 'reviewComments', inCommunity)} or ${mayInCommunity(ctx, 'reviewPosts', inCommunity)})`
}

/** The link shows texts of comments and posts. Messages may be private: their texts are for their authors alone. */
const IS_IN_LINK = sql`s.subject_type in ('comment', 'post')`

/** Whether the caller may see the text of `statement s`: their own, or one of content that they review. */
export function maySeeText(ctx: Ctx): Sql {
  const reviews = sql`(${holds(ctx, 'MANAGE_POST_AND_COMMENT')} or ${reviewsCommunity(ctx)})`
  return sql`coalesce(s.user_id = ${actingUserId(ctx) ?? null} or ${IS_IN_LINK} and ${reviews}, false)`
}

/** What the content says, as far as it is still stored, for those who may see it. */
function contentFor(seesText: Sql): Sql {
  const words = (column: string, key: string) =>
    sql`case when ${seesText} and ${sql.raw(`jsonb_typeof(${column} -> '${key}') = 'string'`)} then ${sql.raw(`${column} ->> '${key}'`)} end`
  return sql`case s.subject_type
    when 'comment' then (select jsonb_build_object('text', ${words('c.data', 'text')}, 'writtenAt', c.created_at) from comment c where c.comment_id = s.subject_id)
    when 'post' then (select jsonb_build_object('title', ${words('p.data', 'title')}, 'text', ${words('p.data', 'text')}, 'writtenAt', p.created_at)
      from post p where p.post_id = s.subject_id)
    when 'message' then (select jsonb_build_object('text', ${words('m.data', 'text')}, 'writtenAt', m.created_at) from message m where m.message_id = s.subject_id)
    end`
}

/** What `statementColumns` reads, beside `statement s`. */
export const STATEMENT_JOINS = sql`
  left join policy_version v on v.policy_id = s.policy_id and v.version = s.policy_version
  left join community k on k.community_id = s.community_id
  left join channel ch on ch.channel_id = s.channel_id
  left join ban b on b.ban_id = s.ban_id
  left join mute u on u.mute_id = s.mute_id
  left join appeal a on a.statement_id = s.statement_id`

/** Columns of `statement s` that `toStatement` reads; `seesText`: whether the caller may see what the content says. */
export function statementColumns(ctx: Ctx, seesText: Sql): Sql {
  const isOver = (measure: string) =>
    sql`(${sql.raw(measure)}.lifted_at is not null or ${sql.raw(measure)}.ends_at <= ${ctx.now()})`
  const seesWords = sql`(${seesText} or s.subject_type is null or s.subject_type = 'user')`
  return sql`
    s.statement_id, s.user_id, s.measure, s.subject_type::text as subject_type, s.subject_id, ${contentFor(seesText)} as content,
    (${seesText} or not coalesce(${IS_IN_LINK}, false)) as may_open, s.community_id, s.channel_id,
    coalesce(nullif(k.display_name, ''), s.community_id) as community_name, coalesce(nullif(ch.display_name, ''), s.channel_id) as channel_name,
    s.policy_id, s.policy_version, v.texts, v.ground, v.legal_reference, v.url as policy_url, s.explanation, s.words, s.found_by, s.is_automated, coalesce(s.issued_at, s.created_at) as issued_at,
    coalesce(b.ends_at, u.ends_at) as until,
    case when s.reversed_at is not null then 'reversed' when ${isOver('b')} or ${isOver('u')} then 'ended' else 'inForce' end as state,
    case when a.appeal_id is not null then jsonb_build_object('appealId', a.appeal_id, 'state', a.state, 'createdAt', a.created_at, 'decidedAt', a.decided_at,
      'words', case when ${seesWords} then a.words end, 'answer', case when ${seesWords} then a.answer end) end as appeal`
}

export interface StatementRow {
  statementId: string
  userId: string
  measure: Statement['measure']
  subjectType: NonNullable<Statement['content']>['type'] | null
  subjectId: string | null
  /** Whether the page of the link shows nothing that they may not see. */
  mayOpen: boolean
  content: { title?: string | null; text?: string | null; writtenAt: string } | null
  communityId: string | null
  channelId: string | null
  communityName: string | null
  channelName: string | null
  policyId: string | null
  policyVersion: number | null
  texts: NonNullable<Statement['policy']>['texts'] | null
  ground: NonNullable<Statement['policy']>['ground'] | null
  legalReference: string | null
  policyUrl: string | null
  explanation: string | null
  words: string | null
  foundBy: Statement['foundBy']
  isAutomated: boolean
  issuedAt: Date
  until: Date | null
  state: Statement['state']
  appeal: {
    appealId: string
    state: NonNullable<Statement['appeal']>['state']
    createdAt: string
    decidedAt: string | null
    words: string | null
    answer: string | null
  } | null
}

export function toStatement(row: StatementRow, links: StatementLinks): Statement {
  return { ...toBare(row), ...(row.mayOpen && { url: statementUrl(links, row.statementId) }) }
}

function toBare(row: StatementRow): Omit<Statement, 'url'> {
  const appeal = appealOf(row)
  const { statementId, userId, measure, explanation, words, foundBy, isAutomated, issuedAt, until, state } = row
  return {
    statementId,
    userId,
    measure,
    space: spaceOf(row),
    foundBy,
    isAutomated,
    state,
    issuedAt: timestampOf(issuedAt),
    ...present({
      content: contentOf(row),
      policy: policyOf(row),
      explanation,
      words,
      until: until && timestampOf(until),
      appeal,
      appealUntil: appeal === undefined && state !== 'reversed' ? timestampOf(linkEndOf(issuedAt)) : undefined,
    }),
  }
}

function appealOf({ appeal }: StatementRow): Statement['appeal'] {
  if (appeal === null) return undefined
  const { appealId, state, createdAt, decidedAt, words, answer } = appeal
  return {
    appealId,
    state,
    createdAt: timestampOf(new Date(createdAt)),
    ...present({ words, answer, decidedAt: decidedAt && timestampOf(new Date(decidedAt)) }),
  }
}

function spaceOf({ communityId, channelId, communityName, channelName }: StatementRow): Statement['space'] {
  if (channelId !== null) return { scope: 'channel', channelId, displayName: channelName ?? channelId }
  if (communityId !== null) return { scope: 'community', communityId, displayName: communityName ?? communityId }
  return { scope: 'network' }
}

function contentOf({ subjectType: type, subjectId: id, content }: StatementRow): Statement['content'] {
  if (type === null || id === null) return undefined
  const { title, text, writtenAt } = content ?? {}
  return { type, id, ...present({ title, text, writtenAt: writtenAt && timestampOf(new Date(writtenAt)) }) }
}

function policyOf({ policyId, policyVersion: version, texts, ground, legalReference, policyUrl: url }: StatementRow) {
  if (policyId === null || version === null || texts === null || ground === null) return undefined
  return { policyId, version, texts, ground, ...present({ legalReference, url }) }
}
