import type { z } from 'zod'
import type { Ctx } from '#server/core/ctx.ts'
import { type Sql, sql } from '#server/core/db.ts'
import type { HeldType } from '#server/modules/content/items/held.ts'
import type { TallyKind } from '#server/modules/ledger/counts/record-delta.ts'
import { aboutPost, SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import { hasRunningRules } from '#server/modules/rules/judging/running-rules.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/**
 * A record references records of earlier stages only: with one pass per stage, it may reference one that comes later in its
 * file.
 */
export const STAGES = [0, 1, 2, 3] as const
export type Stage = (typeof STAGES)[number]
export type Named = 'community' | 'channel' | 'user'
/** Values by field name; the columns are these names in snake case. Every row of a type has the same fields. */
export type Row = Record<string, unknown>

type WithDates = { createdAt: string | null; updatedAt: string | null }
type Dated<Fields extends WithDates> = Omit<Fields, keyof WithDates> & { createdAt: string; updatedAt: string }

/** One type of record: how it is parsed, where it is stored, and what it counts. */
export interface RecordKind<Schema extends z.ZodType<WithDates> = z.ZodType<WithDates>> {
  stage: Stage
  /** The schema of that resource; unknown fields are ignored (docs/interface/import.md#record-types). */
  schema: Schema
  table: string
  /** The columns of its id. */
  id: readonly [string, ...string[]]
  /** Fields of the row whose value, if present, must exist. */
  names?: Record<string, Named>
  /** A field of `names` whose rows are locked first, because new rows are numbered within them. */
  locks?: string
  toRow(record: Dated<z.output<Schema>>): Row
  /** Why some rows can't be added beside what is stored; those that are stored already are left out. */
  findFaults?(ctx: Ctx, rows: Row[]): Promise<Map<Row, string>>
  /** Fills in what depends on what is stored, in the transaction of the batch. */
  complete?(ctx: Ctx, rows: Row[]): Promise<Row[]>
  /** Its `roles` apply across the network: a role of a community or channel is an error. */
  hasNetworkRoles?: boolean
  /** Changes in the statement of the insert, over `added`, the rows that were actually inserted. */
  effects?: readonly Sql[]
  /** Its rows may be held: they get items. */
  held?: HeldType
}

/** Returns its argument, with the types of its schema and its functions connected. */
export function recordKind<Schema extends z.ZodType<WithDates>>(kind: RecordKind<Schema>): RecordKind<Schema> {
  return kind
}

/** What is in a community is stored with its id, anything else with the id of its target. */
export function positionOf({ targetType, targetId }: { targetType: string | null; targetId: string | null }): Row {
  return targetType === 'community' ? { communityId: targetId, targetId: null } : { communityId: null, targetId }
}

/** Counts the added rows that meet `condition`, by subject. */
export function tally(kind: TallyKind, { by: subject, where: condition }: { by: string; where: string }): Sql {
  return sql.raw(`
    insert into tally_delta (kind, subject_id, delta)
    select '${kind}', ${subject}, count(*) from added where ${condition} and ${subject} is not null group by ${subject}`)
}

/**
 * Opens and counts a report for each added row that is flagged and visible. The time of its last change is the best known time
 * of the flag. Of any other row, a closed report may be left of what had its id before: it is about the new row now.
 */
export function reported(type: SubjectType): Sql[] {
  const { id, space, author, isSeen, words, tally } = SUBJECTS[type]
  // Attachments that are added by the same statement are not among the posts yet.
  const about = type === 'post' ? aboutPost(sql`(table post union all table added)`) : SUBJECTS[type].about
  const isReported = sql`flag_count > 0 and ${isSeen}`
  const flagged = sql`(
    select ${id} as reported_id, ${space}, ${author} as author_id, flag_count, created_at, updated_at, ${words}, ${about}
    from added s where ${isReported}) flagged`
  const others = sql`(
    select ${id} as reported_id, ${space}, ${author} as author_id, created_at, ${about} from added s where not (${isReported})) other`
  return [
    sql`
    insert into review_item (kind, subject_type, subject_id, community_id, channel_id, post_id, author_id, state, version, title, text, data_types,
      is_reply, written_at, opened_at, placed_at, flag_count)
    select 'reported', ${type}, reported_id, community_id, channel_id, post_id, author_id, 'waiting', 1, title, text, data_types,
      is_reply, created_at, updated_at, updated_at, flag_count
    from ${flagged}
    on conflict (subject_type, subject_id, kind) do update set version = review_item.version + 1, community_id = excluded.community_id,
      channel_id = excluded.channel_id, post_id = excluded.post_id, author_id = excluded.author_id, state = 'waiting', title = excluded.title,
      text = excluded.text, data_types = excluded.data_types, is_reply = excluded.is_reply, written_at = excluded.written_at,
      opened_at = excluded.opened_at, placed_at = excluded.placed_at, closed_at = null, flag_count = excluded.flag_count`,
    sql`
    insert into tally_delta (kind, subject_id, delta)
    select ${tally}::tally_kind, coalesce(community_id, channel_id, ''), count(*) from ${flagged} group by 2`,
    sql`
    update review_item i set state = 'withdrawn', version = i.version + 1, community_id = other.community_id, channel_id = other.channel_id,
      post_id = other.post_id, author_id = other.author_id, is_reply = other.is_reply, written_at = other.created_at
    from ${others} where i.subject_type = ${type} and i.subject_id = other.reported_id and i.kind = 'reported'`,
  ]
}

/** Scores that exports of other tools carry in `metadata` become signals, measured when the record last changed. */
export function signals(type: Exclude<SubjectType, 'user'>): Sql {
  return sql`
    insert into signal (subject_type, subject_id, name, score, measured_at, received_at)
    select ${type}::subject_type, ${SUBJECTS[type].id}, 'toxicity', (metadata ->> 'toxicity')::float8, updated_at, now() from added
    where case jsonb_typeof(metadata -> 'toxicity') when 'number' then (metadata ->> 'toxicity')::numeric between 0 and 1 end`
}

/**
 * Records what was decided in another system as decisions: tests of rules, facts about authors and texts like those that were rejected count them.
 * Nobody can undo them. The time of the row's last change is the best known time of the decision.
 */
export function decided(type: ReviewedKind, { outcome, where: condition }: { outcome: string; where: string }): Sql {
  const { id, author } = SUBJECTS[type]
  return sql`
    insert into decision (subject_type, subject_id, community_id, author_id, outcome, decided_by_name, decided_at, source, version,
      text_digest, event_id, held_at)
    select ${type}::subject_type, ${id}, community_id, ${author}, (${sql.raw(outcome)}), 'Import',
      greatest(updated_at, queued_at, created_at), 'cli', version, text_digest(data), 0, coalesce(queued_at, created_at)
    from added where ${sql.raw(condition)} and community_id is not null`
}

/** Notes which of the added rows wait for review in a community where rules run: the worker has rules judge them (docs/decisions/0255). */
export function unjudged(type: ReviewedKind, { where: condition }: { where: string }): Sql {
  return sql`
    insert into unjudged_import (subject_type, subject_id, community_id)
    select ${type}::subject_type, ${SUBJECTS[type].id}, community_id from added
    where ${sql.raw(condition)} and community_id is not null and ${hasRunningRules(sql`added.community_id`)}`
}
