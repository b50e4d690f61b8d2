import fc from 'fast-check'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import { type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'

const WORDS = [
  ...[
    'idiot',
    'spam',
    'kill',
    'god',
    'ass',
    'free money',
    'call now',
    'scheiße',
    'c++',
    '100%',
    'a b c',
    "don't",
    'covid19',
    '18+',
  ],
  ...[
    'мудак',
    'деньги',
    'ηλίθιος',
    'احمق',
    'טיפש',
    'मूर्ख',
    'คนโง่',
    '바보',
    'バカ',
    '傻瓜',
    'año',
    'i',
    '🔥',
    '!!!',
    'Ǆ',
    'ﬁne',
  ],
]
const DOMAINS = ['spam.example', 'shop.spam.example', 'news.example', 'example.org']
const SIGNALS = ['toxicity', 'spam']
/** The minutes that conditions on rates look back. */
export const MINUTES = [1, 60]
/** The days that conditions on similarity look back. */
export const DAYS = [1, 30]

/** How somebody writes a word so that it isn't found. */
const DISGUISES: ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => [...word].join(' '),
  (word) => [...word].join('.-'),
  (word) => [...word].join('\u200b'),
  (word) =>
    word.replaceAll(
      /[aiosetl]/g,
      (letter) => ({ a: '@', i: '1', o: '0', s: '$', e: '3', t: '7', l: '|' })[letter] ?? letter,
    ),
  (word) => word.replaceAll(/[aeiopcxy]/g, (letter) => 'аеіорсху'['aeiopcxy'.indexOf(letter)] ?? letter),
  (word) => word.replaceAll(/\p{L}/gu, (letter) => `${letter}\u0301`),
  (word) => word.replace(/[aeiou]/, (letter) => letter.repeat(4)),
  (word) => word.replace(/[aeiou]/, (letter) => letter.repeat(2)),
  (word) => word.normalize('NFD'),
  (word) => `${word}!!`,
  (word) => `x${word}`,
  (word) => `${word}_s`,
]
const HOSTILE = [
  '\u202e',
  '\ufeff',
  '\u0301\u0301',
  '𝔦𝔡𝔦𝔬𝔱',
  '\u3164',
  'İ',
  'ẞ',
  '\u1160',
  '👩‍👩‍👧',
  '٤٥٥',
  '½',
  '\u0000'.slice(1),
  '\n\n',
  ' ',
  '@',
  '$$',
  '1',
  '0_0',
]

const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...DISGUISES))
      .map(([word, disguise]) => disguise(word)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'the',
      'ferry',
      'runs',
      'AGAIN',
      'good',
      'as',
      '455',
      'people',
      'Паром',
      'ПАРОМ',
      '渡轮',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.constantFrom(...DOMAINS, 'other.test').map((domain) => ` https://www.${domain}/a?b `) },
)
const written = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', '', ', ', '. ', '-')), { maxLength: 8 })
  .map((pieces) => pieces.flat().join(''))

const share = fc.constantFrom(0, 0.25, 0.5, 0.75, 1)
const few = fc.integer({ min: 1, max: 4 })

/** What rules judge, with words of {@link RANDOM_CONDITION} in all disguises. */
export const RANDOM_ITEM: fc.Arbitrary<Facts> = fc.record({
  texts: fc.oneof(
    written.map((text) => [{ field: 'text' as const, text }]),
    fc.tuple(written, written).map(([title, text]) => [
      { field: 'title' as const, text: title },
      { field: 'text' as const, text },
    ]),
  ),
  mentions: fc.integer({ min: 0, max: 4 }),
  media: fc.subarray(['image', 'video', 'audio', 'file'] as const).map((types) => [...types]),
  author: fc.option(
    fc.record({
      accountAgeDays: fc.integer({ min: 0, max: 10 }),
      contributions: fc.integer({ min: 0, max: 5 }),
      approved: fc.integer({ min: 0, max: 5 }),
      rejected: fc.integer({ min: 0, max: 5 }),
      bans: fc.integer({ min: 0, max: 5 }),
      membership: fc.constantFrom('member', 'notMember', 'moderator'),
    }),
    { nil: undefined },
  ),
  rates: fc.subarray(
    (['author', 'link', 'domain'] as const).flatMap((by) => {
      const scope = by === 'author' ? ('network' as const) : ('community' as const)
      return MINUTES.map((withinMinutes) => ({ by, scope, withinMinutes, count: 3 }))
    }),
  ),
  rejected: fc.subarray(
    DAYS.map((withinDays) => ({ scope: 'community' as const, withinDays, similarities: [0.65, 0.8, 1] })),
  ),
  signals: fc.dictionary(fc.constantFrom(...SIGNALS), share),
})

const bounds = fc.oneof(
  fc.record({ atLeast: share }),
  fc.record({ atMost: share }),
  fc.record({ atLeast: share, atMost: share }),
)
const lengths = fc.oneof(fc.record({ atLeast: fc.nat(40) }), fc.record({ atMost: fc.nat(40) }))

const leaf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('words'),
      words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
      match: fc.constantFrom('word', 'part'),
      spelling: fc.constantFrom('exact', 'similar'),
    }),
  },
  fc.record({
    kind: fc.constant('pattern'),
    pattern: fc.constantFrom('fr[e3]+', String.raw`\d{2,}`, '^the', 'a.b', '(x|y)idiot', String.raw`\p{Lu}{3}`),
    isCaseSensitive: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('links'), atLeast: few }),
  fc.record({ kind: fc.constant('domains'), domains: fc.subarray(DOMAINS, { minLength: 1 }), isListed: fc.boolean() }),
  fc.record({
    kind: fc.constant('script'),
    scripts: fc.subarray(['Latin', 'Cyrillic', 'Han', 'Greek', 'Arabic'], { minLength: 1 }),
    shareAtLeast: share,
  }),
  lengths.map((limits) => ({ kind: 'length', ...limits })),
  fc.record({ kind: fc.constant('capitals'), shareAtLeast: share, letters: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('mentions'), atLeast: few }),
  fc.record({ kind: fc.constant('media'), types: fc.subarray(['image', 'video', 'audio', 'file'], { minLength: 1 }) }),
  fc.record({ kind: fc.constant('accountAge'), underDays: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('contributions'), fewerThan: few }),
  fc.record({ kind: fc.constant('decisions'), outcome: fc.constantFrom('approved', 'rejected'), atLeast: few }),
  fc.record({ kind: fc.constant('bans'), atLeast: few }),
  fc.record({ kind: fc.constant('membership'), is: fc.constantFrom('member', 'notMember', 'moderator') }),
  fc.record({
    kind: fc.constant('rate'),
    by: fc.constantFrom('author', 'link', 'domain'),
    moreThan: few,
    withinMinutes: fc.constantFrom(...MINUTES),
  }),
  fc.record({
    kind: fc.constant('similarity'),
    similarAtLeast: fc.constantFrom(0.6, 0.75, 1),
    withinDays: fc.constantFrom(...DAYS),
    times: few,
  }),
  fc.tuple(fc.constantFrom(...SIGNALS), bounds).map(([name, limits]) => ({ kind: 'signal', name, ...limits })),
)

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 2, withCrossShrink: true }, leaf, tie('group')),
  group: fc.oneof(
    fc.record({
      kind: fc.constantFrom('all', 'any'),
      conditions: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not'), condition: tie('tree') }),
  ),
}))

/** Conditions of every kind that can be judged without statistics, alone and combined. */
export const RANDOM_CONDITION: fc.Arbitrary<Condition> = tree.map((condition) => Conditions.parse(condition))
