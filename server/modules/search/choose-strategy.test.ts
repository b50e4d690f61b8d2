import { expect, test } from 'vitest'
import { sql } from '#server/core/db.ts'
import { chooseStrategy, type Facts, type Strategy } from '#server/modules/search/choose-strategy.ts'
import type { Filter, Slice } from '#server/modules/search/search.ts'

const SEARCH = { levels: [...'abcdefghijklmnopqrstu'], byRelevance: false, isExact: false }
const SLICE = { skip: 0, from: undefined, isDescending: true }
const FILTER: Filter = { kind: 'user', values: ['a-user'], condition: sql.empty, index: 'inOrder' }
const MANY: Facts = { hasManyHits: true }

const after = (rank: number): Slice['from'] => ({
  rank,
  key: ['2026-01-01T00:00:00.000Z', 'a-tie'],
  isInclusive: false,
})

interface Case {
  when: string
  search?: Partial<typeof SEARCH>
  slice?: Partial<Pick<Slice, 'skip' | 'from' | 'isDescending'>>
  facts: Facts
  strategy: Strategy
}

const cases: Case[] = [
  { when: 'few rows have the words', facts: { areWordsRare: true }, strategy: { name: 'one-scan' } },
  {
    when: 'few rows pass a filter',
    facts: { selectiveFilter: FILTER },
    strategy: { name: 'filtered-rows', filter: FILTER },
  },
  {
    when: 'the tokens have one level',
    search: { levels: [''] },
    facts: { sample: undefined },
    strategy: { name: 'one-scan' },
  },
  { when: 'the sample has no hits', facts: { sample: { hits: 0, level: null } }, strategy: { name: 'one-scan' } },
  { when: 'the sample has 60 hits', facts: { sample: { hits: 60, level: null } }, strategy: { name: 'one-scan' } },
  { when: 'the sample has 61 hits', facts: { sample: { hits: 61, level: null } }, strategy: { name: 'two-scans' } },
  { when: 'the sample has 359 hits', facts: { sample: { hits: 359, level: null } }, strategy: { name: 'two-scans' } },
  {
    when: 'the sample has 360 hits on its first level',
    facts: { sample: { hits: 360, level: 'a' } },
    strategy: { name: 'count-first', upToLevel: 5 },
  },
  {
    when: 'the 360th hit of the sample is on its last level',
    facts: { sample: { hits: 360, level: 'p' } },
    strategy: { name: 'count-first', upToLevel: 20 },
  },
  {
    when: 'the count finds fewer hits than the sample predicted',
    facts: { hasManyHits: false },
    strategy: { name: 'two-scans' },
  },
  { when: 'many hits are sorted by time', facts: MANY, strategy: { name: 'walk-by-time', parts: ['any'] } },
  {
    when: 'many exact matches are sorted by relevance',
    search: { byRelevance: true, isExact: true },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['any'] },
  },
  {
    when: 'many hits are sorted by relevance',
    search: { byRelevance: true },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['exact', 'other'] },
  },
  {
    when: 'many hits are sorted by relevance, in reverse',
    search: { byRelevance: true },
    slice: { isDescending: false },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['other', 'exact'] },
  },
  {
    when: 'a page of many hits starts after an exact match',
    search: { byRelevance: true },
    slice: { from: after(1) },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['exact', 'other'] },
  },
  {
    when: 'a page of many hits starts among those after the exact matches',
    search: { byRelevance: true },
    slice: { from: after(0) },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['other'] },
  },
  {
    when: 'a page of many hits, in reverse, starts among the exact matches',
    search: { byRelevance: true },
    slice: { from: after(1), isDescending: false },
    facts: MANY,
    strategy: { name: 'walk-by-time', parts: ['exact'] },
  },
  {
    when: 'a page of many hits skips rows',
    search: { byRelevance: true },
    slice: { skip: 20 },
    facts: MANY,
    strategy: { name: 'sort-all' },
  },
]

test.each(cases)('chooses $strategy.name when $when', ({ search, slice, facts, strategy }) => {
  expect(chooseStrategy({ ...SEARCH, ...search }, { ...SLICE, ...slice }, facts)).toEqual(strategy)
})
