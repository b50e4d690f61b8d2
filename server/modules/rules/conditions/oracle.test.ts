import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import { type RandomNumbers, randomNumbers } from '#server/testing/random.ts'
import { REAL_FILES } from '#server/testing/real-file.ts'
import { isMetBy } from '#server/testing/rules-oracle.ts'
import { IS_STRESS, sampled } from '#server/testing/scaled.ts'
import { talkFile } from '#server/testing/talk-pages.ts'
import { TRICKY_DOMAINS, TRICKY_WORDS, trickyLink, trickyText } from '#server/testing/tricky-texts.ts'

const COMMENTS = 5_000
/** In the daily suite each comment is judged by one set of so many rules; in stress by all rules. */
const RULES_OF_A_SET = 6
const MEDIA = ['image', 'video', 'audio', 'file'] as const
const MEMBERSHIPS = ['member', 'notMember', 'moderator'] as const
const SCRIPTS = [
  'Arabic',
  'Cyrillic',
  'Devanagari',
  'Greek',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Katakana',
  'Latin',
  'Thai',
]
const PATTERNS = [
  ...[
    'fr[e3]+',
    String.raw`\d{2,}`,
    '^the',
    'a.b',
    'i$',
    '(x|y)idiot',
    String.raw`\p{Lu}{3}`,
    String.raw`\bgod\b`,
    '[^ ]{12}',
  ],
  'the end',
]

test(`${COMMENTS} tricky comments are judged as a plain reading of each rule judges them`, async () => {
  const random = randomNumbers()
  const comments = Array.from({ length: COMMENTS }, () => factsOf(random, trickyTexts(random)))
  expect(await disagreements(random, comments)).toEqual([])
})

test.skipIf(!REAL_FILES)(
  `${COMMENTS} real comments are judged as a plain reading of each rule judges them`,
  async () => {
    const random = randomNumbers()
    const texts = sampled(await realTexts(), COMMENTS)
    const comments = texts.map((text) => factsOf(random, [{ field: 'text', text }]))
    expect(await disagreements(random, comments)).toEqual([])
  },
)

/** What only one of the two finds, and what failed. Most rules must be met by some comment, or the comparison would say little. */
async function disagreements(random: RandomNumbers, comments: Facts[]): Promise<unknown[]> {
  const rules = randomConditions(random).map((condition, index) => toRule(condition, `${index}`))
  const starts = Array.from({ length: Math.ceil(rules.length / RULES_OF_A_SET) }, (_, set) => set * RULES_OF_A_SET)
  const sets = IS_STRESS ? [rules] : starts.map((start) => rules.slice(start, start + RULES_OF_A_SET))
  const compiled = await Promise.all(sets.map(compileRules))

  const met = new Set<string>()
  const differing = comments.flatMap((facts, index) => {
    const [asked, judging] = [sets[index % sets.length], compiled[index % sets.length]]
    if (asked === undefined || judging === undefined) throw new Error('there are no rules')
    const { fired, failed } = judge(judging, facts)
    const found = new Set(fired.map(({ ruleId }) => ruleId))
    const read = new Set(asked.filter(({ condition }) => isMetBy(condition, facts)).map(({ ruleId }) => ruleId))
    for (const ruleId of read) met.add(ruleId)
    const rulesOf = (ids: Set<string>) =>
      asked.filter(({ ruleId }) => ids.has(ruleId)).map(({ condition }) => condition)
    const [onlyJudged, onlyRead] = [rulesOf(found.difference(read)), rulesOf(read.difference(found))]
    const errors = failed.filter(({ reason }) => reason === 'error')
    return onlyJudged.length + onlyRead.length + errors.length > 0 ? [{ onlyJudged, onlyRead, errors, facts }] : []
  })
  expect(met.size).toBeGreaterThan(rules.length / 2)
  return differing.slice(0, 5)
}

const toRule = (condition: Condition, ruleId: string) => ({ ruleId, version: 1, condition, communityId: 'community' })

