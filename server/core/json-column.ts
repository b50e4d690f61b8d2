import { Prisma } from '#server/core/db.ts'

/** What came as JSON goes as JSON: Prisma's type for it is narrower than what a parser can promise. */
export function jsonColumn(value: Record<string, unknown> | null) {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject)
}
