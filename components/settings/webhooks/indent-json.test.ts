import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('indents JSON and keeps each value as it was written', () => {
  const text =
    '{"event": "v3.x", "data": {"big":12345678901234567890,"of":1.0,"none":{},"list":[ ],"texts":["a, {b}: \\"c\\"",null]}}'
  const indented = indentJson(text)
  expect(indented).toBe(`{
  "event": "v3.x",
  "data": {
    "big": 12345678901234567890,
    "of": 1.0,
    "none": {},
    "list": [],
    "texts": [
      "a, {b}: \\"c\\"",
      null
    ]
  }
}`)
  expect(JSON.parse(indented)).toEqual(JSON.parse(text))
})

test('keeps text that is no JSON', () => {
  for (const text of ['', 'Not found', '<p>{"a":1}</p>', '{"a":']) expect(indentJson(text)).toBe(text)
})
