import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'

/** What can be flagged, where its count stands. */
const SUBJECTS = {
  comment: { table: Prisma.sql`comment`, id: Prisma.sql`comment_id` },
  post: { table: Prisma.sql`post`, id: Prisma.sql`post_id` },
  message: { table: Prisma.sql`message`, id: Prisma.sql`message_id` },
  user: { table: Prisma.sql`network_user`, id: Prisma.sql`user_id` },
} as const satisfies Record<string, { table: Sql; id: Sql }>

export interface FlagSubject {
  type: keyof typeof SUBJECTS
  id: string
  communityId?: string | null
  channelId?: string | null
}

/** What is flagged has a hashFlag: clients read its being there (WIRE.md, section 9c). Its bits are the vendor's own. */
const HASH_FLAG = JSON.stringify({ bits: 0, hashes: 0, hash: [] })

/**
 * Flags for the caller, in the transaction of a use case that has locked the subject within the caller's scope. The flags it has
 * then, or undefined where the caller's stood already. FORBIDDEN for an admin token: it is nobody.
 */
export async function addFlag(ctx: Ctx, subject: FlagSubject, flag: NewFlag): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  const flagged = await queryOne<{ flagCount: number }>(
    ctx,
    Prisma.sql`
    with flagged as (
      insert into flag (subject_type, subject_id, user_id, reason, detail, created_at)
      values (${subject.type}::subject_type, ${subject.id}, ${flaggerId(ctx)}, ${flag.reason}, ${flag.detail ?? null}, ${ctx.now()})
      on conflict do nothing returning subject_id)
    update ${table} set flag_count = flag_count + 1, hash_flag = coalesce(hash_flag, ${HASH_FLAG}::jsonb)
    from flagged where ${id} = flagged.subject_id
    returning flag_count as "flagCount"`,
  )
  if (flagged === undefined) return undefined
  await audit(ctx, subject, { verb: 'flagged', text: [flag.reason, flag.detail].filter(Boolean).join(': ') })
  return flagged.flagCount
}

/** Takes the caller's flag back; false where there was none. */
export async function removeFlag(ctx: Ctx, subject: FlagSubject): Promise<boolean> {
  const { table, id } = SUBJECTS[subject.type]
  const unflagged = await queryOne(
    ctx,
    Prisma.sql`
    with gone as (
      delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id} and user_id = ${flaggerId(ctx)}
      returning subject_id)
    update ${table} set flag_count = greatest(flag_count - 1, 0), hash_flag = case when flag_count > 1 then hash_flag end
    from gone where ${id} = gone.subject_id
    returning true as unflagged`,
  )
  if (unflagged === undefined) return false
  await audit(ctx, subject, { verb: 'unflagged' })
  return true
}

/** Takes everybody's flags away; false where there were none. */
export async function clearFlags(ctx: Ctx, subject: FlagSubject): Promise<boolean> {
  const { table, id } = SUBJECTS[subject.type]
  const cleared = await queryOne(
    ctx,
    Prisma.sql`
    with gone as (delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id})
    update ${table} set flag_count = 0, hash_flag = null
    where ${id} = ${subject.id} and (flag_count > 0 or hash_flag is not null)
    returning true as cleared`,
  )
  if (cleared === undefined) return false
  await audit(ctx, subject, { verb: 'flagsCleared' })
  return true
}

/** Asked after the subject was found in the caller's scope. */
export async function isFlaggedByCaller(ctx: Ctx, subject: FlagSubject): Promise<boolean> {
  const userId = actingUserId(ctx)
  if (userId === undefined) return false
  const mine = await queryOne(
    ctx,
    Prisma.sql`
    select true as mine from flag
    where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id} and user_id = ${userId}`,
  )
  return mine !== undefined
}

function flaggerId(ctx: Ctx): string {
  const userId = actingUserId(ctx)
  if (userId === undefined) throw new DomainError('FORBIDDEN')
  return userId
}

function audit(ctx: Ctx, subject: FlagSubject, { verb, text }: { verb: string; text?: string }): Promise<void> {
  return recordAudit(ctx, {
    action: `${subject.type}.${verb}`,
    subjectType: subject.type,
    subjectId: subject.id,
    communityId: subject.communityId ?? null,
    channelId: subject.channelId ?? null,
    text,
  })
}
