import type { ErrorCode } from '#server/core/errors.ts'
import type { CALLERS } from '#server/testing/callers.ts'
import type { Scene } from '#server/testing/scene.ts'

/**
 * What a caller gets: success, or the default error of a status (401 is UNAUTHORIZED, 403 FORBIDDEN, 404 NOT_FOUND, 422
 * INVALID_PARAMETERS), or the named error.
 */
export type Outcome = 200 | 401 | 403 | 404 | 422 | ErrorCode

/** The result for each of CALLERS, in their order. */
export type Outcomes = Each<typeof CALLERS, Outcome>
export type Each<List extends readonly unknown[], Value> = { readonly [Index in keyof List]: Value }

const PLAIN = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 422: 'INVALID_PARAMETERS' } as const

/** The error with which a caller is rejected; undefined if the call succeeds. */
export function failureOf(outcome: Outcome): ErrorCode | undefined {
  if (outcome === 200) return undefined
  return typeof outcome === 'number' ? PLAIN[outcome] : outcome
}

export interface Sent {
  /** The path parameters whose names differ from those of the scene's ids. */
  path?: Record<string, string>
  /** In query notation: `options[limit]`, `types[]`. */
  query?: Record<string, string | string[]>
  body?: unknown
}

/**
 * One way to call a route that succeeds, and what happens when each of CALLERS tries.
 *
 * To add a route: add a row to the file of its feature (a new file is named in `rows.ts`). First state, from the contract, what each caller
 * should get; then how to call it on a scene, whose ids fill the path parameters of the same names. That is all: who may call, the limits
 * of every parameter, every listed error, and that strangers learn nothing are tested from the row. A second row of one route covers
 * another use of it. Last, `npx vitest run -u --project database server/rest/callers -t 'docs contain the table'` writes the readable table,
 * docs/who-may-call-what.md.
 */
export interface Row {
  route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`
  /** The case that this row covers, where the route has several. */
  about?: string
  outcomes: Outcomes
  request?: (scene: Scene) => Sent
}

/** docs/interface/errors.md: invalid parameters of endpoints 1 and 4 are 400, those of every other route 422. */
const INVALID_IS_400 = new Set<string>([
  'GET /api/v3/communities/{communityId}/comments/review-queue',
  'PUT /api/v3/network-settings/moderation',
])

export function invalidOf(route: string): ErrorCode {
  return INVALID_IS_400.has(route) ? 'INVALID_REQUEST' : 'INVALID_PARAMETERS'
}

/** The request line and body of a row, on this scene. */
export function requestOf({ route, request = () => ({}) }: Row, scene: Scene) {
  const [method = '', template = ''] = route.split(' ')
  const { path: named = {}, query = {}, body } = request(scene)
  const known: Record<string, string | undefined> = { ...scene, userId: scene.memberId, ...named }
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = known[name]
    if (value === undefined) throw new Error(`${route}: its row says nothing of {${name}}`)
    return encodeURIComponent(value)
  })
  return { method, path, query, body }
}

export function withQuery(path: string, query: Record<string, string | string[]>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}
