import type { Ctx } from '#server/core/ctx.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/json-rows.ts'
import { type GatheredNames, mentionedIn, namedIn, namedTables } from '#server/modules/accounts/users/named-records.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { COMMENT_COLUMNS, type CommentRow } from '#server/modules/content/comments/view.ts'
import { myReactions } from '#server/modules/content/reactions/my-reactions.ts'
import type { File } from '#server/modules/media/files/schema.ts'
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

interface Gathered extends GatheredNames {
  communityUsers: Record<string, unknown>[] | null
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
    ${namedTables({
      userIds: sql`select user_id from found union ${mentionedIn(sql`found`)}`,
      fileIds: sql`select jsonb_path_query(attachments, '$[*].fileId') #>> '{}' from found where attachments <> '[]'`,
    })}
    select ${COMMENT_COLUMNS}, c.is_child,
      case when row_number() over (order by c.is_child, c.position, c.created_at, c.comment_id) = 1 then json_build_object(
        'users', ${jsonOfRows(sql`select * from people`)}, 'files', ${jsonOfRows(sql`select * from named_file`)},
        'communityUsers', ${jsonOfRows(MEMBERSHIPS)},
        'myReactions', ${myReactions(ctx, 'comment', REACTED_TO)}) end as gathered ${more}
    from found c cross join lateral (select author.internal_id from network_user author where author.user_id = c.user_id offset 0) u
    order by c.is_child, c.position, c.created_at, c.comment_id`,
  )
  const [first] = rows
  return { rows, first, named: referredTo(ctx, first?.gathered) }
}

/** Uses community_user_pkey. */
const MEMBERSHIPS = sql`
  select member.* from (select distinct community_id, user_id from found where community_id is not null) wrote
  cross join lateral (
    select ${COMMUNITY_USER_COLUMNS}
    from community_user cu join community k on k.community_id = cu.community_id join network_user u on u.user_id = cu.user_id
    where cu.community_id = wrote.community_id and cu.user_id = wrote.user_id offset 0) member`

const REACTED_TO = sql`select comment_id from found where reactions_count > 0`

function referredTo(ctx: Ctx, gathered: Gathered | null | undefined): ReferredTo {
  return {
    ...namedIn(ctx, gathered ?? undefined),
    communityUsers: rowsOfJson<CommunityUserRow>(gathered?.communityUsers, [
      'createdAt',
      'updatedAt',
      'lastActivity',
      'lastJoin',
    ]).map(toCommunityUserView),
    myReactions: gathered?.myReactions ?? {},
  }
}
