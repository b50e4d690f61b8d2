import { expect, test } from 'vitest'
import { MAX_QUERY_PAIRS, parseQueryString, UNDECODABLE } from '#server/rest/query-string.ts'

const plain = (query: string) => JSON.parse(JSON.stringify(parseQueryString(query)))

test.each([
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=1&a[7]=2', { a: ['1', '2'] }],
  ['a%5B%5D=1', { a: ['1'] }],
  ['a=1&a[]=2', { a: ['1', '2'] }],
  ['o[limit]=10&o[token]=t', { o: { limit: '10', token: 't' } }],
  ['o[a]=1&o[a]=2&o[a]=3', { o: { a: ['1', '2', '3'] } }],
  ['o[a][]=1&o[a][]=2', { o: { a: ['1', '2'] } }],
  ['o[a]=1&o=2', { o: [{ a: '1' }, '2'] }],
  ['a=1&a[b]=2', { a: { b: '2' } }],
  ['a&b=&=c', { a: '', b: '', '': 'c' }],
  ['&&a=1&&', { a: '1' }],
  ['a[=1', { 'a[': '1' }],
  ['a[b][c][d][e][f]=1', { 'a[b][c][d][e][f]': '1' }],
  ['a=x+y%2B', { a: 'x y+' }],
])('reads %s', (query, parsed) => {
  expect(plain(query)).toEqual(parsed)
})

test('reports what cannot be decoded, and reaches no prototype', () => {
  expect(UNDECODABLE in parseQueryString('a=%ff')).toBe(true)
  expect(UNDECODABLE in parseQueryString('%=1')).toBe(true)
  parseQueryString('__proto__[polluted]=1&a[__proto__][polluted]=1&constructor[prototype][polluted]=1')
  expect('polluted' in {}).toBe(false)
})

test('more pairs than any endpoint accepts are not decoded; one fewer are', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, index) => `a[]=${index}`).join('&')
  expect(parseQueryString(pairs(MAX_QUERY_PAIRS)).a).toHaveLength(MAX_QUERY_PAIRS)
  expect(parseQueryString(pairs(MAX_QUERY_PAIRS + 1))).toEqual({ [UNDECODABLE]: true })
})
