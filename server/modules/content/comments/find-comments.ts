import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { rowsOfJson } from '#server/core/json-rows.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { COMMENT_COLUMNS, type CommentRow } from '#server/modules/content/comments/view.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'
import type { CommunityUser } from '#server/modules/spaces/communities/schema.ts'
import {
  COMMUNITY_USER_COLUMNS,
  type CommunityUserRow,
  toCommunityUserView,
} from '#server/modules/spaces/communities/view.ts'

/** A comment, or a reply to one. */
export type EnvelopeRow = CommentRow & { isChild: boolean }

/** What comments refer to; possibly more than those at hand do. */
export interface ReferredTo {
  users: User[]
  /** Each author's membership in the community they wrote in. */
  communityUsers: CommunityUser[]
  /** What is attached, and everyone's avatar. */
  files: File[]
  /** The caller's own, by the comment. */
  myReactions: Record<string, string[]>
}

/** Comments in the order of their page, then the replies to them by page and time. */
export interface FoundComments {
  rows: EnvelopeRow[]
  named: ReferredTo
}

export const NO_COMMENTS: FoundComments = {
  rows: [],
  named: { users: [], communityUsers: [], files: [], myReactions: {} },
}

interface Gathered {
  users: Record<string, unknown>[] | null
  communityUsers: Record<string, unknown>[] | null
  files: Record<string, unknown>[] | null
  myReactions: Record<string, string[]> | null
}

interface Finding {
  /** Common table expressions, among them `page`: the columns of `comment`, then `position` and `is_reviewed`. */
  tables: Sql
  /** Rows of `comment`: the replies to the comment in the row of `page`. */
  replies: Sql
  /** Further columns of the rows of `found c`. */
  more?: Sql
}

/**
 * Reads comments, their replies and all that both refer to in one statement. What is looked up by ids is looked up through an array or a
 * lateral join, so that its index is used however many rows the planner expects.
 */
export async function findComments<More = unknown>(
  ctx: Ctx,
  { tables, replies, more = sql.empty }: Finding,
): Promise<{ rows: (EnvelopeRow & More)[]; first: (EnvelopeRow & More) | undefined; named: ReferredTo }> {
  const rows = await query<EnvelopeRow & { gathered: Gathered | null } & More>(
    ctx,
    sql`
    with ${tables},
    found as materialized (
      select page.*, false as is_child from page
      union all
      select reply.*, true from page cross join lateral (select c.*, page.position, page.is_reviewed from (${replies}) c) reply),
    people as materialized (
      select ${USER_COLUMNS} from network_user u where u.user_id = any(array(
        select user_id from found
        union select jsonb_path_query(mentionees, '$[*].*[*]') #>> '{}' from found where mentionees <> '[]'
        union select by_id.user_id from network_user by_id where by_id.internal_id = any(array(
          select jsonb_path_query(mentionees, '$[*].userInternalIds[*]') #>> '{}' from found where mentionees <> '[]')))))
    select ${COMMENT_COLUMNS}, c.is_child,
      case when row_number() over (order by c.is_child, c.position, c.created_at, c.comment_id) = 1 then json_build_object(
        'users', (select json_agg(person) from people person),
        'communityUsers', (select json_agg(member) from (${MEMBERSHIPS}) member),
        'files', (select json_agg(named) from (${FILES}) named),
        'myReactions', (${myReactions(ctx)})) end as gathered ${more}
    from found c cross join lateral (select author.internal_id from network_user author where author.user_id = c.user_id offset 0) u
    order by c.is_child, c.position, c.created_at, c.comment_id`,
  )
  const [first] = rows
  return { rows, first, named: namedIn(ctx, first?.gathered) }
}

/** Uses community_user_pkey. */
const MEMBERSHIPS = sql`
  select member.* from (select distinct community_id, user_id from found where community_id is not null) wrote
  cross join lateral (
    select ${COMMUNITY_USER_COLUMNS}
    from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
    where cu.community_id = wrote.community_id and cu.user_id = wrote.user_id offset 0) member`

/** Uses file_pkey. */
const FILES = sql`
  select ${FILE_COLUMNS} from file f where f.file_id = any(array(
    select person.avatar_file_id from people person where person.avatar_file_id is not null
    union select jsonb_path_query(attachments, '$[*].fileId') #>> '{}' from found where attachments <> '[]'))
  order by f.file_id`

/** Uses reaction_pkey. */
function myReactions(ctx: Ctx): Sql {
  const userId = actingUserId(ctx)
  if (userId === undefined) return sql`null::json`
  return sql`
    select json_object_agg(mine.subject_id, mine.names) from (
      select subject_id, array_agg(reaction_name order by reaction_name) as names from reaction
      where subject_type = 'comment' and user_id = ${userId}
        and subject_id = any(array(select comment_id from found where reactions_count > 0))
      group by subject_id) mine`
}

function namedIn(ctx: Ctx, gathered: Gathered | null | undefined): ReferredTo {
  if (!gathered) return NO_COMMENTS.named
  const MADE = ['createdAt', 'updatedAt'] as const
  return {
    users: rowsOfJson<UserRow>(gathered.users, [...MADE]).map((row) => toUserView(ctx, row)),
    communityUsers: rowsOfJson<CommunityUserRow>(gathered.communityUsers, [...MADE, 'lastActivity', 'lastJoin']).map(
      toCommunityUserView,
    ),
    files: rowsOfJson<FileRow>(gathered.files, [...MADE]).map(toFileView),
    myReactions: gathered.myReactions ?? {},
  }
}
