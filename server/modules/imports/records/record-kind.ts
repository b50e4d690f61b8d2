import type { z } from 'zod'
import { Prisma, type Sql } from '#server/core/db.ts'
import type { TallyKind } from '#server/modules/counts/record-delta.ts'

/** A record names records of earlier stages only: with a stage a pass, it may name one that comes later in its file. */
export const STAGES = [1, 2, 3] as const
export type Stage = (typeof STAGES)[number]
export type Named = 'community' | 'channel' | 'user'
/** Values by field name; the columns are these names in snake case. Every row of a kind has the same fields. */
export type Row = Record<string, unknown>

type WithDates = { createdAt: string | null; updatedAt: string | null }
type Dated<Fields extends WithDates> = Omit<Fields, keyof WithDates> & { createdAt: string; updatedAt: string }

/** What one type of record is: how it is read, where it goes, what it counts for. */
export interface RecordKind<Schema extends z.ZodType<WithDates> = z.ZodType<WithDates>> {
  stage: Stage
  /** INTERFACE.md's resource of that name, read strictly; fields it does not know are ignored. */
  schema: Schema
  table: string
  /** The columns of its id. */
  id: readonly [string, ...string[]]
  /** Fields of the row whose value, where there is one, must exist. */
  names?: Record<string, Named>
  toRow(record: Dated<z.output<Schema>>): Row
  /** Changes in the statement of the insert, over `added`, the rows that really came in. */
  effects?: readonly Sql[]
}

/** Only ties the types together. */
export function recordKind<Schema extends z.ZodType<WithDates>>(kind: RecordKind<Schema>): RecordKind<Schema> {
  return kind
}

/** Counts the added rows that meet `condition`, by subject. */
export function tally(kind: TallyKind, { by: subject, where: condition }: { by: string; where: string }): Sql {
  return Prisma.raw(`
    insert into tally_delta (kind, subject_id, delta)
    select '${kind}', ${subject}, count(*) from added where ${condition} and ${subject} is not null group by ${subject}`)
}
