import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Facts, Text } from '#server/modules/rules/conditions/facts.ts'
import { judge, type Verdict } from '#server/modules/rules/conditions/judge.ts'
import { compilePattern } from '#server/modules/rules/conditions/pattern.ts'
import { readItem } from '#server/modules/rules/conditions/reading.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { indexWords } from '#server/modules/rules/conditions/word-index.ts'
import { RANDOM_CONDITION, RANDOM_ITEM } from '#server/testing/random-rules.ts'
import { isMetBy } from '#server/testing/rules-oracle.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'

const ITEMS = IS_STRESS ? scaled(3_000) : 500

test('200 random rules say of random items what each condition says alone, in plain words', async () => {
  const conditions = fc.sample(RANDOM_CONDITION, { numRuns: 200, seed: 18 })
  const rules = conditions.map((condition, index) => ({ ruleId: `rule ${index}`, version: 1, condition }))
  const compiled = await compileRules(rules)
  const fired = new Map<string, number>()
  fc.assert(
    fc.property(RANDOM_ITEM, (item) => {
      const verdict = judge(compiled, item)
      expect(verdict.failed).toEqual([])
      const expected = rules.filter(({ condition }) => isMetBy(condition, item)).map(({ ruleId }) => ruleId)
      expect(verdict.fired.map(({ ruleId }) => ruleId)).toEqual(expected)
      for (const ruleId of expected) fired.set(ruleId, (fired.get(ruleId) ?? 0) + 1)
    }),
    { numRuns: ITEMS },
  )
  const tellingApart = [...fired.values()].filter((times) => times < ITEMS)
  expect(tellingApart.length).toBeGreaterThan(100)
})

/** A rule of one condition. */
async function judged(condition: unknown, item: Partial<Facts>): Promise<Verdict> {
  const rule = { ruleId: 'rule', version: 7, condition: Conditions.parse(condition) }
  return judge(await compileRules([rule]), { texts: [], mentions: 0, media: [], ...item })
}

const inText = (text: string): Text[] => [{ field: 'text', text }]

test('marks all that was found, by field, except what must not be there', async () => {
  const condition = {
    kind: 'all',
    conditions: [
      {
        kind: 'any',
        conditions: [
          { kind: 'words', words: ['ferry'] },
          { kind: 'pattern', pattern: 'r[ua]n' },
        ],
      },
      { kind: 'not', condition: { kind: 'words', words: ['tram'] } },
      { kind: 'domains', domains: ['spam.example'] },
    ],
  }
  const texts: Text[] = [
    { field: 'title', text: 'The Ferry' },
    { field: 'text', text: 'It RUNS: https://shop.spam.example.' },
  ]
  const { fired } = await judged(condition, { texts })
  expect(fired).toEqual([
    {
      ruleId: 'rule',
      version: 7,
      found: [
        { field: 'title', from: 4, to: 9 },
        { field: 'text', from: 3, to: 6 },
        { field: 'text', from: 9, to: 34 },
      ],
    },
  ])
  expect((await judged(condition, { texts: [...texts, ...inText('tram')] })).fired).toEqual([])
})

test.each([
  ['a link without a scheme', 'see www.spam.net or SPAM.com/x', ['spam.net', 'spam.com']],
  ['a domain after a name for it', 'https://bank.example@spam.example/', ['spam.example']],
  ['a domain with an underscore', 'https://a_b.spam.example, _c.spam.net', ['spam.example', 'spam.net']],
  [
    'a domain of many labels',
    `https://${'a.'.repeat(50)}spam.example and b.${'a.'.repeat(50)}spam.net`,
    ['spam.example', 'spam.net'],
  ],
  ['such a domain after slashes', `//${'a.'.repeat(50)}b_c.spam.example/`, ['spam.example']],
  ['a domain of other letters', 'https://пример.example', ['xn--e1afmkfd.example', 'пример.example']],
  ['a domain with all of its letters', 'https://ПРИМЕР.рф/x', ['xn--e1afmkfd.xn--p1ai', 'пример.рф', 'Пример.РФ']],
])('finds %s', async (_, text, domains) => {
  for (const domain of domains)
    expect((await judged({ kind: 'domains', domains: [domain] }, { texts: inText(text) })).fired).toHaveLength(1)
})

