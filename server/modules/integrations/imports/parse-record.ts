import type { z } from 'zod'
import { findUnstorable } from '#server/modules/integrations/imports/find-unstorable.ts'
import { isRecordType, KINDS, type RecordType } from '#server/modules/integrations/imports/records/kinds.ts'
import type { RecordKind, Row } from '#server/modules/integrations/imports/records/record-kind.ts'

export type Parsed = { type: RecordType; row: Row } | { reason: string }

/** The type of a record, if it is a known one. */
export function typeOf(fields: unknown): RecordType | undefined {
  const type = typeof fields === 'object' && fields !== null && 'type' in fields ? fields.type : undefined
  return isRecordType(type) ? type : undefined
}

/** Parses one record strictly; `now` is the default for a missing creation time. */
export function parseRecord(fields: unknown, now: string): Parsed {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return { reason: 'Not a JSON object' }
  const type = typeOf(fields)
  if (type === undefined) return { reason: `type: Must be one of ${Object.keys(KINDS).join(', ')}` }
  const unstorable = findUnstorable(fields)
  if (unstorable !== undefined) return { reason: unstorable }

  const kind: RecordKind = KINDS[type]
  const parsed = kind.schema.safeParse(fields, { error: nameAbsence })
  if (!parsed.success) return { reason: wordsOf(parsed.error) }
  const createdAt = parsed.data.createdAt ?? now
  return { type, row: kind.toRow({ ...parsed.data, createdAt, updatedAt: parsed.data.updatedAt ?? createdAt }) }
}

/** Used if the schema has no message of its own: an absent field is missing, rather than of a wrong type. */
function nameAbsence({ code, input }: z.core.$ZodRawIssue): string | undefined {
  return code !== 'custom' && input === undefined ? 'is missing' : undefined
}

const ISSUES_TOLD = 3

function wordsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, ISSUES_TOLD)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ')
}
