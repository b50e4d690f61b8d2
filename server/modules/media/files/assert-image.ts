import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/** Requires that an avatar is an image (docs/interface/conventions.md#files). NOT_FOUND for an unknown file; runs no query without one. */
export async function assertImage(ctx: Ctx, fileId: string | null | undefined): Promise<void> {
  if (fileId === null || fileId === undefined) return
  const file = await queryOne<{ type: string }>(ctx, sql`select type from file where file_id = ${fileId}`)
  if (file === undefined) throw new DomainError('NOT_FOUND')
  if (file.type !== 'image') throw new DomainError('FORBIDDEN', { detail: ['avatarFileId: must be an image'] })
}