test.each([
  ['shop.xyz/a', 'shop.xyz', true],
  ['spam.top', 'spam.top', true],
  ['README.md', 'readme.md', true],
  ['README.md setup.py thanks.My end.So', 'other.example', false],
])('in "%s", %s is found without a scheme because the rule names it: %s', async (text, domain, isFound) => {
  const fired = async (condition: unknown) => (await judged(condition, { texts: inText(text) })).fired.length > 0
  expect(await fired({ kind: 'domains', domains: [domain] })).toBe(isFound)
  expect(await fired({ kind: 'links' })).toBe(text.startsWith('s'))
  expect(await fired({ kind: 'domains', domains: ['other.example'], isListed: false })).toBe(text.startsWith('s'))
})

test('rejects a domain that mixes directions of writing, as no link leads there', async () => {
  await expect(judged({ kind: 'domains', domains: ['אa1.example'] }, {})).rejects.toThrow('isn’t a domain')
})

test.each([
  ['de', 'Das ist doch wirklich ein großer Unsinn', true],
  ['de', 'This is really great nonsense', false],
  ['ja', 'これは日本語です', true],
  ['en', 'ok', false],
])('asked for %s, says of "%s": %s', async (language, text, isMet) => {
  const { fired } = await judged({ kind: 'language', languages: [language] }, { texts: inText(text) })
  expect(fired).toHaveLength(isMet ? 1 : 0)
})

test.each([
  ['an unclosed bracket', '(a', 'missing closing )'],
  ['a back-reference', String.raw`(a)\1`, 'invalid escape sequence'],
  ['too many repetitions', 'a{1001}', 'invalid repeat count'],
  ['repetitions of repetitions', '(a{90}){9}', 'the pattern is too large'],
  ['nothing at all', 'a*', 'the pattern matches an empty text'],
  ['a place between letters', String.raw`[x ]*y|\B`, 'the pattern matches an empty text'],
  ['the start of a line', '(?m)^|a', 'the pattern matches an empty text'],
])('rejects a pattern with %s', async (_, pattern, message) => {
  await expect(judged({ kind: 'pattern', pattern }, {})).rejects.toThrow(message)
})

test('a pattern marks its first place in each text, and others as far as there is time', () => {
  const find = compilePattern({ kind: 'pattern', pattern: 'x.*y|x', isCaseSensitive: false })
  const texts: Text[] = [{ field: 'title', text: 'ax' }, ...inText('x, x and x')]
  const places = (leftMs: number) => find(texts, { leftMs }).map(({ field, from, to }) => [field, from, to])
  expect(places(Number.POSITIVE_INFINITY)).toEqual([
    ['title', 1, 2],
    ['text', 0, 1],
    ['text', 3, 4],
    ['text', 9, 10],
  ])
  expect(places(0)).toEqual([
    ['title', 1, 2],
    ['text', 0, 1],
  ])
})

test('time for marking that one pattern took is gone for the others', () => {
  const find = compilePattern({ kind: 'pattern', pattern: 'x', isCaseSensitive: false })
  // So long that also the slowest first look leaves time for another.
  const marking = { leftMs: 60_000 }
  find(inText('x'), marking)
  expect(marking.leftMs).toBeLessThan(60_000)
})

test.each([
  ['title', 1_000],
  ['text', 4_000],
] as const)('patterns see the first characters of a %s: %i', async (field, length) => {
  const firedAt = async (place: number) => {
    const { fired } = await judged(
      { kind: 'pattern', pattern: 'x' },
      { texts: [{ field, text: `${'-'.repeat(place)}x` }] },
    )
    return fired.length
  }
  expect([await firedAt(length - 1), await firedAt(length)]).toEqual([1, 0])
})

test('a rule that throws does not fire, says so, and stops no other rule', async () => {
  const condition = Conditions.parse({ kind: 'links' })
  const compiled = await compileRules(['first', 'second', 'third'].map((ruleId) => ({ ruleId, version: 1, condition })))
  const error = new Error('of the test')
  const fail = () => {
    throw error
  }
  const rules = compiled.rules.map((rule) => (rule.ruleId === 'second' ? { ...rule, test: fail } : rule))
  const { fired, failed } = judge(
    { ...compiled, rules },
    { texts: inText('https://a.example'), mentions: 0, media: [] },
  )
  expect(fired.map(({ ruleId }) => ruleId)).toEqual(['first', 'third'])
  expect(failed).toEqual([{ ruleId: 'second', version: 1, reason: 'error', error }])
})

