import { sql } from '#server/core/db.ts'
import type { Comment } from '#server/modules/content/comments/schema.ts'
import { countMentioned } from '#server/modules/content/mentions/read-mentioned.ts'
import { runningRules } from '#server/modules/rules/judging/running-rules.ts'

/** What rules judge of a stored comment or post. */
export interface JudgedRow {
  data: Record<string, unknown> | null
  mentionees: Comment['mentionees'] | null
  media: string[]
}

/** The columns of `JudgedRow`, of `comment c` or `post p`, whichever is joined. Uses post_parent_post_id_idx. */
export const JUDGED_COLUMNS = sql`
  coalesce(c.data, p.data) as data, coalesce(c.mentionees, p.mentionees) as mentionees,
  case when c.comment_id is not null
    then array(select jsonb_path_query(c.attachments, '$[*].type') #>> '{}')
    else array(select child.data_type from post child where child.parent_post_id = p.post_id and child.data_type is not null)
      || coalesce(p.data_type, 'text') end as media`

/**
 * The newest score of each signal of `comment c` or `post p`, whichever is joined, as an SQL expression: null without any. A score that was
 * measured before an edit is of another text. Uses signal_pkey.
 */
export const SIGNALS = sql`(
  select jsonb_object_agg(s.name, s.score) from signal s
  where s.subject_type = case when c.comment_id is null then 'post'::subject_type else 'comment' end
    and s.subject_id = coalesce(c.comment_id, p.post_id)
    and s.measured_at >= coalesce(c.edited_at, p.edited_at, '-infinity'))`

/**
 * What rules need of `comment c` or `post p`, whichever is joined: its author and community, when it was written and came to say what it says,
 * the value of `runningRules`, its signals, and the columns of `JudgedRow`. Uses signal_pkey and post_parent_post_id_idx.
 */
export const JUDGED_CONTENT = sql`
  coalesce(c.user_id, p.posted_user_id) as author_id, coalesce(c.community_id, p.community_id) as community_id,
  coalesce(c.created_at, p.created_at) as written_at,
  coalesce(c.edited_at, p.edited_at, c.created_at, p.created_at) as text_at,
  ${runningRules(sql`coalesce(c.community_id, p.community_id)`)} as rules, ${SIGNALS} as signals, ${JUDGED_COLUMNS}`

export function toJudged({ data, mentionees, media }: JudgedRow) {
  return { data, mentions: countMentioned(mentionees ?? []), media }
}
