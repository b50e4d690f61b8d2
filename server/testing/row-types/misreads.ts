import type { Ctx } from '#server/core/ctx.ts'
import { rowsOfJson } from '#server/core/database/json-rows.ts'
import { joinedRow } from '#server/core/database/row-maker.ts'
import { query, queryOne, sql } from '#server/core/db.ts'
import { readLockedPerson } from '#server/modules/accounts/roles/lock-person.ts'

type Read = (ctx: Ctx, userId: string) => Promise<unknown>

const nobody = sql`network_user u where false`
const withMembership = sql`network_user u left join community_user m on m.user_id = u.user_id`

/** Reads of rows that have the type they are read as. */
export const READS: Read[] = [
  (ctx) =>
    query<{ userId: string; displayName: string | null; createdAt: Date; roles: 'one'[]; isDeleted: boolean }>(
      ctx,
      sql`select * from ${nobody}`,
    ),
  (ctx, userId) =>
    queryOne<{ userId: string; member: { membership: 'none' | 'member' | 'banned' } | null }>(
      ctx,
      sql`select u.user_id, ${joinedRow('member')}, m.membership from ${withMembership} where u.user_id = ${userId}`,
    ),
  async (ctx, userId) => await readLockedPerson<{ isDeleted: boolean }>(ctx, userId, sql`is_deleted`),
  (ctx) => query<{ word: 'one' | 'two' }>(ctx, sql`select 'two' as word`),
  async (ctx) => {
    const found = await queryOne<{ rows: Record<string, unknown>[] }>(
      ctx,
      sql`select json_build_array(json_build_object('made_at', now())) as rows`,
    )
    return rowsOfJson<{ madeAt: Date }>(found?.rows, ['madeAt'])
  },
]

/** Reads of rows that have another type, by what is wrong. */
export const MISREADS: Record<string, Read> = {
  'userName is read as string, and is no column': (ctx) =>
    query<{ userName: string }>(ctx, sql`select user_id from ${nobody}`),
  'users is read as number, and is string': (ctx) =>
    query<{ users: number }>(ctx, sql`select count(*) over () as users from ${nobody}`),
  'displayName is read as string, and may be null as network_user.display_name': (ctx) =>
    query<{ displayName: string }>(ctx, sql`select display_name from ${nobody}`),
  'roles is read as number[], and is (string)[]': (ctx) =>
    query<{ roles: number[] }>(ctx, sql`select roles from ${nobody}`),
  'memberships is read as string[], and is string': (ctx) =>
    query<{ memberships: string[] }>(ctx, sql`select null::membership[] as memberships from ${nobody}`),
  'membership is read as "member", and is "none" | "member" | "banned"': (ctx) =>
    query<{ membership: 'member' }>(ctx, sql`select m.membership from community_user m where false`),
  'member.isDeleted is read as string, and is boolean': (ctx) =>
    query<{ member: { isDeleted: string } | null }>(
      ctx,
      sql`select ${joinedRow('member')}, m.is_deleted from community_user m where false`,
    ),
  'communityId is read as string, and was null': (ctx, userId) =>
    query<{ communityId: string }>(ctx, sql`select m.community_id from ${withMembership} where u.user_id = ${userId}`),
  'word is read as "one", and was "three"': (ctx) => query<{ word: 'one' }>(ctx, sql`select 'three' as word`),
  'made is read as { at: Date; }, and was { "at": string }': (ctx) =>
    query<{ made: { at: Date } }>(ctx, sql`select json_build_object('at', now()) as made`),
  'endsAt is read as Date, and was string': async (ctx) => {
    const found = await queryOne<{ rows: Record<string, unknown>[] }>(
      ctx,
      sql`select json_build_array(json_build_object('ends_at', now())) as rows`,
    )
    return rowsOfJson<{ endsAt: Date }>(found?.rows, [])
  },
  'isGlobalBan is read as string, and was false': async (ctx, userId) =>
    await readLockedPerson<{ isGlobalBan: string }>(ctx, userId, sql`is_global_ban`),
}

/** @public A read that no test reaches; the check finds it in the text of this file. */
export const UNREACHED: Read = (ctx) => query<{ isUnreached: boolean }>(ctx, sql`select true as is_unreached`)