/** Like a process that gets no turn. */
const wait = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

function calculate(milliseconds: number): void {
  const before = process.threadCpuUsage()
  while (process.threadCpuUsage(before).user < milliseconds * 1_000);
}

test('a rule is slow if it takes the processor long, not if the process has to wait', async () => {
  const condition = Conditions.parse({ kind: 'links' })
  const compiled = await compileRules(['waits', 'slow'].map((ruleId) => ({ ruleId, version: 1, condition })))
  const rules = compiled.rules.map((rule) => ({
    ...rule,
    test: () => {
      if (rule.ruleId === 'slow') calculate(60)
      else wait(60)
      return []
    },
  }))
  const { fired, failed } = judge({ ...compiled, rules }, { texts: inText('text'), mentions: 0, media: [] })
  expect(fired.map(({ ruleId }) => ruleId)).toEqual(['waits', 'slow'])
  expect(failed).toEqual([{ ruleId: 'slow', version: 1, reason: 'slow' }])
})

test('asks only for the facts that its conditions judge, each once', async () => {
  const rate = { kind: 'rate', by: 'link', moreThan: 2, withinMinutes: 5 }
  const needed = async (...conditions: unknown[]) => {
    const rules = conditions.map((condition, index) => {
      return { ruleId: `rule ${index}`, version: 1, condition: Conditions.parse(condition) }
    })
    return (await compileRules(rules)).needed
  }
  const nothing = { author: [], rejected: [], rates: [], signals: [] }
  expect(await needed({ kind: 'links' })).toEqual(nothing)
  expect(await needed({ kind: 'not', condition: { kind: 'bans' } })).toEqual({ ...nothing, author: ['bans'] })
  const similar = { kind: 'similarity', withinDays: 7 }
  expect(await needed(rate, { ...rate, moreThan: 9 }, similar, { ...similar, similarAtLeast: 0.65 })).toEqual({
    ...nothing,
    rejected: [{ scope: 'community', withinDays: 7, similarAtLeast: 0.65 }],
    rates: [{ by: 'link', scope: 'community', withinMinutes: 5, upTo: 9 }],
  })
  expect(
    await needed({ kind: 'signal', name: 'spam', atLeast: 1 }, { kind: 'signal', name: 'spam', atMost: 0 }),
  ).toEqual({
    ...nothing,
    signals: ['spam'],
  })
})

test('reads the first 20,000 characters of a text, and none in half', async () => {
  const text = `${'x'.repeat(19_990)} spam ${'x'.repeat(9_990)} tram`
  expect((await judged({ kind: 'words', words: ['spam'] }, { texts: inText(text) })).fired).toHaveLength(1)
  expect((await judged({ kind: 'words', words: ['tram'] }, { texts: inText(text) })).fired).toHaveLength(0)
  const cut = `${'x'.repeat(19_999)}😀`
  expect(readItem({ texts: inText(cut), mentions: 0, media: [] }, await indexWords([])).fullText).toBe(
    'x'.repeat(19_999),
  )
})

test('words within words, at every character of a long text, end early', async () => {
  const words = Array.from({ length: 100 }, (_, index) => 'ab'.repeat(50).slice(0, index + 1))
  const hostile = 'ab'.repeat(5_000)
  const condition = { kind: 'words', words, match: 'part' }
  expect((await judged(condition, { texts: inText(hostile) })).fired[0]?.found).toHaveLength(20)
  const both = { kind: 'words', words: [...words, 'ferry'], match: 'part' }
  const { fired } = await judged(
    { kind: 'all', conditions: [both, { kind: 'words', words: ['ferry'] }] },
    { texts: inText(`${hostile} ferry`) },
  )
  expect(fired).toEqual([])
})

test('the length of a text that is longer than what is judged is its own', async () => {
  const texts = inText('a'.repeat(15_000))
  expect((await judged({ kind: 'length', atLeast: 15_000, atMost: 15_000 }, { texts })).fired).toHaveLength(1)
  expect((await judged({ kind: 'length', atMost: 14_999 }, { texts })).fired).toEqual([])
})
