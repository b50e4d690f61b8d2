import type { Scene } from '#server/testing/scene.ts'
import { secretOf } from '#server/testing/secrets.ts'
import type { TableChange } from '#server/testing/watch-tables.ts'

/** What a call may affect besides the caller's own data, and why that is right. */
export interface Exemption<Caller extends string> {
  /** The procedures or routes it applies to. */
  calls: string[]
  /** All callers, unless some are named. */
  callers?: readonly Caller[]
  tables?: string[]
  /** Whether the response may contain other people's data. */
  reads?: true
  /** Whether the response may repeat ids that the caller chose in an earlier call. */
  repeatsIds?: true
  why: string
}

export type Reach = 'themselves' | 'their space' | 'everywhere'

/** One call whose outcome and changes are checked. */
export interface Try<Caller extends string> {
  call: string
  caller: Caller
  /** Ids of the caller, in every row that is about them. */
  me: string[]
  /** The caller's own scene, and whether the request targets it or a stranger's. */
  own: Scene
  foreign: Scene
  target: 'own' | 'foreign'
  /** What their role lets them change: those who lead a space all of it, those with a wide network role what the request is about. */
  reach: Reach
  /** Whether they may read what the moderators of their own space keep private. */
  isModerator: boolean
  request: unknown
  answer: unknown
  isRefused: boolean
}

/** The foreign data that the call changed or read, in words; empty where it behaved correctly. A rejected call changes nothing at all. */
export function foreignEffectsOf<Caller extends string>(
  tried: Try<Caller>,
  changes: TableChange[],
  exemptions: Exemption<Caller>[],
): string[] {
  const exempt = exemptions.filter(
    ({ calls, callers }) => calls.includes(tried.call) && (callers?.includes(tried.caller) ?? true),
  )
  const may = new Set(exempt.flatMap(({ tables = [] }) => tables))
  const changed = changes.flatMap(({ table, removed, added }) => {
    if (tried.isRefused) return [`it was refused, and ${table} has changed: ${excerpt(added[0] ?? removed[0])}`]
    if (may.has(table) || OF_ANY_ACT.has(table)) return []
    const foreign = [...removed, ...added].filter((row) => !isOwn(row, tried))
    return foreign.slice(0, 2).map((row) => `${table} has changed: ${excerpt(row)}`)
  })
  const [key] = keysOf(tried.foreign)
  const read = wordsRead(tried)
    .filter((word) => !exempt.some(({ reads, repeatsIds }) => reads || (repeatsIds && word === key)))
    .map((word) => `the answer holds ${word}`)
  const name = `${tried.call} by ${tried.caller}, ${tried.target}`
  return [...changed, ...read].map((problem) => `${name}: ${problem}`)
}

/** Their rows contain only the number of a log row, which says itself whom it is about. */
const OF_ANY_ACT = new Set(['audit_unsealed', 'audit_text'])

function isOwn(row: string, { me, own, foreign, target, reach }: Try<string>): boolean {
  const asked = target === 'own' ? own : foreign
  if (reach === 'everywhere') return hasAny(row, [...me, ...keysOf(asked)])
  const mine = hasAny(row, reach === 'their space' ? [...me, ...keysOf(own)] : me)
  if (!mine) return false
  // A row with both their id and somebody else's, such as a link to another's account, is not their own.
  const rest = me.reduce((text, id) => text.replaceAll(id, ''), row)
  return !hasAny(rest, keysOf(reach === 'their space' ? foreign : asked))
}

/**
 * Of a stranger's space whatever was not in the request; of the caller's own space, unless they moderate it, what is private to its
 * moderators.
 */
function wordsRead({ own, foreign, reach, isModerator, request, answer }: Try<string>): string[] {
  if (reach === 'everywhere') return []
  const [key = ''] = keysOf(foreign)
  const words = [key, foreign.word, foreign.text, ...(isModerator ? [] : [secretOf(own)])]
  const [asked, text] = [textOf(request), textOf(answer)]
  return words.filter((word) => text.includes(word) && !asked.includes(word))
}

/** The key of the space, and that of its people. */
function keysOf({ communityId, memberId }: Scene): string[] {
  return [communityId.replace('community-', ''), memberId.replace('member-', '')]
}

function hasAny(text: string, words: string[]): boolean {
  return words.some((word) => text.includes(word))
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
}

function excerpt(row: string | undefined): string {
  return (row ?? '').slice(0, 240)
}
