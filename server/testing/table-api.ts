import type { Actor } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import type { KeyAllows } from '#server/modules/accounts/access/schema.ts'
import { actorOfKey, actorOfToken } from '#server/testing/actors.ts'
import { adminTokenOf } from '#server/testing/admin-token.ts'
import { testApi } from '#server/testing/api.ts'
import { type Caller, NETWORK_ROLES } from '#server/testing/callers.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { type Row, requestOf, withQuery } from '#server/testing/routes/row.ts'
import type { Scene } from '#server/testing/scene.ts'

type Headers = Record<string, string>

/** The REST API, and every caller of the table of routes. */
export async function tableApi(
  database: Database,
  environment: Record<string, string> = {},
  options: Parameters<typeof testApi>[2] = {},
) {
  const api = await testApi(database, { RATE_LIMITS: 'off', ...environment }, options)
  const fixed = await fixedCredentials(database)

  const headersOf = (caller: Caller, { token }: Scene): Headers =>
    fixed[caller] ?? (token === undefined ? {} : { authorization: `Bearer ${token}` })

  return {
    ...api,
    headersOf,
    /** The actor of a request with these headers. */
    actorOf: (headers: Headers): Promise<Actor> => {
      const key = headers['x-api-key'] ?? headers['x-server-key']
      return key === undefined
        ? actorOfToken(database.pool, headers.authorization?.slice('Bearer '.length) ?? '')
        : actorOfKey(database.pool, key)
    },
    /** Sends the request of a row. */
    send: (row: Row, caller: Caller, scene: Scene) => {
      const { method, path, query, body } = requestOf(row, scene)
      return api.call(method, withQuery(path, query), { body, headers: headersOf(caller, scene) })
    },
  }
}

/** The credentials that are the same in every scene: admin tokens and keys. */
async function fixedCredentials(database: Database): Promise<Partial<Record<Caller, Headers>>> {
  const keyFor = async (...allows: KeyAllows[]) =>
    (await createKey(systemCtx(database), { name: 'a caller', allows })).apiKey
  const [key, rolesKey, serverKey] = await Promise.all([
    keyFor('sessions'),
    keyFor('sessions', 'roles'),
    keyFor('server'),
  ])
  const admins = await Promise.all(
    Object.entries(NETWORK_ROLES).map(async ([caller, role]) => [
      caller,
      { authorization: `Bearer ${await adminTokenOf(database, role)}` },
    ]),
  )
  return {
    ...Object.fromEntries(admins),
    nobody: {},
    key: { 'x-api-key': key },
    'roles key': { 'x-api-key': rolesKey },
    'server key': { 'x-server-key': serverKey },
  }
}
