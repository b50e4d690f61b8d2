import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { boundedString, nameOrNone } from '#server/core/text.ts'
import { HashFlag } from '#server/modules/accounts/users/schema.ts'
import { Mentionee } from '#server/modules/content/mentions/schema.ts'

/** Values that records share. Whether their text can be stored at all is checked once, for the whole line. */
export const Id = boundedString({ min: 1, max: 900 })
/** A user with a longer id could not be banned (docs/interface/import.md#limits-of-records). */
export const UserId = boundedString({ min: 1, max: 50 })
/** A role with a longer id could not be assigned. */
export const RoleId = boundedString({ min: 1, max: 100 })

/** An object that is stored unchanged. */
const AnyObject = z.custom<Record<string, unknown>>(isObject, 'Must be an object')

const TEXT_LIMIT = 20_000
const CONTENT_LIMIT_BYTES = 100 * 1_024

/** The content of a comment, a post or a message, as large as one that is written (docs/interface/conventions.md#message-content). */
export const Content = AnyObject.refine(({ text }) => isShort(text), {
  path: ['text'],
  error: 'Must be at most 20,000 characters long',
})
  .refine(({ title }) => isShort(title), { path: ['title'], error: 'Must be at most 20,000 characters long' })
  .refine((content) => Buffer.byteLength(JSON.stringify(content)) <= CONTENT_LIMIT_BYTES, 'Must be at most 100 KB')

const isShort = (words: unknown) => typeof words !== 'string' || words.length <= TEXT_LIMIT

/** ISO 8601 with any offset, kept to the millisecond, UTC. */
const Time = z.string().transform((written, ctx) => {
  const time = instantOf(written)
  if (time !== undefined) return time
  ctx.addIssue('Must be a valid time with an offset, such as 2026-02-28T09:30:00Z')
  return z.NEVER
})

/** The people who are mentioned, as many as the interface takes. */
const People = z.array(UserId).max(100).optional()
const Mentionees = z
  .array(Mentionee.extend({ userIds: People, userPublicIds: People, userInternalIds: People }))
  .max(10)

/** Fields that records share; none is required. Their limits are the interface's, so that its clients can write what they read. */
export const field = {
  id: optional(Id),
  ids: otherwise([], z.array(Id)),
  userId: optional(UserId),
  name: name({ max: 255 }),
  type: optional(boundedString({ min: 1, max: 255 })),
  roles: otherwise([], z.array(RoleId)),
  text: optional(boundedString({ max: 20_000 })),
  url: optional(boundedString({ max: 2_048 })),
  tags: tags({ count: 100, length: 100 }),
  flag: otherwise(false, z.boolean()),
  count: otherwise(0, z.int32().min(0)),
  time: optional(Time),
  object: optional(AnyObject),
  objects: optional(z.array(AnyObject)),
  mentionees: optional(Mentionees),
}

export const Dates = { createdAt: field.time, updatedAt: field.time }
export const Reports = { flagCount: field.count, hashFlag: optional(HashFlag) }
export const Responses = {
  reactions: otherwise({}, z.record(z.string(), z.int32().min(0))),
  reactionsCount: field.count,
  ...Reports,
}

/** Absent and null mean the same: no value. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().default(null)
}

/** One that nobody could read counts as none. */
export function name(limits: { max: number }) {
  return optional(boundedString(limits).transform(nameOrNone))
}

export function tags({ count, length }: { count: number; length: number }) {
  return otherwise([], z.array(boundedString({ min: 1, max: length })).max(count))
}

/** Absent and null mean the same: the fallback. */
export function otherwise<Schema extends z.ZodType>(fallback: z.output<Schema>, schema: Schema) {
  return optional(schema).transform((value) => value ?? fallback)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** PostgreSQL accepts no year 0 and no sign before a year. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

function instantOf(written: string): string | undefined {
  try {
    const { epochMilliseconds } = Temporal.Instant.from(written)
    return epochMilliseconds < FIRST || epochMilliseconds > LAST ? undefined : new Date(epochMilliseconds).toISOString()
  } catch {
    return undefined
  }
}
