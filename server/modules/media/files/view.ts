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
    fileUrl: row.fileUrl ?? undefined,
    type: row.type,
    accessType: row.accessType,
    altText: row.altText ?? undefined,
    attributes: row.attributes ?? undefined,
    createdAt: timestampOf(row.createdAt),
    updatedAt: timestampOf(row.updatedAt),
  }
}
