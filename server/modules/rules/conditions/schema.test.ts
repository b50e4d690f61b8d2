import { expect, test } from 'vitest'
import { CONDITION_LIMITS, type Condition, Conditions, leavesOf } from '#server/modules/rules/conditions/schema.ts'

const LINKS = { kind: 'links', atLeast: 1 } as const
const problemsOf = (input: unknown) => Conditions.safeParse(input).error?.issues.map(({ message }) => message)
const nested = (depth: number): unknown => (depth === 1 ? LINKS : { kind: 'not', condition: nested(depth - 1) })
const words = (count: number, of = 'words') => Array.from({ length: count }, (_, index) => `${of}${index}.example`)

test('fills in what is not said: whole words, in similar spelling', () => {
  expect(Conditions.parse({ kind: 'words', words: ['spam'] })).toEqual({
    kind: 'words',
    words: ['spam'],
    match: 'word',
    spelling: 'similar',
  })
})

test('conditions nest five deep, however deep the input is', () => {
  expect(problemsOf(nested(CONDITION_LIMITS.depth))).toBeUndefined()
  expect(problemsOf(nested(CONDITION_LIMITS.depth + 1))).toEqual(['must nest at most 5 deep'])
  expect(problemsOf(nested(5_000))).toEqual(['must nest at most 5 deep'])
})

test('a rule has fifty conditions, in all of its combinations', () => {
  const several = (count: number) => ({ kind: 'any', conditions: Array.from({ length: count }, () => LINKS) })
  expect(problemsOf({ kind: 'all', conditions: [several(25), several(25)] })).toBeUndefined()
  expect(problemsOf({ kind: 'all', conditions: [several(25), several(26)] })).toEqual([
    'must have at most 50 conditions',
  ])
})

test('a rule has 5,000 words and domains, in all of its conditions', () => {
  const all = (count: number) => ({
    kind: 'all',
    conditions: [
      { kind: 'words', words: words(count - 1_000) },
      { kind: 'domains', domains: words(1_000) },
    ],
  })
  expect(problemsOf(all(5_000))).toBeUndefined()
  expect(problemsOf(all(5_001))).toEqual(['must have at most 5000 words and domains'])
})

test.each([
  ['a word of spaces', { kind: 'words', words: [' \u200b'] }, 'must contain a visible character'],
  [
    'an address for a domain',
    { kind: 'domains', domains: ['https://spam.example/'] },
    'must be a domain, such as example.com',
  ],
  ['a signal without bounds', { kind: 'signal', name: 'toxicity' }, 'must have atLeast or atMost'],
  ['a length without bounds', { kind: 'length' }, 'must have atLeast or atMost'],
  ['the name of a language', { kind: 'language', languages: ['German'] }, 'must be a language code of two letters'],
])('names what is wrong with %s', (_, condition, problem) => {
  expect(problemsOf(condition)).toEqual([problem])
  expect(problemsOf({ kind: 'any', conditions: [{ kind: 'not', condition }] })).toEqual([problem])
})

test('lists the conditions inside combinations in their order', () => {
  const [first, second, third] = [1, 2, 3].map((atLeast) => ({ kind: 'mentions' as const, atLeast }))
  if (!(first && second && third)) throw new Error('three were made')
  const combined: Condition = {
    kind: 'all',
    conditions: [first, { kind: 'any', conditions: [second, { kind: 'not', condition: third }] }],
  }
  expect(leavesOf(combined)).toEqual([first, second, third])
})
