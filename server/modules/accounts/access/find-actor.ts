import type { Actor } from '#server/core/ctx.ts'
import { execute, queryOne, type Sql, sql } from '#server/core/db.ts'
import type { Pool } from '#server/core/db-types.ts'
import { digestOf } from '#server/core/ids.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { ISSUER_STANDS } from '#server/modules/accounts/roles/issuer.ts'

const NOBODY: Actor = { kind: 'nobody' }

/**
 * The actor of an access token. Undefined for a token that is unknown, expired or revoked, and for a user who is banned or deleted. A user
 * token acts for that user alone: network roles count in admin context only (docs/interface/authentication.md#user-context). An admin token
 * never grants more than its issuer has now, read in this same statement; if that is nothing, the token has no actor.
 */
export async function actorOfToken(pool: Pool, token: string): Promise<Actor> {
  const holder = await queryOne<TokenHolder>(
    { db: pool },
    sql`
    select t.token_id as "tokenId", t.kind, t.role_id as "roleId", t.user_id as "userId", u.display_name as "displayName",
      worth.permissions, worth.rank, ${isLastUseOld(sql`t`)} as "isLastUseOld"
    from access_token t left join network_user u on u.user_id = t.user_id
    left join lateral (${ADMIN_WORTH}) worth on t.kind = 'admin'
    where t.digest = ${digestOf(token)} and t.revoked_at is null and t.expires_at > now()
      and not coalesce(u.is_global_ban or u.is_deleted, false)
      and not (t.kind = 'admin' and t.created_by is not null and worth.permissions = '{}')`,
  )
  if (holder === undefined) return NOBODY
  if (holder.isLastUseOld) await noteUse(pool, { table: sql`access_token`, isIt: sql`token_id = ${holder.tokenId}` })
  return holder.kind === 'user'
    ? { kind: 'user', userId: holder.userId, name: holder.displayName || holder.userId, tokenId: holder.tokenId }
    : {
        kind: 'admin',
        name: `admin token ${holder.tokenId}`,
        tokenId: holder.tokenId,
        rank: holder.rank,
        permissions: new Set(holder.permissions),
      }
}

/** Rank and permissions of admin token `t`: those of its role, limited to what its issuer has. The command line has no issuer. */
const ADMIN_WORTH = sql`
  select
    case when t.created_by is null then of_role.permissions
      else array(select unnest(of_role.permissions) intersect select unnest(of_issuer.permissions) order by 1) end as permissions,
    case when t.created_by is null then of_role.rank else least(of_role.rank, coalesce(of_issuer.rank, 0)) end as rank
  from (select network_role_permissions(array[t.role_id]) as permissions, network_role_rank(array[t.role_id]) as rank) of_role
  left join lateral (
    select network_role_permissions(i.roles) as permissions, network_role_rank(i.roles) as rank
    from network_user i where i.user_id = t.created_by and ${ISSUER_STANDS}) of_issuer on true`

type TokenHolder = { tokenId: string; isLastUseOld: boolean } & (
  | { kind: 'user'; userId: string; displayName: string | null }
  | { kind: 'admin'; rank: number; permissions: Permission[] }
)

/** The actor of an API key. Undefined for a key that is unknown or revoked; it may do what `allows` lists, and nothing else. */
export async function actorOfKey(pool: Pool, apiKey: string): Promise<Actor> {
  const key = await queryOne<{ keyId: string; name: string; allows: string[]; isLastUseOld: boolean }>(
    { db: pool },
    sql`
    select k.key_id as "keyId", k.name, k.allows, ${isLastUseOld(sql`k`)} as "isLastUseOld"
    from api_key k where k.digest = ${digestOf(apiKey)} and k.revoked_at is null`,
  )
  if (key === undefined) return NOBODY
  if (key.isLastUseOld) await noteUse(pool, { table: sql`api_key`, isIt: sql`key_id = ${key.keyId}` })
  return { kind: 'key', keyId: key.keyId, name: key.name, allows: new Set(key.allows) }
}

/** The last use is stored to the minute: writing it on every request would cost more than most requests do. */
function isLastUseOld(credential: Sql): Sql {
  return sql`coalesce(${credential}.last_used_at < now() - interval '1 minute', true)`
}

/** A valid session `s`, with its account `a` and their user `u`. */
export const VALID_SESSION = sql`
  staff_session s join staff_account a on a.id = s.staff_account_id join network_user u on u.user_id = a.network_user_id
  where s.expires_at > now() and not a.is_disabled and not u.is_global_ban and not u.is_deleted`

/**
 * The actor signed in to the desk with this session: the network user that the staff account is tied to, with that user's roles. A network
 * role makes it admin context. Read on each request, so that switching an account off takes effect with the next one.
 */
export async function actorOfSession(pool: Pool, sessionToken: string): Promise<Actor> {
  const person = await queryOne<Person & { sessionId: string; isLastSeenOld: boolean }>(
    { db: pool },
    sql`
    select ${PERSON}, s.id as "sessionId", coalesce(s.last_seen_at < now() - interval '1 minute', true) as "isLastSeenOld"
    from ${VALID_SESSION} and s.token = ${sessionDigest(sessionToken)}`,
  )
  if (person === undefined) return NOBODY
  if (person.isLastSeenOld) await noteSeen(pool, person.sessionId)
  return { ...toStaffActor(person), sessionId: person.sessionId }
}

/** The same person without a session: what they started continues, as far as they are allowed to do it now. */
export async function actorOfStaff(pool: Pool, userId: string): Promise<Actor> {
  const person = await queryOne<Person>(
    { db: pool },
    sql`
    select ${PERSON} from staff_account a join network_user u on u.user_id = a.network_user_id
    where u.user_id = ${userId} and ${MAY_SIGN_IN}`,
  )
  return person === undefined ? NOBODY : toStaffActor(person)
}

const PERSON = sql`
  a.id as "staffId", a.name, u.user_id as "userId", network_role_permissions(u.roles) as permissions, network_role_rank(u.roles) as rank`
const MAY_SIGN_IN = sql`not a.is_disabled and not u.is_global_ban and not u.is_deleted`

function toStaffActor({ staffId, name, userId, rank, permissions }: Person): Actor & { kind: 'admin' | 'user' } {
  return permissions.length > 0
    ? { kind: 'admin', staffId, name, userId, rank, permissions: new Set(permissions) }
    : { kind: 'user', staffId, name, userId }
}

interface Person {
  staffId: string
  name: string
  userId: string
  rank: number
  permissions: Permission[]
}

/** Of concurrent requests only the first writes: the others wait for it and then find the condition no longer true. */
async function noteUse(pool: Pool, credential: { table: Sql; isIt: Sql }): Promise<void> {
  await execute(
    { db: pool },
    sql`
    update ${credential.table} used set last_used_at = now() where used.${credential.isIt} and ${isLastUseOld(sql`used`)}`,
  )
}

/** To the minute, as with the last use of a token; also stored on the person, since sessions are deleted. */
async function noteSeen(pool: Pool, sessionId: string): Promise<void> {
  await execute(
    { db: pool },
    sql`
    with seen as (
      update staff_session s set last_seen_at = now()
      where s.id = ${sessionId} and coalesce(s.last_seen_at < now() - interval '1 minute', true) returning s.staff_account_id)
    update staff_account a set last_seen_at = now() from seen where a.id = seen.staff_account_id`,
  )
}
