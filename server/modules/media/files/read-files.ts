import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { type FileRow, toFileView } from '#server/modules/media/files/view.ts'

/** The existing files of these ids; runs no query for an empty list. */
export async function readFiles(ctx: Ctx, fileIds: string[]): Promise<File[]> {
  if (fileIds.length === 0) return []
  const rows = await query<FileRow>(
    ctx,
    sql`
    select file_id as "fileId", file_url as "fileUrl", type, access_type as "accessType", alt_text as "altText", attributes,
      created_at as "createdAt", updated_at as "updatedAt"
    from file where file_id = any(${fileIds}) order by file_id`,
  )
  return rows.map(toFileView)
}
