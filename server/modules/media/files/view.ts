import type { File } from '#server/modules/media/files/schema.ts'

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
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
