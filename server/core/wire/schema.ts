import { z } from 'zod'
import { TOKEN_LENGTH, wholeNumber } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'

/** Up to 50 characters (docs/interface/conventions.md#lengths-and-characters). */
export const UserId = text({ min: 1, max: 50 })
/** The people an act targets: 1 to 100 users (docs/interface/conventions.md#lengths-and-characters). */
export const UserIds = z.array(UserId).min(1).max(100)

/** The version a client last read: a value above the database's integer limit was never a version. */
export const Version = z.int().min(1).max(2_147_483_647)

/** Several values of one name in a query string; a single value arrives as text. */
export function listOf<Item extends z.ZodType>(item: Item, limits: { min?: number; max: number }) {
  const many = z
    .array(item)
    .min(limits.min ?? 0)
    .max(limits.max)
  return z.union([many, item.transform((one) => [one])])
}

/** `true` or `false`, as a query string writes them. */
export const QueryFlag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])

/** True, false, or both if it is absent or the word null (docs/interface/conventions.md#arrays-and-objects-in-queries). */
export const EitherFlag = z.union([QueryFlag, z.literal('null').transform(() => undefined)]).optional()

/** The input of `readPageRequest`. */
export const ListOptions = z
  .object({
    limit: wholeNumber({ min: 1, max: 100 }).optional(),
    token: boundedString({ max: TOKEN_LENGTH }).optional(),
  })
  .prefault({})

/** How every list is read: with deleted rows or without, and which page. */
export const ListFields = { isDeleted: EitherFlag, options: ListOptions }

/** Newest first by default. */
export const CreationOrder = z.enum(['lastCreated', 'firstCreated']).default('lastCreated')

/** Communities or channels: those the caller is in or not in, or those with something flagged. */
export const SpaceFilter = z.enum(['all', 'member', 'notMember', 'flagged']).default('all')

/** `previous` is another name of `prev` (docs/interface/conventions.md#paging); all are absent at the ends. */
export const Paging = z
  .object({ next: z.string().optional(), prev: z.string().optional(), previous: z.string().optional() })
  .meta({ id: 'Paging' })

/** How deep a caller's own object may be nested. */
const DEPTH = 50

/** An object that is stored unchanged. */
export const AnyObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value, DEPTH), 'is nested too deeply or contains a character that cannot be stored')

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.entries(value).every(([key, inner]) => isStorable(key, 0) && isStorable(inner, depth - 1))
}

/** The answer to an act that returns no data. */
export const Done = z.object({ success: z.literal(true) }).meta({ id: 'Done' })

/** A time in an answer: ISO 8601 with milliseconds, UTC (docs/interface/conventions.md#times). */
export const Time = z.iso.datetime()

/** docs/interface/conventions.md: the realtime topic of a record, nested under that of its parent. */
export const RecordPath = z
  .string()
  .describe('Nested from the network down, such as docket/social/community/{_id}/post/{_id}; ids are internal ones')

/** Any stored object. */
export const StoredObject = z.record(z.string(), z.unknown())

/** The signature that makes a link valid for who asked for it, until `expires`, in milliseconds since 1970. */
export const LinkSignature = z.object({
  expires: z.string().regex(/^\d{1,15}$/),
  signature: text({ min: 1, max: 100 }),
})
export type LinkSignature = z.output<typeof LinkSignature>
