import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { POLICY_CATEGORIES, POLICY_LANGUAGES, PolicyFields } from '#server/modules/network/policies/schema.ts'
import { STARTERS } from '#server/modules/network/policies/starters.ts'

const GIVEN = {
  texts: { en: { title: 'Spam', text: 'No spam.' } },
  ground: 'terms',
  weight: 1,
  category: 'OTHER_VIOLATION_TC',
}
const isAccepted = (over: object) => PolicyFields.safeParse({ ...GIVEN, ...over }).success

test.each([
  ['one language', { texts: { ar: { title: 'أ', text: 'ب' } } }],
  ['the law with its reference', { ground: 'law', legalReference: 'Section 185' }],
  ['no strikes', { weight: 0 }],
  ['ten strikes', { weight: 10 }],
  ['an address', { url: 'https://rules.example/#spam' }],
  ['the longest title and text', { texts: { de: { title: 'ä'.repeat(200), text: 'ö'.repeat(2_000) } } }],
])('accepts %s', (_, over) => {
  expect(isAccepted(over)).toBe(true)
})

test.each([
  ['no language', { texts: {} }],
  ['another language than those of the desk', { texts: { tlh: { title: 'x', text: 'y' } } }],
  ['a title without a text', { texts: { en: { title: 'Spam', text: '' } } }],
  ['a blank title', { texts: { en: { title: ' \u200B', text: 'No spam.' } } }],
  ['a title that is too long', { texts: { en: { title: 'x'.repeat(201), text: 'y' } } }],
  ['a text that is too long', { texts: { en: { title: 'x', text: 'y'.repeat(2_001) } } }],
  ['the law without a reference', { ground: 'law' }],
  ['a script as its address', { url: 'javascript:alert(1)' }],
  ['an address with a lone surrogate', { url: 'https://rules.example/\uD800' }],
  ['an address with U+0000', { url: 'https://rules.example/\0' }],
  ['a part of a strike', { weight: 0.5 }],
  ['eleven strikes', { weight: 11 }],
  ['a category of its own', { category: 'RUDE' }],
  ['too many reasons for reports', { reportReasons: Array.from({ length: 21 }, (_, index) => `Reason ${index}`) }],
])('rejects %s', (_, over) => {
  expect(isAccepted(over)).toBe(false)
})

test('policies can be written in each language of the desk', () => {
  expect([...POLICY_LANGUAGES].sort()).toEqual(Object.keys(LANGUAGES).sort())
})

test('there are the sixteen categories of the Commission, each once', () => {
  expect(new Set(POLICY_CATEGORIES).size).toBe(16)
})

test('the starter set is twelve valid policies in each language, with known reasons for reports, each for one policy', () => {
  expect(STARTERS).toHaveLength(12)
  expect(new Set(STARTERS.map(({ starter }) => starter)).size).toBe(12)
  const documented = readFileSync('docs/interface/reports-and-flags.md', 'utf8')
  const reasons = STARTERS.flatMap(({ fields }) => fields.reportReasons)
  expect(new Set(reasons).size).toBe(reasons.length)
  expect(reasons.filter((reason) => !documented.includes(reason))).toEqual([])
  for (const { fields } of STARTERS) {
    expect(PolicyFields.parse(fields)).toEqual(fields)
    for (const language of POLICY_LANGUAGES) {
      const { title = '', text = '' } = fields.texts[language] ?? {}
      expect(text).toMatch(language === 'ar' ? /\p{Script=Arabic}/u : /[a-z]/)
      expect(title).not.toBe('')
    }
  }
})
