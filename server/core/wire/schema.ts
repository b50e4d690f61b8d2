import { z } from 'zod'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'

/** Up to 50 characters (docs/interface/conventions.md#lengths-and-characters). */
export const UserId = text({ min: 1, max: 50 })
/** Whom an act is about: 1 to 100 users (docs/interface/conventions.md#lengths-and-characters). */
export const UserIds = z.array(UserId).min(1).max(100)

/** The version of what somebody saw: whatever is larger than the database's integer was never one. */
export const Version = z.int().min(1).max(2_147_483_647)

/** Several values of one name in a query string; one alone arrives as text. */
export function listOf<Item extends z.ZodType>(item: Item, limits: { min?: number; max: number }) {
  const many = z
    .array(item)
    .min(limits.min ?? 0)
    .max(limits.max)
  return z.union([many, item.transform((one) => [one])])
}

/** `true` or `false`, as a query string writes them. */
export const QueryFlag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

/** True, false, or both where it is absent or the word null (docs/interface/conventions.md#arrays-and-objects-in-queries). */
export const EitherFlag = z.union([QueryFlag, z.literal('null').transform(() => undefined)]).optional()

/** What `readPageRequest` reads. */
export const ListOptions = z
  .object({
    limit: wholeNumber({ min: 1, max: 100 }).optional(),
    token: boundedString({ max: TOKEN_LENGTH }).optional(),
  })
  .prefault({})

/** `previous` is `prev` by another name (docs/interface/conventions.md#paging); all are absent at the ends. */
export const Paging = z
  .object({ next: z.string().optional(), prev: z.string().optional(), previous: z.string().optional() })
  .meta({ id: 'Paging' })

/** How deep an object of the caller's own may go. */
const DEPTH = 50

/** An object that is stored as it is given. */
export const AnyObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value, DEPTH), 'is nested too deeply or contains a character that cannot be stored')

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.entries(value).every(([key, inner]) => isStorable(key, 0) && isStorable(inner, depth - 1))
}

/** What answers an act that has nothing to show. */
export const Done = z.object({ success: z.literal(true) }).meta({ id: 'Done' })

/** A time in an answer: ISO 8601 with milliseconds, UTC (docs/interface/conventions.md#times). */
export const Time = z.iso.datetime()

/** docs/interface/conventions.md: the realtime topic of a record, nested under what it is in. */
export const RecordPath = z
  .string()
  .describe('Nested from the network down, such as docket/social/community/{_id}/post/{_id}; ids are internal ones')

/** Whatever object was stored. */
export const StoredObject = z.record(z.string(), z.unknown())

/** What makes a link good without other credentials, until `expires`, in milliseconds since 1970. */
export const LinkSignature = z.object({
  expires: z.string().regex(/^\d{1,15}$/),
  signature: text({ min: 1, max: 100 }),
})
export type LinkSignature = z.output<typeof LinkSignature>
