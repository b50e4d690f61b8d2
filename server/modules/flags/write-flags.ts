import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne, type Sql } from '#server/core/db.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import type { NewFlag } from '#server/modules/flags/schema.ts'

/** What can be flagged, where its count stands. */
const SUBJECTS = {
  comment: { table: Prisma.sql`comment`, id: Prisma.sql`comment_id` },
  post: { table: Prisma.sql`post`, id: Prisma.sql`post_id` },
  message: { table: Prisma.sql`message`, id: Prisma.sql`message_id` },
  user: { table: Prisma.sql`network_user`, id: Prisma.sql`user_id` },
} as const satisfies Record<string, { table: Sql; id: Sql }>

export type SubjectType = keyof typeof SUBJECTS

/** Locked by whoever writes its flags. */
export interface FlagSubject {
  type: SubjectType
  id: string
  communityId: string | null
  channelId: string | null
}

/** What is flagged has a hashFlag: clients read its being there (WIRE.md, section 9c). Its bits are the vendor's own. */
const HASH_FLAG = JSON.stringify({ bits: 0, hashes: 0, hash: [] })

/** The flags there are then; undefined where the user's stood already. */
export function addFlag(
  ctx: Ctx,
  subject: FlagSubject,
  { userId, reason, detail }: NewFlag & { userId: string },
): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'flagged',
    text: [reason, detail].filter(Boolean).join(': '),
    sql: Prisma.sql`
      with flagged as (
        insert into flag (subject_type, subject_id, user_id, reason, detail, created_at)
        values (${subject.type}::subject_type, ${subject.id}, ${userId}, ${reason}, ${detail ?? null}, ${ctx.now()})
        on conflict do nothing returning subject_id)
      update ${table} set flag_count = flag_count + 1, hash_flag = coalesce(hash_flag, ${HASH_FLAG}::jsonb)
      from flagged where ${id} = flagged.subject_id
      returning flag_count as "flagCount"`,
  })
}

/** The flags there are then; undefined where the user had none. */
export function removeFlag(ctx: Ctx, subject: FlagSubject, userId: string): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'unflagged',
    sql: Prisma.sql`
      with gone as (
        delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id} and user_id = ${userId}
        returning subject_id)
      update ${table} set flag_count = greatest(flag_count - 1, 0), hash_flag = case when flag_count > 1 then hash_flag end
      from gone where ${id} = gone.subject_id
      returning flag_count as "flagCount"`,
  })
}

/** Takes everybody's flags away; undefined where there were none. */
export function removeFlags(ctx: Ctx, subject: FlagSubject): Promise<number | undefined> {
  const { table, id } = SUBJECTS[subject.type]
  return write(ctx, subject, {
    verb: 'flagsCleared',
    sql: Prisma.sql`
      with gone as (delete from flag where subject_type = ${subject.type}::subject_type and subject_id = ${subject.id})
      update ${table} set flag_count = 0, hash_flag = null
      where ${id} = ${subject.id} and (flag_count > 0 or hash_flag is not null)
      returning flag_count as "flagCount"`,
  })
}

/** Uses flag_pkey. */
export async function isFlaggedBy(ctx: Ctx, { type, id }: Pick<FlagSubject, 'type' | 'id'>, userId: string) {
  const flag = await queryOne(
    ctx,
    Prisma.sql`
    select true as found from flag where subject_type = ${type}::subject_type and subject_id = ${id} and user_id = ${userId}`,
  )
  return flag !== undefined
}

interface Writing {
  verb: 'flagged' | 'unflagged' | 'flagsCleared'
  text?: string
  sql: Sql
}

async function write(ctx: Ctx, subject: FlagSubject, { verb, text, sql }: Writing): Promise<number | undefined> {
  const changed = await queryOne<{ flagCount: number }>(ctx, sql)
  if (changed === undefined) return undefined
  const { type, id, ...place } = subject
  await recordAudit(ctx, { action: `${type}.${verb}`, subjectType: type, subjectId: id, ...place, text })
  return changed.flagCount
}
