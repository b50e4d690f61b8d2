import type { Database } from '#server/core/database/open-database.ts'
import { CALLERS, type Caller, NETWORK_ROLES, STANDINGS } from '#server/testing/callers.ts'
import { type Exemption, foreignEffectsOf, type Reach } from '#server/testing/foreign-tries.ts'
import { type Row, requestOf, withQuery } from '#server/testing/routes/row.ts'
import { makeScenes, type Scene } from '#server/testing/scene.ts'
import { plantSecrets } from '#server/testing/secrets.ts'
import { tableApi } from '#server/testing/table-api.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

/** Besides CALLERS: people who lost their role after their token was issued. */
export const REST_CALLERS = [...CALLERS, 'banned from the network', 'with a token that is over'] as const
export type RestCaller = (typeof REST_CALLERS)[number]

const LEADS_HERE: ReadonlySet<RestCaller> = new Set(['channel moderator', 'community moderator'])
const SEES_ALL: ReadonlySet<RestCaller> = new Set([
  ...Object.keys(NETWORK_ROLES),
  'key',
  'roles key',
  'server key',
] as RestCaller[])
const LEADS = {
  membership: 'member',
  channelRoles: ['channel-moderator'],
  communityRoles: ['community-moderator'],
} as const

/** A scene whose conversation and pending items replace those that everybody there sees. */
export const PARTS: ((scene: Scene) => Scene)[] = [
  (scene) => scene,
  (scene) => ({
    ...scene,
    channelId: scene.conversationId,
    messageFeedId: scene.conversationFeedId,
    messageId: scene.conversationMessageId,
  }),
  (scene) => ({ ...scene, postId: scene.heldPostId, commentId: scene.heldCommentId }),
]

/** Tries routes over HTTP as `tryProcedures` tries procedures; of a stranger's space also its conversation and pending items. */
export async function tryRoutes(database: Database, exemptions: Exemption<RestCaller>[]) {
  const castings = REST_CALLERS.map((caller) =>
    caller === 'banned from the network' || caller === 'with a token that is over'
      ? { ...LEADS, channelRoles: [...LEADS.channelRoles], communityRoles: [...LEADS.communityRoles] }
      : STANDINGS[caller],
  )
  const scenes = await makeScenes(database, { castings })
  const [foreign] = await makeScenes(database, { isPublic: false, castings: [undefined] })
  if (foreign === undefined) throw new Error('one casting makes one scene')
  await plantSecrets(database, [...scenes, foreign])
  await endTokens(database, scenes)
  const api = await tableApi(database)
  const headersOf = (caller: RestCaller, scene: Scene) => api.headersOf(caller as Caller, scene)
  // The last use of a token or key is written once a minute, and is not a change by the call.
  for (const table of ['access_token', 'api_key'])
    await database.pool.query(`update ${table} set last_used_at = now() + interval '1 day'`)
  const watch = await watchTables(database.pool)
  const count = { calls: 0, trespasses: 0 }

  async function tryOne(
    row: Row,
    { caller, scene }: { caller: RestCaller; scene: Scene },
    at: Scene,
  ): Promise<string[]> {
    const { method, path, query, body } = requestOf(row, at)
    const headers = headersOf(caller, scene)
    await watch.changes()
    const answer = await api.call(method, withQuery(path, query), { body, headers })
    const target: 'own' | 'foreign' = at.communityId === scene.communityId ? 'own' : 'foreign'
    const me = scene.callerId === undefined ? [] : [scene.callerId]
    const tried = {
      call: row.route,
      caller,
      me,
      own: scene,
      foreign: foreign as Scene,
      target,
      reach: reachOf(caller, target),
      isModerator: LEADS_HERE.has(caller),
      request: { path, query, body },
      answer: answer.body,
      isRefused: answer.status !== 200,
    }
    const trespasses = foreignEffectsOf(tried, await watch.changes(), exemptions)
    if (answer.status >= 500) trespasses.push(`${row.route} by ${caller} answers ${answer.status}`)
    count.calls += 1
    count.trespasses += trespasses.length
    return trespasses
  }

  return {
    tables: watch.tables,
    count,
    tryRow: async (row: Row): Promise<string[]> => {
      const trespasses: string[] = []
      for (const [index, caller] of REST_CALLERS.entries()) {
        const scene = scenes[index]
        if (scene === undefined) throw new Error('each caller has a scene')
        const { callerId, token } = scene
        const theirs = { ...foreign, ...(callerId && { callerId }), ...(token && { token }) }
        for (const at of [scene, ...distinct(row, theirs)])
          trespasses.push(...(await tryOne(row, { caller, scene }, at).finally(watch.restore)))
      }
      return trespasses
    },
  }
}

function distinct(row: Row, scene: Scene): Scene[] {
  const requests = PARTS.map((part) => JSON.stringify(requestOf(row, part(scene)).path))
  return PARTS.map((part) => part(scene)).filter((_scene, index) => requests.indexOf(requests[index] ?? '') === index)
}

async function endTokens({ prisma }: Database, scenes: Scene[]): Promise<void> {
  const userOf = (caller: RestCaller) => scenes[REST_CALLERS.indexOf(caller)]?.callerId ?? ''
  await prisma.user.update({ where: { userId: userOf('banned from the network') }, data: { isGlobalBan: true } })
  await prisma.accessToken.updateMany({
    where: { userId: userOf('with a token that is over') },
    data: { expiresAt: new Date(0) },
  })
}

/** The caller's own space is public: everyone who is signed in may join it, write there and report its content. */
function reachOf(caller: RestCaller, target: 'own' | 'foreign'): Reach {
  if (SEES_ALL.has(caller)) return 'everywhere'
  return target === 'own' || LEADS_HERE.has(caller) ? 'their space' : 'themselves'
}
