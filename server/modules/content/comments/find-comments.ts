import type { Ctx } from '#server/core/ctx.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { query, type Sql, sql } from '#server/core/db.ts'
import {
  type GatheredNames,
  idsMentioned,
  namedIn,
  namedRecords,
} from '#server/modules/accounts/users/named-records.ts'
import type { User } from '#server/modules/accounts/users/schema.ts'
import { USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import {
  type CommentedPost,
  type GatheredPlaces,
  POST_COLUMNS,
  placesOf,
  postsOf,
  USERS_TARGETED,
} from '#server/modules/content/comments/comment-places.ts'
import { type BesideComment, COMMENT_COLUMNS, type StoredComment } from '#server/modules/content/comments/view.ts'
import { myReactions } from '#server/modules/content/reactions/my-reactions.ts'
import { type PartsOfCounts, partsOfCounts, sumOfParts } from '#server/modules/ledger/counts/counted.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { FILE_COLUMNS, type FileRow } from '#server/modules/media/files/view.ts'
import { reviewReasonsOf } from '#server/modules/rules/judging/review-reasons.ts'
import { STORED_COMMUNITY_USER_COLUMNS, type StoredCommunityUser } from '#server/modules/spaces/communities/view.ts'

/** A comment, or a reply to one, with what belongs to it alone. */
export interface EnvelopeRow extends StoredComment, Pick<BesideComment, 'reviewReasons'> {
  isChild: boolean
  author: UserRow
  /** The author's. */
  avatar: FileRow | null
  /** The author's, in the community they wrote in. */
  membership: StoredCommunityUser | null
  post: CommentedPost | null
}

/** What comments refer to beside their authors; possibly more than those at hand do. */
export interface ReferredTo extends GatheredPlaces {
  /** Whom they mention, and whose pages they are on. */
  users: User[]
  /** What is attached, and the avatars of these users. */
  files: File[]
  /** The number of replies that everyone sees, by the comment. */
  childrenNumbers: Map<string, number>
  /** The caller's own, by the comment. */
  myReactions: Record<string, string[]>
}

/** Comments in the order of their page, then the replies to them by page and time. */
export interface FoundComments {
  rows: EnvelopeRow[]
  named: ReferredTo
}

interface FoundRow extends EnvelopeRow {
  /** On its page; of a reply, that of the comment it is to. */
  position: number
}

export const NO_COMMENTS: FoundComments = {
  rows: [],
  named: { users: [], files: [], communities: {}, childrenNumbers: new Map(), myReactions: {} },
}

interface Gathered extends GatheredPlaces {
  /** Null where none is named. */
  named: GatheredNames | null
  myReactions: Record<string, string[]> | null
  childrenNumbers: PartsOfCounts | null
}

interface Finding {
  /** Common table expressions, among them `page`: `position` and `is_reviewed`, then the columns of `comment`. */
  tables: Sql
  /** Rows of `comment`: the replies to the comment in the row of `page`. */
  replies: Sql
  /** Further columns of the rows of `found c`, of which `is_child` is true for replies. */
  more?: Sql
  /** Without what only the caller sees: why rules held them, and the caller's own reactions. */
  isForEveryone?: boolean
}

/**
 * Reads comments, their replies and all that both refer to in one statement. What is looked up by ids is looked up through an array or a
 * lateral join, so that its index is used however many rows the planner expects. What each comment has is joined, as columns cost PostgreSQL
 * less than JSON (docs/performance.md); the rest is gathered beside the first comment.
 */
export async function findComments<More = unknown>(
  ctx: Ctx,
  { tables, replies, more = sql.empty, isForEveryone = false }: Finding,
): Promise<{ rows: (EnvelopeRow & More)[]; first: (EnvelopeRow & More) | undefined; named: ReferredTo }> {
  const rows = await query<FoundRow & { gathered: Gathered | null } & More>(
    ctx,
    sql`
    with ${tables},
    found as materialized (
      select false as is_child, page.* from page
      union all
      select reply.* from page cross join lateral (
        select true, page.position, page.is_reviewed, c.* from (${replies}) c) reply),
    ${REFERRED}, ${postsOf(sql`referred r`, sql`r.post_ids`)}
    select ${COMMENT_COLUMNS}, c.is_child, c.position::int,
      ${isForEveryone ? sql`null::jsonb` : REASONS} as review_reasons,
      case when not c.is_child and c.position = (select first from referred) then (
        select json_build_object(
          'named', case when ${NAMES_OTHERS} then ${OTHERS} end, ${placesOf(sql`r.community_ids`)},
          'childrenNumbers', ${partsOfCounts('comment_children', sql`r.may_have_replies`)},
          'myReactions', ${isForEveryone ? sql`null::json` : myReactions(ctx, 'comment', sql`r.have_reactions`)})
        from referred r) end as gathered ${more},
      ${joinedRow('author')}, ${USER_COLUMNS}, ${joinedRow('avatar')}, ${FILE_COLUMNS},
      ${joinedRow('membership')}, ${STORED_COMMUNITY_USER_COLUMNS}, ${joinedRow('post')}, ${POST_COLUMNS}
    from found c
    cross join lateral (select * from network_user u where u.user_id = c.user_id offset 0) u
    left join lateral (select * from file f where f.file_id = u.avatar_file_id offset 0) f on true
    left join lateral (
      select * from community_user cu where cu.community_id = c.community_id and cu.user_id = c.user_id offset 0) cu on true
    left join on_post on on_post.post_id = c.reference_id and c.reference_type = 'post'`,
  )
  const gathered = rows.find((row) => row.gathered)?.gathered
  if (!gathered) return { rows: [], first: undefined, named: NO_COMMENTS.named }
  const inOrder = rows.toSorted(byPlace)
  const named: ReferredTo = {
    ...namedIn(ctx, gathered.named),
    communities: gathered.communities,
    childrenNumbers: sumOfParts(gathered.childrenNumbers),
    myReactions: gathered.myReactions ?? {},
  }
  return { rows: inOrder, first: inOrder[0], named }
}

/**
 * The ids that the rows of `found` refer to, gathered in one reading of these wide rows. A comment on the page that has replies which
 * everyone sees is the parent of a row.
 */
const REFERRED = sql`
  referred as materialized (
    select min(position) as first, array_agg(comment_id) filter (where is_reviewed) as reviewed,
      array_agg(comment_id) filter (where reactions_count > 0) as have_reactions,
      array_agg(parent_id) filter (where is_child) || array_agg(comment_id) filter (where is_child) as may_have_replies,
      array_agg(reference_id) filter (where reference_type = 'post') as post_ids, array_agg(community_id) as community_ids,
      array_agg(target_id) filter (where target_type = 'user') as user_ids,
      jsonb_agg(mentionees) filter (where mentionees <> '[]') as mentionees,
      jsonb_agg(attachments) filter (where attachments <> '[]') as attachments
    from found)`

const CONTENT = { subjectType: sql`'comment'`, subjectId: sql`c.comment_id`, editedAt: sql`c.edited_at` }
/** The comments that live rules fired on or a treatment holds, found once for the page: most have none, and the reasons of each are a join of their own. */
const FIRED_ON = sql`
  select m.subject_id from rule_match m
  where m.subject_type = 'comment' and m.is_live and m.subject_id = any((select reviewed from referred)::text[])
  union all
  select h.subject_id from author_treatment_hold h
  where h.subject_type = 'comment' and h.subject_id = any((select reviewed from referred)::text[])`
const ACTION = sql`case c.approval_status when 'pending' then 'hold' when 'rejected' then 'reject' end`
const REASONS = sql`case when c.is_reviewed and c.comment_id = any(array(${FIRED_ON})) then ${reviewReasonsOf(CONTENT, ACTION)} end`

const MENTIONED = idsMentioned(sql`r.mentionees`)
const NAMES_OTHERS = sql`
  r.mentionees is not null or r.attachments is not null or r.user_ids is not null or exists (${USERS_TARGETED})`
const OTHERS = namedRecords({
  userIds: sql`r.user_ids || array(${USERS_TARGETED}) || ${MENTIONED.userIds}`,
  internalIds: MENTIONED.internalIds,
  fileIds: sql`array(select jsonb_path_query(r.attachments, '$[*].fileId') #>> '{}')`,
})

/** Sorted here: PostgreSQL would have to write all rows with all their columns once more. */
function byPlace(one: FoundRow, other: FoundRow): number {
  return (
    Number(one.isChild) - Number(other.isChild) ||
    one.position - other.position ||
    one.createdAt.getTime() - other.createdAt.getTime() ||
    (one.commentId < other.commentId ? -1 : 1)
  )
}
