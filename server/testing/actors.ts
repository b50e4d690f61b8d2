import type { Pool } from '#server/core/database/db-types.ts'
import { type Credential, findActor } from '#server/modules/accounts/access/find-actor.ts'

const actorOf = (kind: Credential['kind']) => (pool: Pool, secret: string) => findActor(pool, { kind, secret })

export const actorOfToken = actorOf('token')
export const actorOfKey = actorOf('key')
export const actorOfSession = actorOf('session')
