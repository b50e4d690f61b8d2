import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { boundedString, optionalName, text, visibleText, webAddress } from '#server/core/text.ts'

/** One character, two UTF-16 units. */
const ASTRAL = '𝒳'

describe('lengths count UTF-16 units', () => {
  const limited = text({ min: 4, max: 6 })
  const accepts = (value: string) => limited.safeParse(value).success

  test.each(['xxxx', 'xxxxxx', ASTRAL.repeat(2), ASTRAL.repeat(3), `xx${ASTRAL.repeat(2)}`])('accepts %s', (value) => {
    expect(accepts(value)).toBe(true)
  })

  test.each([
    'xxx',
    'xxxxxxx',
    ASTRAL,
    `x${ASTRAL}`,
    ASTRAL.repeat(4),
    `x${ASTRAL.repeat(3)}`,
  ])('rejects %s', (value) => {
    expect(accepts(value)).toBe(false)
  })

  test('words its errors as zod words those of its own limits', () => {
    const issuesOf = (value: string) => boundedString({ min: 2, max: 3 }).safeParse(value).error?.issues
    expect(issuesOf(ASTRAL.repeat(2))).toMatchObject([
      { code: 'too_big', maximum: 3, message: 'Too big: expected string to have <=3 characters' },
    ])
    expect(issuesOf('x')).toMatchObject([
      { code: 'too_small', minimum: 2, message: 'Too small: expected string to have >=2 characters' },
    ])
  })

  test('JSON Schema states the limits', () => {
    expect(z.toJSONSchema(limited)).toMatchObject({ type: 'string', minLength: 4, maxLength: 6 })
  })
})

describe('what nobody could read', () => {
  const shapeless = [
    ' ',
    '\u00a0\t',
    '\u200b',
    '\u2060\ufeff',
    '\u3164',
    '\u2800',
    '\u00ad',
    '\u{e0020}',
    '\u202e\u2066',
    '\u115f\uffa0',
  ]
  const readable = ['a', ' a ', '\u200bé', '.', '👍', 'ـ', '\u0301', '가']

  test.each(shapeless)('is refused where a text is required, and is no name where none is required: %j', (value) => {
    expect(visibleText({ max: 10 }).safeParse(value).error?.issues).toMatchObject([{ message: 'must not be blank' }])
    expect(optionalName({ max: 10 }).parse(value)).toBe('')
  })

  test.each(readable)('is not %j', (value) => {
    expect(visibleText({ max: 10 }).parse(value)).toBe(value)
    expect(optionalName({ max: 10 }).parse(value)).toBe(value)
  })
})

test.each([
  'https://example.com/\0',
  'https://example.com/a b',
  'https://example.com/\ud800',
  'ftp://example.com',
])('%j is no address on the web that can be stored', (address) => {
  expect(webAddress({ max: 100 }).safeParse('https://example.com/a').success).toBe(true)
  expect(webAddress({ max: 100 }).safeParse(address).success).toBe(false)
})
