import { expect, test } from 'vitest'
import { assertBoundedJson } from '#server/core/bounded-json.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const list = (entries: number) => `[${Array.from({ length: entries }, () => 1).join(',')}]`

test.each([
  ['an object', '{"a":{"b":[1,2,{"c":null}]}}'],
  ['what has as many levels as may be', nested(64)],
  ['what has as many entries as may be', list(10_001)],
  ['brackets and commas in strings', JSON.stringify({ a: '[{,'.repeat(50_000) })],
  ['quotes and backslashes in strings', JSON.stringify({ a: '\\"[\\\\"{,'.repeat(20_000) })],
  ['an empty text', ''],
  ['an unclosed string', '"[[[[[[['],
])('accepts %s', (_, text) => {
  expect(() => assertBoundedJson(text)).not.toThrow()
})

test.each([
  ['one level more', nested(65)],
  ['10,000 levels', nested(10_000)],
  ['10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['levels that are never closed', '['.repeat(100_000)],
  ['one entry more', list(10_002)],
  ['levels after a string with an escaped quote', `["\\"]",${nested(70)}]`],
])('rejects %s', (_, text) => {
  expect(() => assertBoundedJson(text)).toThrow('Bad Request.')
})
