import type { Actor } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { type Credential, findActor } from '#server/modules/accounts/access/find-actor.ts'

const actorOf = (kind: Credential['kind']) => async (pool: Pool, secret: string) =>
  (await findActor(pool, { kind, secret })).actor satisfies Actor

export const actorOfToken = actorOf('token')
export const actorOfKey = actorOf('key')
export const actorOfSession = actorOf('session')
