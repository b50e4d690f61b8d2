import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { type ListOrder, type Paging, pageClauses, readPageRequest, toPage } from '#server/core/database/keyset.ts'
import { execute, inTransaction, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds, mayInCommunity } from '#server/core/permissions.ts'
import { nameOf } from '#server/modules/accounts/users/view.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import type { NewNote, Note, NoteInput, NotesInput } from '#server/modules/people/notes/schema.ts'

const NOTES_SHOWN = 50

/**
 * Writes a note about a person. A note in a community is for its reviewers, one without for those who moderate the network. Fails with
 * FORBIDDEN for anyone else, NOT_FOUND for an unknown person.
 */
export function writeNote(ctx: Ctx, { aboutUserId, communityId, text }: NewNote): Promise<Note[]> {
  return inTransaction(ctx, async (ctx) => {
    const writtenBy = actingUserId(ctx)
    if (writtenBy === undefined) throw new DomainError('FORBIDDEN')
    const space = await queryOne<{ mayWrite: boolean }>(
      ctx,
      sql`
      select ${mayWrite(ctx, sql`${communityId ?? null}::text`)} as may_write
      from network_user u where u.user_id = ${aboutUserId} and not u.is_deleted`,
    )
    if (space === undefined) throw new DomainError('NOT_FOUND')
    if (!space.mayWrite) throw new DomainError('FORBIDDEN')

    const note = await queryOne<{ noteId: string }>(
      ctx,
      sql`
      insert into note (about_user_id, community_id, written_by, text, created_at)
      values (${aboutUserId}, ${communityId ?? null}, ${writtenBy}, ${text}, ${ctx.now()}) returning note_id::text as note_id`,
    )
    await recordAudit(ctx, {
      action: 'user.noted',
      subjectType: 'user',
      subjectId: aboutUserId,
      communityId: communityId ?? null,
      after: { noteId: note?.noteId },
      text,
    })
    return listNotes(ctx, { aboutUserId })
  })
}

const NEWEST_FIRST: ListOrder = {
  first: { column: sql`n.created_at`, isDescending: true, type: 'timestamptz' },
  tie: { column: sql`lpad(n.note_id::text, 19, '0')`, isDescending: true },
}

/** The notes about a person that the caller may see, newest first: as many as are shown at once. */
export async function listNotes(ctx: Ctx, { aboutUserId }: NotesInput): Promise<Note[]> {
  const { notes } = await listNotesPage(ctx, { aboutUserId, limit: NOTES_SHOWN })
  return notes
}

/** A page of the notes about a person that the caller may see, newest first. Uses note_about_user_id_created_at_idx. */
export async function listNotesPage(
  ctx: Ctx,
  { aboutUserId, cursor, limit }: NotesInput & { cursor?: string | undefined; limit: number },
): Promise<{ notes: Note[]; paging: Paging }> {
  const page = { ...readPageRequest({ token: cursor }, limit), limit }
  const clauses = pageClauses(NEWEST_FIRST, page)
  const found = await query<NoteRow>(
    ctx,
    sql`
    select n.note_id::text as note_id, n.text, n.created_at as written_at, n.written_by as user_id, u.display_name,
      n.community_id, coalesce(nullif(k.display_name, ''), k.community_id) as community_name
    from note n left join network_user u on u.user_id = n.written_by left join community k on k.community_id = n.community_id
    where n.about_user_id = ${aboutUserId} and n.deleted_at is null and ${clauses.where} and ${mayRead(ctx, sql`n.community_id`)}
    order by ${clauses.orderBy} ${clauses.limit}`,
  )
  const { rows, paging } = toPage(found, page, (row) => [row.writtenAt.toISOString(), row.noteId.padStart(19, '0')])
  return { notes: rows.map((row) => toNote(ctx, row)), paging }
}

function toNote(ctx: Ctx, { communityId, communityName, writtenAt, userId, displayName, ...note }: NoteRow): Note {
  return {
    ...note,
    writtenAt: writtenAt.toISOString(),
    by: { userId, displayName: nameOf({ userId, displayName }) },
    ...(communityId !== null && { community: { communityId, displayName: communityName ?? communityId } }),
    isOwn: userId === actingUserId(ctx),
  }
}

interface NoteRow {
  noteId: string
  text: string
  writtenAt: Date
  userId: string
  displayName: string | null
  communityId: string | null
  communityName: string | null
}

/** Deletes the caller's own note. Fails with NOT_FOUND for one the caller may not see, FORBIDDEN for a colleague's. */
export function deleteNote(ctx: Ctx, { noteId }: NoteInput): Promise<Note[]> {
  return inTransaction(ctx, async (ctx) => {
    const note = await queryOne<{ aboutUserId: string; communityId: string | null; writtenBy: string }>(
      ctx,
      sql`
      select n.about_user_id, n.community_id, n.written_by from note n
      where n.note_id = ${noteId}::bigint and n.deleted_at is null and ${mayRead(ctx, sql`n.community_id`)} for update`,
    )
    if (note === undefined) throw new DomainError('NOT_FOUND')
    if (note.writtenBy !== actingUserId(ctx)) throw new DomainError('FORBIDDEN')
    await execute(ctx, sql`update note set deleted_at = ${ctx.now()} where note_id = ${noteId}::bigint`)
    await recordAudit(ctx, {
      action: 'user.noteDeleted',
      subjectType: 'user',
      subjectId: note.aboutUserId,
      communityId: note.communityId,
      before: { noteId },
    })
    return listNotes(ctx, note)
  })
}

/** Whether the caller writes notes of the network, which have no community. */
export function notesNetwork(ctx: Ctx): boolean {
  return holds(ctx, 'MANAGE_POST_AND_COMMENT') || holds(ctx, 'BAN_USER')
}

/** Whether the caller may write a note: those who review in its community may; for a note without one, those who moderate the network. */
function mayWrite(ctx: Ctx, communityColumn: Sql): Sql {
  return sql`case when ${communityColumn} is null then ${notesNetwork(ctx)}
    else ${mayInCommunity(ctx, 'reviewComments', communityColumn)} or ${mayInCommunity(ctx, 'reviewPosts', communityColumn)} end`
}

/** Whether the caller may read a note: those who may write it, and those who may look people up everywhere. */
function mayRead(ctx: Ctx, communityColumn: Sql): Sql {
  return holds(ctx, 'VIEW_USERS') ? sql`true` : mayWrite(ctx, communityColumn)
}
