import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'
import { PERIODS } from '#server/core/periods.ts'
import type { SubjectType } from '#server/modules/review/decisions/schema.ts'
import type { DeskFilter, DeskQueueInput, QueueView } from '#server/modules/review/queue/schema.ts'
import { parseAsDay } from '../filters/parse-as-day.ts'
import { parseAsZone } from '../zones/parse-as-zone.ts'
import { parseAsTrue } from './spaces-search.ts'

const ORDERS = ['newest', 'oldest', 'urgent', 'score'] as const
export type Order = (typeof ORDERS)[number]
/** The orders of a view: only items open to all reviewers are sorted by urgency, and by the score of the signal they are filtered by. */
export function ordersOf({ view, signal }: Pick<QueueSearch, 'view' | 'signal'>): Order[] {
  const isOffered = {
    newest: true,
    oldest: true,
    urgent: view === 'waiting',
    score: view === 'waiting' && signal !== null,
  }
  return ORDERS.filter((order) => isOffered[order])
}
const VIEWS = ['waiting', 'mine', 'escalated', 'reported'] as const satisfies QueueView[]
const KINDS = ['comment', 'post', 'message', 'user'] as const satisfies SubjectType[]

/** The types of items in a view. */
export function kindsOf(view: QueueView): readonly SubjectType[] {
  return view === 'reported' ? KINDS : HELD_KINDS
}
const HELD_KINDS = ['comment', 'post'] as const satisfies SubjectType[]

const parseAsText = (max: number) =>
  createParser({ parse: (text) => (text !== '' && text.length <= max ? text : null), serialize: String })
const parseAsMinutes = createParser({
  parse: (digits) => (/^[1-9]\d{0,6}$/.test(digits) && Number(digits) <= TEN_YEARS_MINUTES ? Number(digits) : null),
  serialize: String,
})
const TEN_YEARS_MINUTES = 5_256_000
const parseAsScore = createParser({
  parse: (score) => SCORES.find((known) => String(known) === score) ?? null,
  serialize: String,
})
/** The bounds of scores that can be filtered by. */
export const SCORES = Array.from({ length: 19 }, (_, index) => (index + 1) / 20)
const parseAsSignal = createParser({
  parse: (name) => (/^[a-z][a-z0-9_.-]{0,49}$/.test(name) ? name : null),
  serialize: String,
})

/** The label of a rule: not blank, at most 40 characters. */
const parseAsLabel = createParser({
  parse: (label) => (label.trim() !== '' && label.length <= 40 ? label : null),
  serialize: String,
})

/** The longest search text, in characters. */
export const WORDS_LENGTH = 200

/** The queue's filters and what is open in it: everything that a shared link restores. */
export const QUEUE_SEARCH = {
  view: parseAsStringLiteral(VIEWS).withDefault('waiting'),
  communityId: parseAsString,
  kind: parseAsStringLiteral(KINDS),
  postId: parseAsString,
  startDate: parseAsDay,
  endDate: parseAsDay,
  timeZone: parseAsZone,
  /** As what the days were chosen: a saved view moves with it, where a link keeps its days. */
  period: parseAsStringLiteral(PERIODS),
  authorId: parseAsString,
  text: parseAsText(WORDS_LENGTH),
  /** True or absent: there is no filter for items without pictures. */
  hasMedia: parseAsTrue,
  isFlagged: parseAsTrue,
  heldForMinutes: parseAsMinutes,
  heldUnderMinutes: parseAsMinutes,
  queueId: parseAsString,
  ruleId: parseAsString,
  label: parseAsLabel,
  signal: parseAsSignal,
  scoreFrom: parseAsScore,
  scoreUnder: parseAsScore,
  order: parseAsStringLiteral(ORDERS).withDefault('newest'),
  /** The saved view these filters come from. */
  savedView: parseAsString,
  item: parseAsString,
}
export type QueueSearch = inferParserType<typeof QUEUE_SEARCH>

export const loadQueueSearch = createLoader(QUEUE_SEARCH)

const serialize = createSerializer(QUEUE_SEARCH)
export const toQueuePath = (search: Partial<QueueSearch>): string => serialize('/queue', search)

/** The address that is meant by one with `sort`, as other lists call their order. */
export function toOrderedPath(params: Record<string, string | string[] | undefined>): string | undefined {
  const { sort, order = sort, ...rest } = params
  return sort === undefined ? undefined : toQueuePath(loadQueueSearch({ ...rest, order }))
}

/** Clears every filter: what is left is the view itself, in all communities. */
export const NO_FILTERS = {
  communityId: null,
  kind: null,
  postId: null,
  startDate: null,
  endDate: null,
  timeZone: null,
  period: null,
  authorId: null,
  text: null,
  hasMedia: null,
  isFlagged: null,
  heldForMinutes: null,
  heldUnderMinutes: null,
  queueId: null,
  ruleId: null,
  label: null,
  signal: null,
  scoreFrom: null,
  scoreUnder: null,
} as const satisfies Record<Exclude<keyof QueueSearch, 'view' | 'order' | 'savedView' | 'item'>, null>

/** The search without the filters and orders that its view doesn't have: reported items can only be narrowed by community and type. */
export function withoutForeignFilters(search: QueueSearch): QueueSearch {
  const { view, communityId, kind } = search
  const order = ordersOf(search).includes(search.order) ? search.order : 'newest'
  const fits = kind !== null && kindsOf(view).includes(kind) ? kind : null
  return view === 'reported'
    ? { ...search, ...NO_FILTERS, communityId, order, kind: fits }
    : { ...search, order, kind: fits }
}

/** `zone` is the zone in force. It is only sent with days, so that another zone doesn't refetch the same rows. */
export function toDeskFilter(search: QueueSearch, zone: string): DeskFilterInput {
  const { view, startDate, endDate, signal, scoreFrom, scoreUnder } = search
  // Bounds of a score are only sent with a signal, and if they include something.
  const hasScores = signal !== null && (scoreFrom ?? 0) < (scoreUnder ?? 1)
  const filters = hasScores ? search : { ...search, scoreFrom: null, scoreUnder: null }
  return {
    ...(view !== 'waiting' && { view }),
    ...Object.fromEntries(SENT.map((name) => [name, filters[name]] as const).filter(([, value]) => value)),
    ...((startDate || endDate) && { timeZone: zone }),
  }
}

const SENT = (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).filter(
  (name) => name !== 'timeZone' && name !== 'period',
)

type DeskFilterInput = Omit<DeskFilter, 'timeZone' | 'view'> & { timeZone?: string; view?: DeskFilter['view'] }

export function toQueueInput(search: QueueSearch, zone: string): QueueInput {
  return { ...toDeskFilter(search, zone), order: search.order }
}
export type QueueInput = DeskFilterInput & Pick<DeskQueueInput, 'order'>

/** Whether anything but the community narrows this search. If not, the exact count is known without a request. */
export function isNarrowed(search: QueueSearch): boolean {
  const { communityId: _, ...narrowing } = toDeskFilter(search, 'UTC')
  return Object.keys(narrowing).length > 0
}
