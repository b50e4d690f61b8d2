import type { Ctx } from '#server/core/ctx.ts'
import { listOf, query, sql } from '#server/core/db.ts'
import { excerptOf } from '#server/core/excerpt.ts'
import { present } from '#server/core/present.ts'
import { textOf } from '#server/modules/content/comments/view.ts'
import type { ListedAudit, ListedAuditDetails, SubjectText } from '#server/modules/desk/audit/schema.ts'
import { listAudit } from '#server/modules/ledger/audit/list-audit.ts'
import { readEntry } from '#server/modules/ledger/audit/read-entry.ts'
import type { AuditEntry, AuditInput, EntryInput } from '#server/modules/ledger/audit/schema.ts'

/** The log as the desk lists it: comments and posts by their author and the beginning of their text. Fails as `listAudit` does. */
export async function listAuditWithExcerpts(ctx: Ctx, input: AuditInput): Promise<ListedAudit> {
  const page = await listAudit(ctx, input)
  const withText = await textAdder(ctx, page.items)
  return { ...page, items: page.items.map(withText) }
}

/** One entry with the same. Fails as `readEntry` does. */
export async function readEntryWithExcerpt(ctx: Ctx, input: EntryInput): Promise<ListedAuditDetails> {
  const entry = await readEntry(ctx, input)
  const withText = await textAdder(ctx, [entry, ...entry.sameAct])
  return { ...withText(entry), sameAct: entry.sameAct.map(withText) }
}

/** Adds texts to entries: those who read the whole log may read every comment and post; messages stay in their conversations. */
async function textAdder(ctx: Ctx, entries: AuditEntry[]) {
  const idsOf = (type: string) =>
    entries.filter(({ subject }) => subject.type === type).map(({ subject }) => subject.id)
  const texts = await readTexts(ctx, { commentIds: idsOf('comment'), postIds: idsOf('post') })
  return <Entry extends AuditEntry>(entry: Entry): Entry & { subject: Entry['subject'] & SubjectText } => {
    const { type, id } = entry.subject
    return { ...entry, subject: { ...entry.subject, ...texts.get(`${type} ${id}`) } }
  }
}

interface TextRow {
  type: string
  id: string
  data: Record<string, unknown> | null
  author: string | null
}

/** Uses comment_pkey, post_pkey and network_user_pkey. */
async function readTexts(
  ctx: Ctx,
  { commentIds, postIds }: { commentIds: string[]; postIds: string[] },
): Promise<Map<string, SubjectText>> {
  if (commentIds.length + postIds.length === 0) return new Map()
  const rows = await query<TextRow>(
    ctx,
    sql`
    select i.type, i.id, i.data, nullif(u.display_name, '') as author
    from (
      select 'comment' as type, c.comment_id as id, c.data, c.user_id from comment c where c.comment_id = any(${listOf(commentIds)})
      union all
      select 'post', p.post_id, p.data, p.posted_user_id from post p where p.post_id = any(${listOf(postIds)})) i
    left join network_user u on u.user_id = i.user_id`,
  )
  return new Map(
    rows.map((row) => [`${row.type} ${row.id}`, present({ excerpt: excerptOf(textOf(row)), author: row.author })]),
  )
}
