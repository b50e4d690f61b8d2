import type { Ctx } from '#server/core/ctx.ts'
import { execute, queryOne, type Sql, sql } from '#server/core/db.ts'
import type { NewFlag } from '#server/modules/content/flags/schema.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { auditTables } from '#server/modules/ledger/audit/record-audit.ts'
import { keepReports, reportTables } from '#server/modules/ledger/reports/keep-reports.ts'
import { SUBJECTS, type SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import type { FiredRule } from '#server/modules/rules/conditions/judge.ts'
import { rulesOf } from '#server/modules/rules/judging/judge-content.ts'

/** What is flagged. Those who write its flags have locked it. */
export interface FlagSubject {
  type: SubjectType
  id: string
  communityId: string | null
  channelId: string | null
}

/** Clients only check that a hashFlag is there (docs/interface/reports-and-flags.md#flag-something). */
const HASH_FLAG = JSON.stringify({ bits: 0, hashes: 0, hash: [] })

/** The number of flags after the change; undefined where the user had flagged it already. A dismissed flag is created again. */
export function addFlag(
  ctx: Ctx,
  subject: FlagSubject,
  { userId, reason, detail }: NewFlag & { userId: string },
): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'flagged',
    text: [reason, detail].filter(Boolean).join(': '),
    change: sql`
      with flagged as (
        insert into flag (subject_type, subject_id, user_id, reason, detail, created_at)
        values (${subject.type}::subject_type, ${subject.id}, ${userId}, ${reason}, ${detail ?? null}, ${ctx.now()})
        on conflict (subject_type, subject_id, user_id) do update
          set reason = excluded.reason, detail = excluded.detail, created_at = excluded.created_at, cleared_at = null
          where flag.cleared_at is not null
        returning subject_id)
      update ${table} set flag_count = flag_count + 1, hash_flag = coalesce(hash_flag, ${HASH_FLAG}::jsonb)
      from flagged where ${id} = flagged.subject_id
      returning flag_count`,
  })
}

/**
 * Which of these rules hadn't flagged it yet, and the number of flags now that they have; undefined where all of them had. A dismissed flag is
 * created again. Their current names are the reasons.
 */
export async function addRuleFlags(
  ctx: Ctx,
  subject: FlagSubject,
  rules: FiredRule[],
): Promise<{ flagCount: number; added: FiredRule[] } | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  const changed = await queryOne<{ flagCount: number; flaggedBy: string[] }>(
    ctx,
    sql`
      with flagged as (
        insert into flag (subject_type, subject_id, user_id, rule_version, reason, created_at)
        select ${subject.type}::subject_type, ${subject.id}, rule.rule_id, fired.version, rule.name, ${ctx.now()}
        from unnest(${rules.map(({ ruleId }) => ruleId)}::text[], ${rules.map(({ version }) => version)}::int[]) as fired(rule_id, version)
        join rule on rule.rule_id = fired.rule_id
        on conflict (subject_type, subject_id, user_id) do update
          set rule_version = excluded.rule_version, reason = excluded.reason, created_at = excluded.created_at, cleared_at = null
          where flag.cleared_at is not null
        returning user_id)
      update ${table} set flag_count = flag_count + cardinality(added.by), hash_flag = coalesce(hash_flag, ${HASH_FLAG}::jsonb)
      from (select array_agg(user_id) as by from flagged having count(*) > 0) added where ${id} = ${subject.id}
      returning flag_count, added.by as flagged_by`,
  )
  if (changed === undefined) return undefined
  const added = rules.filter(({ ruleId }) => changed.flaggedBy.includes(ruleId))
  await log(ctx, subject, { verb: 'flagged', after: rulesOf(added) })
  return { flagCount: changed.flagCount, added }
}

/** The number of flags after the change; undefined where the user had none. */
export function removeFlag(ctx: Ctx, subject: FlagSubject, userId: string): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'unflagged',
    change: sql`
      with gone as (
        delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id} and user_id = ${userId}
          and cleared_at is null
        returning subject_id)
      update ${table} set flag_count = greatest(flag_count - 1, 0), hash_flag = case when flag_count > 1 then hash_flag end
      from gone where ${id} = gone.subject_id
      returning flag_count`,
  })
}

