import { Prisma } from '#server/core/db.ts'

/** Stores JSON input unchanged: Prisma's type for it is narrower than what a parser can guarantee. */
export function jsonColumn(value: Record<string, unknown> | null) {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject)
}
