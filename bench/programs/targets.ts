import { randomUUID } from 'node:crypto'
import { stringify } from 'node:querystring'
import type { QueueOrder } from '#server/modules/review/queue/schema.ts'
import { withConnections } from '../data/bench-database.ts'
import { LARGEST_COMMUNITY, LARGEST_POST } from '../data/network.ts'
import { measure, type Target } from '../measure/load.ts'
import { BUSY_AUTHOR, PEOPLE, type Place } from './place.ts'

type Ways<Answer> = Record<string, (place: Place) => Answer>

/** A query of endpoint 1, with its options as sent. */
export type Filter = { postId?: string; authorId?: string; startDate?: string; endDate?: string; timeZone?: string }

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' }

/** Pages of the queue of the largest community. */
export const PAGES: Ways<Target> = {
  'endpoint 1, 10 rows': (place) => restPage(place, { limit: 10 }),
  'endpoint 1, 50 rows': (place) => restPage(place, { limit: 50 }),
  'endpoint 1, one day': (place) => restPage(place, DAY),
  'endpoint 1, a post': (place) => restPage(place, { postId: LARGEST_POST }),
  'desk, 10 rows': (place) => deskPage(place, { limit: 10 }),
  'desk, 50 rows': (place) => deskPage(place, { limit: 50 }),
  'desk, one day': (place) => deskPage(place, { ...DAY, limit: 50 }),
  'desk, oldest first': (place) => deskPage(place, { order: 'oldest', limit: 50 }),
  'desk, most urgent first': (place) => deskPage(place, { order: 'urgent', limit: 50 }),
  'desk, by author': (place) => deskPage(place, { authorId: BUSY_AUTHOR, limit: 50 }),
  'desk, by post': (place) => deskPage(place, { postId: LARGEST_POST, limit: 50 }),
}

/** Endpoint 1. */
export function restPage(
  { origin, costs, reviewerToken }: Place,
  { skip, limit, ...filter }: Filter & { skip?: number; limit?: number } = {},
): Target {
  const options = {
    ...(skip !== undefined && { 'options[skip]': skip }),
    ...(limit !== undefined && { 'options[limit]': limit }),
  }
  const path = `/api/v3/communities/${LARGEST_COMMUNITY}/comments/review-queue?${stringify({ ...filter, ...options })}`
  const headers = { authorization: `Bearer ${reviewerToken}` }
  return { origin, method: 'GET', headers, nextPath: () => path, costs }
}

/** The desk's list. */
export function deskPage(
  { origin, costs, reviewerCookie }: Place,
  { order = 'newest', limit = 10, ...asked }: Filter & { order?: QueueOrder; limit?: number; cursor?: string } = {},
): Target {
  const path = deskPath({ ...asked, communityId: LARGEST_COMMUNITY, order, limit })
  return { origin, method: 'GET', headers: { cookie: reviewerCookie }, nextPath: () => path, costs }
}

/** The desk's list of all communities. */
export function deskPageOfAll({ origin, costs, adminCookie }: Place): Target {
  const path = deskPath({ order: 'newest', limit: 10 })
  return { origin, method: 'GET', headers: { cookie: adminCookie }, nextPath: () => path, costs }
}

const deskPath = (input: object) => `/api/trpc/review.queue?${stringify({ input: JSON.stringify(input) })}`

const JSON_TYPE = { 'content-type': 'application/json' }

export function nextHeld({ heldIds }: Pick<Place, 'heldIds'>) {
  const subjectId = heldIds.pop()
  if (subjectId === undefined) throw new Error('No more comments wait: make the rounds shorter')
  return { subjectType: 'comment', subjectId, version: 1 }
}

export const AT_DESK = 'decisions at the desk'

/** Approvals in the largest community, each of another comment. */
export const DECISIONS: Ways<Target> = {
  [AT_DESK]: (place) => ({
    origin: place.origin,
    method: 'POST',
    headers: { cookie: place.adminCookie, origin: place.origin, ...JSON_TYPE },
    nextPath: () => '/api/trpc/review.decide',
    nextBody: () => JSON.stringify({ ...nextHeld(place), outcome: 'approved', clientKey: randomUUID() }),
    costs: place.costs,
  }),
  'decisions over REST': (place) => ({
    origin: place.origin,
    method: 'POST',
    headers: { authorization: `Bearer ${place.reviewerToken}` },
    nextPath: () => `/api/v3/comments/${nextHeld(place).subjectId}/approve`,
    costs: place.costs,
  }),
}

const HELD_OF_ONE = 7_000
export const HELD_OF_MANY = `comments by ${PEOPLE} people, held`
export const HELD_OF_BUSY = `comments by an author with ${HELD_OF_ONE} held ones`

/** What people write, each text once. */
export const WRITES: Ways<Target | Promise<Target>> = {
  [HELD_OF_MANY]: (place) => writing(place, place.tokens, newComment),
  [HELD_OF_BUSY]: async (place) => {
    const target = writing(place, [place.busyToken], newComment)
    await measure(target, { connections: 8, requests: HELD_OF_ONE })
    return target
  },
  'comments by a reviewer, public': (place) => writing(place, [place.reviewerToken], newComment),
  posts: (place) => writing(place, place.tokens, newPost),
  'messages into one channel': async (place) => {
    const messageFeedId = await openChannel(place)
    return writing(place, place.tokens, () => ['/api/v5/messages', { messageFeedId, ...newText() }])
  },
}

type Written = [path: string, body: object]
const newText = () => ({ data: { text: `Nothing like ${randomUUID()} was said before` } })
const newComment = (): Written => [
  '/api/v3/comments',
  { referenceType: 'post', referenceId: LARGEST_POST, ...newText() },
]
const newPost = (): Written => ['/api/v3/posts', { targetType: 'community', targetId: LARGEST_COMMUNITY, ...newText() }]

/** What these people write, in turn. */
export function writing({ origin, costs }: Place, tokens: string[], next: () => Written): Target {
  let written = 0
  const [path] = next()
  return {
    origin,
    method: 'POST',
    headers: JSON_TYPE,
    nextHeaders: () => ({ authorization: `Bearer ${tokens[written++ % tokens.length]}` }),
    nextPath: () => path,
    nextBody: () => JSON.stringify(next()[1]),
    costs,
  }
}

/** A channel with all who write. The id of its feed. */
async function openChannel({ origin, databaseUrl, tokens: [token] }: Place): Promise<string> {
  const channelId = randomUUID()
  const userIds = Array.from({ length: PEOPLE }, (_, person) => `user-${person}`)
  const headers = { authorization: `Bearer ${token}` }
  await send(`${origin}/api/v3/channels`, headers, { channelId, type: 'community', userIds })
  return withConnections(databaseUrl, async (pool) => {
    const statement = 'select internal_id as id from channel where channel_id = $1'
    return (await pool.query<{ id: string }>(statement, [channelId])).rows[0]?.id ?? ''
  })
}

/** One request with a body, and its answer. */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ result?: { data: unknown } }> {
  const answer = await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { result?: { data: unknown } }
}
