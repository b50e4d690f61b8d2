import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import type { File } from '#server/modules/media/files/schema.ts'
import { FILE_COLUMNS, type FileRow, toFileView } from '#server/modules/media/files/view.ts'

/** The existing files of these ids; runs no query for an empty list. */
export async function readFiles(ctx: Ctx, fileIds: string[]): Promise<File[]> {
  if (fileIds.length === 0) return []
  const rows = await query<FileRow>(
    ctx,
    sql`select ${FILE_COLUMNS} from file f where f.file_id = any(${fileIds}) order by f.file_id`,
  )
  return rows.map(toFileView)
}
