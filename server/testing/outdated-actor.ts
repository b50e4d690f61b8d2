import type { Pool } from '#server/core/database/db-types.ts'
import { sql } from '#server/core/db.ts'
import { CHANNEL_PERMISSIONS, COMMUNITY_PERMISSIONS, NETWORK_PERMISSIONS } from '#server/core/permission-names.ts'
import {
  type KnownActor,
  type RememberedActors,
  rememberActors,
} from '#server/modules/accounts/access/remembered-actors.ts'

/** A caller who could do everything when they were looked up last, and who no longer can: whatever still acts for them goes wrong. */
export const OUTDATED: KnownActor = {
  actor: {
    kind: 'admin',
    userId: 'outdated',
    name: 'Outdated',
    rank: 1_000,
    permissions: new Set([...COMMUNITY_PERMISSIONS, ...CHANNEL_PERMISSIONS, ...NETWORK_PERMISSIONS]),
  },
  ifActorHolds: sql`false`,
}

/** Remembers every caller wrongly. */
export function rememberWrongly(pool: Pool): RememberedActors {
  const { find } = rememberActors(pool)
  return {
    find,
    recall: async (credential) => {
      const known = await find(credential)
      return known.actor.kind === 'nobody' ? known : OUTDATED
    },
  }
}
