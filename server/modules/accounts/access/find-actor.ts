import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { sharedByReads } from '#server/core/database/shared-connections.ts'
import { execute, queryOne, type Sql, sql } from '#server/core/db.ts'
import { digestOf } from '#server/core/ids.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { networkPermissionsOf, networkRankOf } from '#server/core/role-permissions.ts'
import { sessionDigest } from '#server/modules/accounts/access/session-digests.ts'
import { ISSUER_IS_ACTIVE } from '#server/modules/accounts/roles/issuer.ts'

const NOBODY: Actor = { kind: 'nobody' }

/** What callers present to say who they are: an access token, an API key, or the session of the desk. */
export interface Credential {
  kind: 'token' | 'key' | 'session'
  secret: string
}

/** A credential without its secret, as a signed link names it. */
export interface CredentialId {
  kind: 'token' | 'session'
  id: string
}

/** How the actor of one kind of credential is found. */
interface Lookup<Row> {
  /** One row with all that the actor is made of, and with `isUseOld`; none for a credential that is unknown or has ended. */
  read: (ctx: Pick<Ctx, 'db'>, isIt: Sql) => Promise<Row | undefined>
  /** The condition that the credential is the one with this secret. */
  hasSecret: (secret: string) => Sql
  toActor: (row: Row) => Actor
  noteUse: (pool: Pool, row: Row) => Promise<void>
}

/**
 * The actor of a credential; `nobody` for one that is unknown or has ended, and for a person who is banned or deleted. One statement, and
 * once a minute another that notes the use: writing it on every request would cost more than most requests do.
 */
export function findActor(pool: Pool, { kind, secret }: Credential): Promise<Actor> {
  if (kind === 'token') return find(pool, TOKEN, secret)
  return kind === 'key' ? find(pool, KEY, secret) : find(pool, SESSION, secret)
}

/** The actor of a credential that is named by its id, as `findActor` would find it; this is no use of it. */
export function actorOfCredential(pool: Pool, { kind, id }: CredentialId): Promise<Actor> {
  return kind === 'token'
    ? actorWhere(pool, TOKEN, sql`t.token_id = ${id}`)
    : actorWhere(pool, SESSION, sql`s.id = ${id}`)
}

async function actorWhere<Row>(pool: Pool, lookup: Lookup<Row>, isIt: Sql): Promise<Actor> {
  const found = await lookup.read(reading(pool), isIt)
  return found === undefined ? NOBODY : lookup.toActor(found)
}

async function find<Row extends { isUseOld: boolean }>(
  pool: Pool,
  lookup: Lookup<Row>,
  secret: string,
): Promise<Actor> {
  const found = await lookup.read(reading(pool), lookup.hasSecret(secret))
  if (found === undefined) return NOBODY
  if (found.isUseOld) await lookup.noteUse(pool, found)
  return lookup.toActor(found)
}

/** Every request begins with such a look-up, which is short: it shares connections with other short reads. */
const reading = (pool: Pool) => ({ db: sharedByReads(pool) })

/**
 * A user token acts for that user alone: network roles count in admin context only (docs/interface/authentication.md#user-context). An admin
 * token never grants more than its issuer has now; if that is nothing, the token has no actor.
 */
const TOKEN: Lookup<TokenHolder> = {
  hasSecret: (token) => sql`t.digest = ${digestOf(token)}`,
  read: (ctx, isIt) =>
    queryOne<TokenHolder>(
      ctx,
      sql`
    select t.token_id, t.kind, t.user_id, u.display_name,
      worth.permissions, worth.rank, ${isUseOld(sql`t`)} as is_use_old
    from access_token t left join network_user u on u.user_id = t.user_id
    left join lateral (${adminWorth()}) worth on true
    where ${isIt} and t.revoked_at is null and t.expires_at > now()
      and not coalesce(u.is_global_ban or u.is_deleted, false)
      and not (t.kind = 'admin' and t.created_by is not null and worth.permissions = '{}')`,
    ),
  toActor: (holder) =>
    holder.kind === 'user'
      ? { kind: 'user', userId: holder.userId, name: holder.displayName || holder.userId, tokenId: holder.tokenId }
      : {
          kind: 'admin',
          name: `admin token ${holder.tokenId}`,
          tokenId: holder.tokenId,
          rank: holder.rank,
          permissions: new Set(holder.permissions),
        },
  noteUse: (pool, { tokenId }) => noteUse(pool, sql`access_token`, sql`used.token_id = ${tokenId}`),
}

type TokenHolder = { tokenId: string; isUseOld: boolean } & (
  | { kind: 'user'; userId: string; displayName: string | null }
  | { kind: 'admin'; rank: number; permissions: Permission[] }
)

