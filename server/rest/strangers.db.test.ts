import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { STANDINGS } from '#server/testing/callers.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type Row, requestOf, withQuery } from '#server/testing/routes/row.ts'
import { nameOf, ROWS } from '#server/testing/routes/rows.ts'
import { PARTS } from '#server/testing/routes/try-foreign.ts'
import { idsOf, makeScenes, type Scene } from '#server/testing/scene.ts'
import { tableApi } from '#server/testing/table-api.ts'

const { database } = await testDatabase()
const api = await tableApi(database)

/** A private channel, conversation and community of other people, and the space of a stranger who shares nothing with them. */
const [theirs, own] = await makeScenes(database, {
  isPublic: false,
  castings: [undefined, STANDINGS['community moderator']],
})
if (theirs?.communityId === undefined || own?.callerId === undefined) throw new Error('two scenes make two')
const { callerId } = own
const key = theirs.communityId.replace('community-', '')
const people = theirs.memberId.replace('member-', '')

/** Ids of every kind that `theirs` has, all unknown; the people are theirs. */
const unknownKey = randomUUID()
const { memberId, outsiderId, bannedId, outcastId } = theirs
const unknown: Scene = { ...idsOf(unknownKey, people), memberId, outsiderId, bannedId, outcastId }

const before = await stateOfTheirs()

/**
 * The part of a scene that a request targets: its space, its conversation, its pending items, or its parts placed in the caller's own
 * space.
 */
const WAYS: ((scene: Scene) => Scene)[] = [
  ...PARTS,
  ({ messageId, commentId, conversationFeedId }) => ({ ...own, messageId, commentId, conversationFeedId }),
]

test.each(
  ROWS.map((row) => [nameOf(row), row] as const),
)('%s tells a stranger nothing of other people’s data, not even that it exists', async (_name, row) => {
  for (const way of distinctWays(row)) {
    const [answer, ofUnknown] = [await ask(row, way(theirs)), await ask(row, way(unknown))]
    expect(answer.text).not.toContain(key)
    if (!isAboutPeople(row, way(theirs))) expect(answer.text).not.toContain(people)

    const { path } = requestOf(row, way(theirs))
    // The lists belong to the network: everyone knows that they exist.
    const isTheirs = path.includes(key) && !path.includes('/records/')
    if (isTheirs) expect([path, answer.status]).toEqual([path, 404])
    if (answer.sent.includes(key)) {
      expect([answer.sent, answer.status, masked(answer.text)]).toEqual([
        answer.sent,
        ofUnknown.status,
        masked(ofUnknown.text),
      ])
    }
  }
})

test('a member gets what a stranger does not', async () => {
  const token = await api.tokenOf(memberId)
  const revealed = new Set<string>()
  for (const row of ROWS.filter(({ route }) => route.startsWith('GET'))) {
    const { method, path, query } = requestOf(row, theirs)
    const { body } = await api.call(method, withQuery(path, query), { token })
    if (JSON.stringify(body).includes(key)) revealed.add(nameOf(row))
  }
  expect([...revealed]).toEqual(
    expect.arrayContaining([
      'GET /api/v3/channels',
      'GET /api/v3/channels, by name',
      'GET /api/v3/channels/list',
      'GET /api/v3/channels/{channelId}',
      'GET /api/v3/channels/{channelId}, a conversation of others',
      'GET /api/v3/channels/{channelId}/users',
      'GET /api/v4/channels/{channelId}/users',
      'GET /api/v3/communities',
      'GET /api/v3/communities, by name',
      'GET /api/v3/communities/{communityId}',
      'GET /api/v3/communities/{communityId}, by its internal id',
      'GET /api/v3/communities/{communityId}/users',
      'GET /api/v3/communities/list',
      'GET /api/v5/message-feeds/channel/{channelId}',
      'GET /api/v5/message-feeds/{messageFeedId}',
      'GET /api/v5/message-feeds/{messageFeedId}, of a conversation of others',
      'GET /api/v3/comments',
      'GET /api/v3/comments/{commentId}',
      'GET /api/v3/comments/{commentId}, one held for review',
      'GET /api/v3/posts',
      'GET /api/v4/posts, the caller’s held ones',
      'GET /api/v3/posts/{postId}',
      'GET /api/v3/posts/{postId}, one held for review',
      'GET /api/v5/messages',
      'GET /api/v5/messages, of a conversation of others',
      'GET /api/v5/messages/{messageId}',
      'GET /api/v2/search/messages',
      'GET /api/v2/search/messages, in a channel',
      'GET /api/v2/search/channels',
    ]),
  )
})

test('nothing that a stranger tried has changed anything', async () => {
  expect(await stateOfTheirs()).toEqual(before)
})

/** The variants in which the row's request differs; the first is always included. */
function distinctWays(row: Row) {
  const requests = WAYS.map((way) => JSON.stringify(requestOf(row, way(theirs ?? unknown))))
  return WAYS.filter(
    (_way, index) =>
      index === 0 || (requests.indexOf(requests[index] ?? '') === index && requests[index]?.includes(key)),
  )
}

/** With a separate token: some requests end their own session. */
async function ask(row: Row, scene: Scene) {
  const { method, path, query, body } = requestOf(row, { ...scene, callerId })
  const answer = await api.call(method, withQuery(path, query), { body, token: await api.tokenOf(callerId) })
  return { sent: JSON.stringify({ path, query, body }), status: answer.status, text: JSON.stringify(answer.body) }
}

/** Profiles are open to everyone who is signed in, and a person named in the request is named in the answer. */
function isAboutPeople(row: Row, scene: Scene): boolean {
  return /\/users(\/|$)/.test(row.route.split('{')[0] ?? '') || JSON.stringify(requestOf(row, scene)).includes(people)
}

function masked(text: string): string {
  return [key, unknownKey].reduce(
    (masking, one) => masking.replaceAll(one, '').replaceAll(one.replaceAll('-', ''), ''),
    text,
  )
}

async function stateOfTheirs() {
  const tables = [
    'channel',
    'channel_user',
    'message',
    'community',
    'community_user',
    'post',
    'comment',
    'flag',
    'ban',
    'join_request',
  ]
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await database.pool.query({
        text: `select to_jsonb(t) as row from ${table} t where t::text like '%' || $1 || '%' order by t::text`,
        values: [key],
      })
      return [table, found.rows]
    }),
  )
  return Object.fromEntries(rows)
}
