import { expect, test } from 'vitest'
import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from './parsers.ts'

const SEARCH = {
  query: parseAsString.withDefault(''),
  kind: parseAsStringLiteral(['comment', 'post']),
  tags: parseAsArrayOf(parseAsString).withDefault([]),
  from: parseAsInteger.withDefault(1),
  isMine: createParser({ parse: (word) => (word === 'true' ? true : null), serialize: String }),
}
const load = createLoader(SEARCH)
const toPath = createSerializer(SEARCH)
const NOTHING = { query: '', kind: null, tags: [], from: 1, isMine: null }

test('reads what it wrote, whatever characters it contains', () => {
  const search = {
    query: `a+b & c=d #1 "50%" 100%2C café 安`,
    kind: 'post',
    tags: ['a,b', 'c d'],
    from: 21,
    isMine: true,
  } as const

  expect(load(new URL(toPath('/list', { ...search, tags: [...search.tags] }), 'http://desk.example'))).toEqual(search)
})

test('leaves out defaults and what is absent', () => {
  expect(toPath('/list', NOTHING)).toBe('/list')
  expect(load('')).toEqual(NOTHING)
})

test('ignores what is invalid', () => {
  expect(load('?kind=user&from=first&isMine=yes')).toEqual(NOTHING)
})

test('takes the first of several values of a page', () => {
  expect(load({ kind: ['post', 'comment'], tags: 'a,b', other: undefined })).toEqual({
    ...NOTHING,
    kind: 'post',
    tags: ['a', 'b'],
  })
})

test('keeps colons, slashes and commas readable', () => {
  expect(toPath('/list', { query: 'comment:1/2', tags: ['a', 'b'] })).toBe('/list?query=comment:1/2&tags=a,b')
})