/** Rank and permissions of admin token `t`: those of its role, limited to what its issuer has. The command line has no issuer. */
function adminWorth(): Sql {
  return sql`
  select
    case when t.created_by is null then of_role.permissions
      else array(select unnest(of_role.permissions) intersect select unnest(of_issuer.permissions) order by 1) end as permissions,
    case when t.created_by is null then of_role.rank else least(of_role.rank, coalesce(of_issuer.rank, 0)) end as rank
  from (select ${networkPermissionsOf(sql`array[t.role_id]`)} as permissions, ${networkRankOf(sql`array[t.role_id]`)} as rank) of_role
  left join lateral (
    select ${networkPermissionsOf(sql`i.roles`)} as permissions, ${networkRankOf(sql`i.roles`)} as rank
    from network_user i where i.user_id = t.created_by and ${ISSUER_IS_ACTIVE}) of_issuer on true
  where t.kind = 'admin'`
}

/** A key may do what `allows` lists, and nothing else. */
const KEY: Lookup<Key> = {
  hasSecret: (apiKey) => sql`k.digest = ${digestOf(apiKey)}`,
  read: (ctx, isIt) =>
    queryOne<Key>(
      ctx,
      sql`
    select k.key_id, k.name, k.allows, ${isUseOld(sql`k`)} as is_use_old
    from api_key k where ${isIt} and k.revoked_at is null`,
    ),
  toActor: ({ keyId, name, allows }) => ({ kind: 'key', keyId, name, allows: new Set(allows) }),
  noteUse: (pool, { keyId }) => noteUse(pool, sql`api_key`, sql`used.key_id = ${keyId}`),
}

interface Key {
  keyId: string
  name: string
  allows: string[]
  isUseOld: boolean
}

function isUseOld(credential: Sql): Sql {
  return sql`coalesce(${credential}.last_used_at < now() - interval '1 minute', true)`
}

/** Stores that a credential was used. Of concurrent requests only the first writes: the others wait and then find the condition no longer true. */
async function noteUse(pool: Pool, table: Sql, isIt: Sql): Promise<void> {
  await execute(
    { db: pool },
    sql`update ${table} used set last_used_at = now() where ${isIt} and ${isUseOld(sql`used`)}`,
  )
}

/** A valid session `s`, with its account `a` and their user `u`. */
export const VALID_SESSION = sql`
  staff_session s join staff_account a on a.id = s.staff_account_id join network_user u on u.user_id = a.network_user_id
  where s.expires_at > now() and not a.is_disabled and not u.is_global_ban and not u.is_deleted`

const PERSON = sql`
  a.id as staff_id, a.name, u.user_id, ${networkPermissionsOf(sql`u.roles`)} as permissions,
  ${networkRankOf(sql`u.roles`)} as rank`

/**
 * The network user that the staff account is tied to, with that user's roles. A network role makes it admin context. Read on each request, so
 * that switching an account off takes effect with the next one.
 */
const SESSION: Lookup<SessionHolder> = {
  hasSecret: (session) => sql`s.token = ${sessionDigest(session)}`,
  read: (ctx, isIt) =>
    queryOne<SessionHolder>(
      ctx,
      sql`
    select ${PERSON}, s.id as session_id, coalesce(s.last_seen_at < now() - interval '1 minute', true) as is_use_old
    from ${VALID_SESSION} and ${isIt}`,
    ),
  toActor: (person) => ({ ...toStaffActor(person), sessionId: person.sessionId }),
  noteUse: noteSeen,
}

type SessionHolder = Person & { sessionId: string; isUseOld: boolean }

/** Stores that a session was used, also on its account, since sessions are deleted. */
async function noteSeen(pool: Pool, { sessionId }: { sessionId: string }): Promise<void> {
  await execute(
    { db: pool },
    sql`
    with seen as (
      update staff_session s set last_seen_at = now()
      where s.id = ${sessionId} and coalesce(s.last_seen_at < now() - interval '1 minute', true) returning s.staff_account_id)
    update staff_account a set last_seen_at = now() from seen where a.id = seen.staff_account_id`,
  )
}

/** A staff member without a session: what they started continues, as far as they are allowed to do it now. */
export async function actorOfStaff(pool: Pool, userId: string): Promise<Actor> {
  const person = await queryOne<Person>(
    { db: pool },
    sql`
    select ${PERSON} from staff_account a join network_user u on u.user_id = a.network_user_id
    where u.user_id = ${userId} and not a.is_disabled and not u.is_global_ban and not u.is_deleted`,
  )
  return person === undefined ? NOBODY : toStaffActor(person)
}

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
