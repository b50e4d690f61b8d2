import { sql } from '#server/core/db.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import type { File } from '#server/modules/media/files/schema.ts'

/** What `toFileView` reads, selected from `file f`. */
export const FILE_COLUMNS = sql`
  f.file_id, f.file_url, f.type, f.access_type, f.alt_text, f.attributes, f.created_at, f.updated_at`

export interface FileRow {
  fileId: string
  fileUrl: string | null
  type: File['type']
  accessType: File['accessType']
  altText: string | null
  attributes: Record<string, unknown> | null
  createdAt: Date
  updatedAt: Date
}

/** The shape of docs/interface/conventions.md#files. */
export function toFileView(row: FileRow): File {
  return {
    fileId: row.fileId,
    ...(row.fileUrl !== null && { fileUrl: row.fileUrl }),
    type: row.type,
    accessType: row.accessType,
    ...(row.altText !== null && { altText: row.altText }),
    ...(row.attributes && { attributes: row.attributes }),
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}