/** Some 200, of every kind but languages, which are a matter of statistics, with every option. */
function randomConditions(random: RandomNumbers): Condition[] {
  const some = <Item>(items: readonly Item[], count: number) => Array.from({ length: count }, () => random.oneOf(items))
  const few = () => 1 + random.below(3)
  const share = () => random.oneOf([0, 0.25, 0.5, 1])
  const each = <Item>(items: readonly Item[], toLeaf: (item: Item) => object) => items.map(toLeaf)

  const leaves: object[] = [
    ...(['word', 'part'] as const).flatMap((match) =>
      (['exact', 'similar'] as const).flatMap((spelling) =>
        Array.from({ length: 24 }, () => ({ kind: 'words', words: some(TRICKY_WORDS, 4), match, spelling })),
      ),
    ),
    ...TRICKY_DOMAINS.flatMap((domain) => [
      { kind: 'domains', domains: [domain], isListed: true },
      { kind: 'domains', domains: [domain, random.oneOf(TRICKY_DOMAINS)], isListed: false },
    ]),
    ...each(PATTERNS, (pattern) => ({ kind: 'pattern', pattern, isCaseSensitive: random.below(2) === 0 })),
    ...each(SCRIPTS, (script) => ({ kind: 'script', scripts: [script, random.oneOf(SCRIPTS)], shareAtLeast: share() })),
    ...each([1, 2, 3], (atLeast) => ({ kind: 'links', atLeast })),
    ...each([0, 5, 20, 60], (length) => ({ kind: 'length', [random.oneOf(['atLeast', 'atMost'])]: length })),
    ...each([1, 3, 10], (letters) => ({ kind: 'capitals', shareAtLeast: share(), letters })),
    ...each([1, 2], (atLeast) => ({ kind: 'mentions', atLeast })),
    ...each(MEDIA, (type) => ({ kind: 'media', types: [type] })),
    ...each([1, 5], (underDays) => ({ kind: 'accountAge', underDays })),
    ...each([1, 3], (fewerThan) => ({ kind: 'contributions', fewerThan })),
    ...each(['approved', 'rejected'], (outcome) => ({ kind: 'decisions', outcome, atLeast: few() })),
    ...each([1, 2], (atLeast) => ({ kind: 'bans', atLeast })),
    ...each(MEMBERSHIPS, (is) => ({ kind: 'membership', is })),
    ...each(['author', 'link', 'domain'], (by) => ({ kind: 'rate', by, moreThan: few(), withinMinutes: 10 })),
    ...each([0.6, 0.8, 1], (similarAtLeast) => ({ kind: 'similarity', similarAtLeast, withinDays: 30, times: few() })),
    ...each([0.25, 0.5, 1], (score) => ({
      kind: 'signal',
      name: 'spam',
      [random.oneOf(['atLeast', 'atMost'])]: score,
    })),
  ]
  const groups = Array.from({ length: 30 }, () => [
    { kind: 'not', condition: random.oneOf(leaves) },
    {
      kind: random.oneOf(['all', 'any']),
      conditions: [...some(leaves, 2), { kind: 'not', condition: random.oneOf(leaves) }],
    },
  ]).flat()
  return [...leaves, ...groups].map((condition) => Conditions.parse(condition))
}

function trickyTexts(random: RandomNumbers): Facts['texts'] {
  const kind = random.below(100)
  const text = kind < 20 ? trickyLink(random) : trickyText(random, 6)
  if (kind < 70) return [{ field: 'text', text }]
  // A pattern sees the beginning of what is long.
  const length = random.below(10) > 0 ? 0 : random.oneOf([990, 3_990])
  const long = `${'x '.repeat(length / 2)}${random.oneOf(['', 'xx '])}the end ${text}`
  return [
    { field: 'title', text: length < 1_000 ? long : trickyText(random, 2) },
    { field: 'text', text: length < 1_000 ? text : long },
  ]
}

function factsOf(random: RandomNumbers, texts: Facts['texts']): Facts {
  const few = () => random.below(4)
  return {
    texts,
    mentions: few(),
    media: MEDIA.filter(() => random.below(4) === 0),
    ...(random.below(4) > 0 && {
      author: {
        accountAgeDays: random.below(8),
        contributions: few(),
        approved: few(),
        rejected: few(),
        bans: few(),
        membership: random.oneOf(MEMBERSHIPS),
      },
      rates: [
        { by: 'author', scope: 'network', withinMinutes: 10, count: few() + 1 },
        { by: 'link', scope: 'community', withinMinutes: 10, count: few() + 1 },
      ],
      rejected: [{ scope: 'community', withinDays: 30, similarities: [0.65, 0.8, 1].slice(few()) }],
      signals: { spam: random.oneOf([0, 0.25, 0.5, 1]) },
    }),
  }
}

async function realTexts(): Promise<string[]> {
  const file = createReadStream(talkFile(REAL_FILES ?? '')).pipe(createGunzip())
  const texts: string[] = []
  for await (const line of createInterface({ input: file }))
    if (line.startsWith('{"type":"comment"')) texts.push(JSON.parse(line).data.text)
  return texts
}
