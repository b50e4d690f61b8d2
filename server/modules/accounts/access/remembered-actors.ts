import type { Actor } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import type { Sql } from '#server/core/db.ts'
import { type Credential, type FoundActor, findActor } from '#server/modules/accounts/access/find-actor.ts'

/** Beyond this many, the credential that was unused for longest is forgotten. */
const REMEMBERED_AT_MOST = 10_000
/** The use of a credential is noted when its actor is looked up. */
const LOOKED_UP_EVERY_MS = 60_000

export interface KnownActor {
  actor: Actor
  /** Absent for an actor that was looked up. */
  ifActorHolds: Sql | undefined
}

export interface RememberedActors {
  /** Looks the actor up. */
  find(credential: Credential): Promise<KnownActor>
  /** The actor of the last look-up, for calls whose statements include `ifActorHolds`; looked up once a minute. */
  recall(credential: Credential): Promise<KnownActor>
}

/** Remembers who callers are, so that most calls need no statement of their own to find out. */
export function rememberActors(pool: Pool): RememberedActors {
  const known = new Map<string, FoundActor & { at: number }>()

  const find: RememberedActors['find'] = async (credential) => {
    const key = keyOf(credential)
    const found = await findActor(pool, credential)
    known.delete(key)
    if (found.actor.kind === 'nobody') return { actor: found.actor, ifActorHolds: undefined }
    known.set(key, { ...found, at: performance.now() })
    const [longestUnused] = known.keys()
    if (known.size > REMEMBERED_AT_MOST && longestUnused !== undefined) known.delete(longestUnused)
    return { actor: found.actor, ifActorHolds: undefined }
  }

  return {
    find,
    recall: async (credential) => {
      const key = keyOf(credential)
      const last = known.get(key)
      if (last === undefined || performance.now() - last.at > LOOKED_UP_EVERY_MS) return find(credential)
      known.delete(key)
      known.set(key, last)
      return { actor: last.actor, ifActorHolds: last.holds }
    },
  }
}

function keyOf({ kind, secret }: Credential): string {
  return `${kind} ${secret}`
}
