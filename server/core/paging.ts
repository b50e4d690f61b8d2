import { z } from 'zod'

/** The longest paging token that is read (docs/interface/conventions.md#paging). */
export const TOKEN_LENGTH = 1_000

/** A whole number that may arrive as text, as every value of a query string does. */
export function wholeNumber(limits: { min: number; max: number }) {
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d{1,16}$/, 'must be a whole number')
        .transform(Number),
    ])
    .pipe(z.int().min(limits.min).max(limits.max))
    .meta({ minimum: limits.min, maximum: limits.max })
}

/** A keyset cursor as the wire carries it: base64 of JSON. */
export function toCursor(position: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor against its schema; undefined where it does not decode. */
export function fromCursor<Position>(cursor: string, schema: z.ZodType<Position>): Position | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
