import type { Database } from '#server/core/database/open-database.ts'
import { type Exemption, foreignEffectsOf, type Reach } from '#server/testing/foreign-tries.ts'
import { procedureCalls } from '#server/testing/procedures/call-procedure.ts'
import type { DeskRow } from '#server/testing/procedures/row.ts'
import {
  makeStressScenes,
  SEES_ALL,
  type StressCaller,
  type StressScene,
} from '#server/testing/procedures/stress-callers.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'
import { plantSecrets } from '#server/testing/secrets.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const LEADS_HERE: ReadonlySet<StressCaller> = new Set(['community moderator', 'channel moderator'])

/**
 * Tries procedures of the desk on a space of the caller's own and on a stranger's private one, and compares every row of the database
 * before and after each call. The database is reset before each call.
 */
export async function tryProcedures(database: Database, exemptions: Exemption<StressCaller>[]) {
  const scenes = await makeStressScenes(database)
  const [foreign] = await makeScenes(database, { isPublic: false, castings: [undefined] })
  if (foreign === undefined) throw new Error('one casting makes one scene')
  await seatLead(database, foreign)
  await plantSecrets(database, [...scenes, foreign])
  // A session's last use is written once a minute, and is not a change by the call.
  await database.pool.query(`update staff_session set last_seen_at = now() + interval '1 day'`)
  const call = procedureCalls(database)
  const watch = await watchTables(database.pool)
  const count = { calls: 0, trespasses: 0 }

  async function tryOne(row: DeskRow, scene: StressScene, target: 'own' | 'foreign'): Promise<string[]> {
    const request = await row.input?.(target === 'own' ? scene : standingIn(scene, foreign as Scene))
    await watch.changes()
    const outcome = await call(row.procedure, request, scene)
    const tried = {
      call: row.procedure,
      caller: scene.caller,
      me: scene.caller === 'nobody' ? [] : [scene.me],
      own: scene,
      foreign: foreign as Scene,
      target,
      reach: reachOf(scene.caller),
      isModerator: LEADS_HERE.has(scene.caller),
      request,
      answer: outcome,
      isRefused: 'failure' in outcome,
    }
    const trespasses = foreignEffectsOf(tried, await watch.changes(), exemptions)
    count.calls += 1
    count.trespasses += trespasses.length
    return trespasses
  }

  return {
    tables: watch.tables,
    callers: scenes.map(({ caller }) => caller),
    count,
    tryRow: async (row: DeskRow, callers?: readonly StressCaller[]): Promise<string[]> => {
      const trespasses: string[] = []
      for (const scene of scenes.filter(({ caller }) => callers?.includes(caller) ?? true))
        for (const target of ['own', 'foreign'] as const)
          trespasses.push(...(await tryOne(row, scene, target).finally(watch.restore)))
      return trespasses
    },
  }
}

function reachOf(caller: StressCaller): Reach {
  if (SEES_ALL.has(caller)) return 'everywhere'
  return LEADS_HERE.has(caller) ? 'their space' : 'themselves'
}

/** The scene of a stranger, with the caller from their own scene. */
function standingIn(scene: StressScene, foreign: Scene): StressScene {
  const { me, caller, mine, admin, as, database, callerId, token } = scene
  const leadId = foreign.memberId.replace('member', 'lead')
  return {
    ...foreign,
    me,
    caller,
    mine,
    admin,
    as,
    database,
    leadId,
    ...(callerId !== undefined && { callerId }),
    ...(token !== undefined && { token }),
  }
}

async function seatLead({ prisma }: Database, { memberId }: Scene): Promise<void> {
  const userId = memberId.replace('member', 'lead')
  await prisma.staffAccount.create({
    data: { id: `staff-of-${userId}`, name: 'Some one', email: `${userId}@docket.example`, networkUserId: userId },
  })
}