/** Clears everybody's flags; undefined where there were none. */
export function removeFlags(ctx: Ctx, subject: FlagSubject): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'flagsCleared',
    change: sql`
      with gone as (delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id})
      update ${table} set flag_count = 0, hash_flag = null
      where ${id} = ${subject.id} and (flag_count > 0 or hash_flag is not null)
      returning flag_count`,
  })
}

/** Dismisses everybody's flags but keeps their rows: the subject was found to be acceptable. */
export async function suspendFlags(ctx: Ctx, { type, id: subjectId }: Pick<FlagSubject, 'type' | 'id'>): Promise<void> {
  const { table, id } = SUBJECTS[type]
  await execute(
    ctx,
    sql`
    with subject as (select hash_flag from ${table} where ${id} = ${subjectId}),
    kept as (
      update review_item set hash_flag = subject.hash_flag from subject
      where subject_type = ${type} and subject_id = ${subjectId} and kind = 'reported'),
    flags as (
      update flag set cleared_at = ${ctx.now()}
      where subject_type = ${type}::subject_type and subject_id = ${subjectId} and cleared_at is null)
    update ${table} set flag_count = 0, hash_flag = null where ${id} = ${subjectId}`,
  )
  await keepReports(ctx, type, [subjectId], { isDismissed: true })
  await putItems(ctx, type, [subjectId])
}

/** Undoes `suspendFlags`: restores the flags that were dismissed last. */
export async function restoreFlags(ctx: Ctx, { type, id: subjectId }: Pick<FlagSubject, 'type' | 'id'>): Promise<void> {
  const { table, id } = SUBJECTS[type]
  const ofThis = sql`subject_type = ${type}::subject_type and subject_id = ${subjectId}`
  await execute(
    ctx,
    sql`
    with flags as (
      update flag set cleared_at = null
      where ${ofThis} and cleared_at = (select max(cleared_at) from flag where ${ofThis}))
    update ${table} set flag_count = report.flag_count, hash_flag = report.hash_flag
    from (
      select flag_count, hash_flag from review_item
      where subject_type = ${type} and subject_id = ${subjectId} and kind = 'reported') report
    where ${id} = ${subjectId}`,
  )
  await keepReports(ctx, type, [subjectId], { areFlagsRestored: true })
  await putItems(ctx, type, [subjectId])
}

/** Whether the user has flagged it. Uses flag_pkey. */
export async function isFlaggedBy(ctx: Ctx, { type, id }: Pick<FlagSubject, 'type' | 'id'>, userId: string) {
  const flag = await queryOne(
    ctx,
    sql`
    select true as found from flag where subject_type = ${type}::subject_type and subject_id = ${id} and user_id = ${userId}
      and cleared_at is null`,
  )
  return flag !== undefined
}

interface Writing {
  verb: 'flagged' | 'unflagged' | 'flagsCleared'
  text?: string
  change: Sql
}

async function write(ctx: Ctx, subject: FlagSubject, { verb, text, change }: Writing): Promise<number | undefined> {
  const changed = await queryOne<{ flagCount: number }>(ctx, change)
  if (changed === undefined) return undefined
  await log(ctx, subject, { verb, text })
  return changed.flagCount
}

interface Logged {
  verb: Writing['verb']
  text?: string | undefined
  after?: Record<string, unknown>
}

async function log(ctx: Ctx, { type, id, ...space }: FlagSubject, { verb, text, after }: Logged): Promise<void> {
  const act = { action: `${type}.${verb}`, subjectType: type, subjectId: id, ...space, text, ...(after && { after }) }
  await execute(ctx, sql`with ${reportTables(ctx, type, [id])}, ${auditTables(ctx, [act])} select from act`)
  await putItems(ctx, type, [id])
}
