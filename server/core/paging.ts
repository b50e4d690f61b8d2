import { z } from 'zod'

/** The longest paging token that is accepted (docs/interface/conventions.md#paging). */
export const TOKEN_LENGTH = 1_000

/** A whole number that may arrive as text, like every value of a query string. */
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

/** A keyset cursor in a request or response: base64 of JSON. */
export function toCursor(position: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Parses a cursor with its schema; undefined if it does not decode. */
export function fromCursor<Position>(cursor: string, schema: z.ZodType<Position>): Position | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
