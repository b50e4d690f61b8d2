import { LARGEST_POST } from '../../data/network.ts'

/** A query of endpoint 1, with its options as sent. */
export type Filter = { postId?: string; authorId?: string; startDate?: string; endDate?: string; timeZone?: string }

const DAYS = { recent: '2026-06-30', middle: '2025-01-15', old: '2023-07-03' }
const MONTHS = {
  recent: { startDate: '2026-06-01', endDate: '2026-06-30' },
  middle: { startDate: '2025-01-01', endDate: '2025-01-31' },
  old: { startDate: '2023-07-01', endDate: '2023-07-31' },
}
const YEARS = {
  recent: { startDate: '2025-07-01', endDate: '2026-06-30' },
  middle: { startDate: '2024-07-01', endDate: '2025-06-30' },
  old: { startDate: '2023-07-01', endDate: '2024-06-30' },
}
/** Nothing was held yet, and only the items pending longest were written by then. */
const BEFORE = '2023-01-31'

/** Every filter the API documents, alone and combined, over the recent, the middle and the old end. */
export const FILTER_SETS: Record<string, Filter> = {
  'a post (1 % of all)': { postId: LARGEST_POST },
  'a small post': { postId: 'post-0-5' },
  ...over('from a day on', DAYS, (day) => ({ startDate: day })),
  ...over('up to a day', { ...DAYS, before: BEFORE }, (day) => ({ endDate: day })),
  ...over('one day', { ...DAYS, before: BEFORE }, (day) => ({ startDate: day, endDate: day })),
  ...over('one month', MONTHS, (month) => month),
  ...over('one year', YEARS, (year) => year),
  'three years': { startDate: '2023-07-01', endDate: '2026-06-30' },
  'a day of 23 hours (Berlin)': { startDate: '2025-03-30', endDate: '2025-03-30', timeZone: 'Europe/Berlin' },
  'a day of 25 hours (New York)': { startDate: '2024-11-03', endDate: '2024-11-03', timeZone: 'America/New_York' },
  'a day without midnight (Santiago)': { startDate: '2024-09-08', endDate: '2024-09-08', timeZone: 'America/Santiago' },
  ...over('a post, from a day on', DAYS, (day) => ({ postId: LARGEST_POST, startDate: day })),
  ...over('a post, up to a day', DAYS, (day) => ({ postId: LARGEST_POST, endDate: day })),
  ...over('a post on one day', DAYS, (day) => ({ postId: LARGEST_POST, startDate: day, endDate: day })),
  ...over('a post in one year', YEARS, (year) => ({ postId: LARGEST_POST, ...year })),
  'nothing: a day to come': { startDate: '2027-01-01', endDate: '2027-01-01' },
  'nothing: before the first': { endDate: '2021-12-31' },
  'nothing: no such post': { postId: 'post-of-nobody' },
  'nothing: a post, before the first': { postId: LARGEST_POST, endDate: '2021-12-31' },
}

/** Most urgent first, at the desk: without a filter, and with those that have indexes of their own in this order. */
export const URGENT_SETS: Record<string, Filter> = {
  'most urgent first': {},
  ...Object.fromEntries(
    Object.entries(FILTER_SETS)
      .filter(([name]) => /^(?:a post|one day|one month|one year|nothing)/.test(name))
      .map(([name, filter]) => [`most urgent first, ${name}`, filter]),
  ),
}

function over<Span>(
  name: string,
  spans: Record<string, Span>,
  filterOf: (span: Span) => Filter,
): Record<string, Filter> {
  return Object.fromEntries(Object.entries(spans).map(([end, span]) => [`${name}, ${end}`, filterOf(span)]))
}
