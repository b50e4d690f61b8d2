import type { Ctx } from '#server/core/ctx.ts'
import { jsonOfRows, rowsOfJson } from '#server/core/database/json-rows.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import { type GatheredNames, mentionedIn, namedIn, namedTables } from '#server/modules/accounts/users/named-records.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import {
  type GatheredPlaces,
  placeOf,
  placesOf,
  postsOf,
  usersTargeted,
} from '#server/modules/content/comments/comment-places.ts'
import {
  COMMENT_COLUMNS,
  type CommentRow,
  type SeenByCaller,
  type StoredComment,
} from '#server/modules/content/comments/view.ts'
import { myReactions } from '#server/modules/content/reactions/my-reactions.ts'
import { countedOfAll } from '#server/modules/ledger/counts/counted.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { reviewReasonsOf } from '#server/modules/rules/judging/review-reasons.ts'
import type { CommunityUser } from '#server/modules/spaces/communities/schema.ts'
import {
  STORED_COMMUNITY_USER_COLUMNS,
  type StoredCommunityUser,
  toCommunityUserView,
} from '#server/modules/spaces/communities/view.ts'

/** A comment, or a reply to one. */
export type EnvelopeRow = CommentRow & Pick<SeenByCaller, 'reviewReasons'> & { isChild: boolean }

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

interface Gathered extends GatheredNames, GatheredPlaces {
  communityUsers: Record<string, unknown>[] | null
  myReactions: Record<string, string[]> | null
  /** The number of replies that everyone sees, by the comment. */
  childrenNumbers: Record<string, number> | null
}

interface Finding {
  /** Common table expressions, among them `page`: the columns of `comment`, then `position` and `is_reviewed`. */
  tables: Sql
  /** Rows of `comment`: the replies to the comment in the row of `page`. */
  replies: Sql
  /** Further columns of the rows of `found c`. */
  more?: Sql
  /** Without what only the caller sees: why rules held them, and the caller's own reactions. */
  isForEveryone?: boolean
}

/**
 * Reads comments, their replies and all that both refer to in one statement. What is looked up by ids is looked up through an array or a
 * lateral join, so that its index is used however many rows the planner expects.
 */
export async function findComments<More = unknown>(
  ctx: Ctx,
  { tables, replies, more = sql.empty, isForEveryone = false }: Finding,
): Promise<{ rows: (EnvelopeRow & More)[]; first: (EnvelopeRow & More) | undefined; named: ReferredTo }> {
  const rows = await query<
    Omit<EnvelopeRow, 'userInternalId' | 'place' | 'childrenNumber'> & { gathered: Gathered | null } & More
  >(
    ctx,
    sql`
    with ${tables},
    found as materialized (
      select page.*, false as is_child from page
      union all
      select reply.*, true from page cross join lateral (select c.*, page.position, page.is_reviewed from (${replies}) c) reply),
    ${postsOf(FOUND)},
    ${namedTables({
      userIds: sql`select user_id from found union all ${usersTargeted(FOUND)} union all ${mentionedIn(FOUND)}`,
      fileIds: sql`select jsonb_path_query(attachments, '$[*].fileId') #>> '{}' from found where attachments <> '[]'`,
    })}
    select ${COMMENT_COLUMNS}, c.is_child,
      ${isForEveryone ? sql`null::jsonb` : REASONS} as review_reasons,
      case when not c.is_child and c.position = (select min(position) from page) then json_build_object(
        'users', ${jsonOfRows(sql`select * from people`)}, 'files', ${jsonOfRows(sql`select * from named_file`)},
        'communityUsers', ${jsonOfRows(MEMBERSHIPS)}, ${placesOf(FOUND)},
        'childrenNumbers', ${countedOfAll('comment_children', MAY_HAVE_REPLIES)},
        'myReactions', ${isForEveryone ? sql`null::json` : myReactions(ctx, 'comment', REACTED_TO)}) end as gathered ${more}
    from found c order by c.is_child, c.position, c.created_at, c.comment_id`,
  )
  const gathered = rows[0]?.gathered
  if (!gathered) return { rows: [], first: undefined, named: NO_COMMENTS.named }
  const found = putTogether(ctx, rows, gathered)
  return { ...found, first: found.rows[0] }
}

const FOUND = sql`found`
const CONTENT = { subjectType: sql`'comment'`, subjectId: sql`c.comment_id`, editedAt: sql`c.edited_at` }
/** Those that live rules fired on, found once for the page: most have none, and the reasons of each are a join of their own. */
const FIRED_ON = sql`
  select m.subject_id from rule_match m
  where m.subject_type = 'comment' and m.is_live and m.subject_id = any(array(select comment_id from found where is_reviewed))`
const ACTION = sql`case c.approval_status when 'pending' then 'hold' when 'rejected' then 'reject' end`
const REASONS = sql`case when c.is_reviewed and c.comment_id = any(array(${FIRED_ON})) then ${reviewReasonsOf(CONTENT, ACTION)} end`

/** Uses community_user_pkey. */
const MEMBERSHIPS = sql`
  select member.* from (select distinct community_id, user_id from found where community_id is not null) wrote
  cross join lateral (
    select ${STORED_COMMUNITY_USER_COLUMNS} from community_user cu
    where cu.community_id = wrote.community_id and cu.user_id = wrote.user_id offset 0) member`

/** A comment on the page that has replies which everyone sees is the parent of a row. */
const MAY_HAVE_REPLIES = sql`select parent_id from found where is_child union all select comment_id from found where is_child`

const REACTED_TO = sql`select comment_id from found where reactions_count > 0`

/** The rows with what was looked up for all of them together, and all that they refer to. */
function putTogether<Row extends StoredComment>(ctx: Ctx, rows: Row[], gathered: Gathered) {
  const { users, files } = namedIn(ctx, gathered)
  const internalIds = new Map(users.map(({ userId, userInternalId }) => [userId, userInternalId]))
  const internalIdOfAuthor = (userId: string) => internalIds.get(userId) ?? neverMissing(userId)
  const memberships = rowsOfJson<StoredCommunityUser>(gathered.communityUsers, MEMBERSHIP_TIMES)
  const named: ReferredTo = {
    users,
    files,
    communityUsers: memberships.map((row) =>
      toCommunityUserView({
        ...row,
        userInternalId: internalIdOfAuthor(row.userId),
        channelId: gathered.communities?.[row.communityId]?.channelId ?? null,
      }),
    ),
    myReactions: gathered.myReactions ?? {},
  }
  const whole = rows.map((row) => ({
    ...row,
    userInternalId: internalIdOfAuthor(row.userId),
    place: placeOf(row, gathered, (userId) => internalIds.get(userId)),
    childrenNumber: gathered.childrenNumbers?.[row.commentId] ?? 0,
  }))
  return { rows: whole, named }
}

const MEMBERSHIP_TIMES = ['createdAt', 'updatedAt', 'lastActivity', 'lastJoin', 'muteTimeout'] as const

/** Authors have a row: comments and memberships have a foreign key to them. */
function neverMissing(userId: string): never {
  throw new Error(`the user ${userId} was not read`)
}
