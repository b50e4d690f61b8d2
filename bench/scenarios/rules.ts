import { stringify } from 'node:querystring'
import type { BacktestBatch } from '#server/modules/review/backtests/schema.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { benchDatabase, withCopy } from '../data/bench-database.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { LARGEST_COMMUNITY, LARGEST_POST, REVIEWER } from '../data/network.ts'
import { oneOf, type Random, seededRandom } from '../data/random.ts'
import { type Compared, compare, type Measured, measure, medianOf, ratioOf } from '../measure/load.ts'
import { HERE, type Place, withPlace } from '../programs/place.ts'
import { deskPage, writing } from '../programs/targets.ts'
import { atMost, type Limit, type Named, type Options, type Report, timeTable } from '../report.ts'

const RULES = 200
const WORDS_A_RULE = 25
const ADDED_MS = 2
/** Tested in one pass, in batches as the desk asks for several rules. */
const TESTED = 20
const BATCHES = { limit: 1_000, samples: 0 }
const MILLION_TESTED_S = 120
const PAGE_ROUNDS = 5
/** How many times as long a page of the queue may take during a test. */
const SLOWER = 1.2

/** What live rules add to a comment, how long a backtest takes, and what it does to pages of the queue. */
export async function benchRules(options: Options): Promise<Report> {
  const { serverUrl, held, seconds, say } = options
  const original = await benchDatabase(serverUrl, held, say)
  return withCopy(original, (plainUrl) =>
    withCopy(original, async (ruledUrl) => {
      const ruleIds = await makeRules(ruledUrl)
      return withPlace(HERE, plainUrl, (plain) =>
        withPlace(HERE, ruledUrl, async (ruled) => {
          const writes: Named[] = []
          for (const [name, textOf] of Object.entries(TEXTS)) {
            say(name)
            const [one, other] = [commenting(ruled, textOf), commenting(plain, textOf)]
            for (const target of [one, other]) await measure(target, { connections: 1, seconds: 2 * seconds })
            writes.push({ name, compared: await compare(one, other, { connections: 1, seconds: 4 * seconds }) })
          }
          const tested = ruleIds.slice(-TESTED)
          say(`A backtest of ${TESTED} rules`)
          const alone = await backtest(ruled, tested)
          say('Pages of the queue, in turns without and during a backtest')
          return reportOf(held, { writes, alone, pages: await measurePages(ruled, tested, seconds) })
        }),
      )
    }),
  )
}

const SYLLABLES = 'ba ke li mo nu ra se ti vo zu an el in or us pla gre sti cho dru'.split(' ')

/** A word that rules look for if `isWatched`, or any other. */
function wordOf(random: Random, isWatched: boolean): string {
  const syllables = Array.from({ length: 2 + Math.floor(random() * 3) }, () => oneOf(SYLLABLES, random))
  return `${isWatched ? 'x' : ''}${syllables.join('')}`
}

/** A text as people write them; one in twenty has a word that rules look for. */
function textOf(random: Random): string {
  const words = Array.from({ length: 5 + Math.floor(random() * 40) }, () => wordOf(random, false))
  if (random() < 0.05) words.push(wordOf(random, true))
  return words.join(' ')
}

/** With one of many links, few of which are frequent. */
function linkingTextOf(random: Random): string {
  return `${textOf(random)} https://shop-${Math.floor(random() ** 3 * 1_000)}.example/${Math.floor(random() * 20)}`
}

const TEXTS = { 'a comment': textOf, 'a comment with a link': linkingTextOf }

/** By people whose comments wait for review. */
function commenting(place: Place, textOf: (random: Random) => string) {
  const random = seededRandom(Date.now())
  return writing(place, place.tokens, () => [
    '/api/v3/comments',
    { referenceType: 'post', referenceId: LARGEST_POST, data: { text: textOf(random) } },
  ])
}

/** Few texts meet them, so that as good as all are counted to the end. */
const LINK_RATES = (['link', 'domain'] as const).flatMap((by) =>
  [10, 60].map((withinMinutes) => ({ kind: 'rate', by, moreThan: 500, withinMinutes })),
)

/** Each looks for its own words; some also for a pattern, for new accounts, or for many contributions within minutes. */
function conditionOf(random: Random, index: number): unknown {
  const words = { kind: 'words', words: Array.from({ length: WORDS_A_RULE }, () => wordOf(random, true)) }
  const others = [
    { kind: 'pattern', pattern: '(call|text) (me|us) (now|today)' },
    { kind: 'accountAge', underDays: 7 },
    { kind: 'rate', by: 'author', moreThan: 20, withinMinutes: 10 },
  ]
  const other = others[index % 10]
  return other === undefined ? words : { kind: 'all', conditions: [words, other] }
}

/** Live rules of the largest community, the first of which count links. */
function makeRules(databaseUrl: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (database) => {
    const reviewer = ctxOf(database, { kind: 'user', userId: REVIEWER, name: REVIEWER })
    const random = seededRandom(RULES)
    const ruleIds: string[] = []
    for (let index = 0; index < RULES; index += 1) {
      const condition = Conditions.parse(LINK_RATES[index] ?? conditionOf(random, index))
      const fields = { communityId: LARGEST_COMMUNITY, name: `Rule ${index}`, kinds: ['comment', 'post'] }
      const rule = await createRule(reviewer, NewRule.parse({ ...fields, condition, maxOverturned: null }))
      await setRuleState(reviewer, { ...rule, state: 'live' })
      ruleIds.push(rule.ruleId)
    }
    return ruleIds
  })
}

interface Tested {
  items: number
  tookMs: number
}

/** Over all that is held in the community, batch after batch as the desk runs it, unless it is stopped. */
async function backtest(place: Place, ruleIds: string[], isStopped = () => false): Promise<Tested> {
  const startedAt = performance.now()
  let [items, cursor]: [number, string | undefined] = [0, undefined]
  do {
    const path = `/api/trpc/rules.backtest?${stringify({ input: JSON.stringify({ ...BATCHES, ruleIds, cursor }) })}`
    const answer = await fetch(`${place.origin}${path}`, { headers: { cookie: place.reviewerCookie } })
    if (!answer.ok) throw new Error(`A batch was refused: ${answer.status} ${await answer.text()}`)
    const { result } = (await answer.json()) as { result: { data: BacktestBatch } }
    const { judged } = result.data.together
    items += judged.rejected + judged.approved + judged.pending
    cursor = result.data.next
  } while (cursor !== undefined && !isStopped())
  return { items, tookMs: performance.now() - startedAt }
}

/** In turns during and without a backtest in the same process. */
async function measurePages(place: Place, ruleIds: string[], seconds: number): Promise<Compared> {
  const ask = () => measure(deskPage(place), { connections: 1, seconds })
  const [during, without]: [Measured[], Measured[]] = [[], []]
  await ask()
  for (let round = 0; round < PAGE_ROUNDS; round += 1) {
    without.push(await ask())
    let isStopped = false
    const running = backtest(place, ruleIds, () => isStopped)
    during.push(await ask())
    isStopped = true
    await running
  }
  return {
    one: medianOf(during),
    other: medianOf(without),
    p50Ratio: ratioOf(during, without, ({ p50Ms }) => p50Ms),
    throughputRatio: ratioOf(during, without, ({ perSecond }) => perSecond),
  }
}

interface Measures {
  writes: Named[]
  alone: Tested
  pages: Compared
}

function reportOf(held: number, { writes, alone, pages }: Measures): Report {
  const rate = alone.items / (alone.tookMs / 1_000)
  const addedBy = ({ name, compared: { one, other } }: Named): Limit =>
    atMost(`what rules add to ${name}, 95 of 100`, one.p95Ms - other.p95Ms, ADDED_MS, ' ms')
  return {
    scenario: `rules, ${RULES} of ${(RULES * WORDS_A_RULE).toLocaleString('en')} words, ${held.toLocaleString('en')} held`,
    limits: [
      ...writes.map(addedBy),
      atMost(`a backtest of ${TESTED} rules, of a million items`, 1_000_000 / rate, MILLION_TESTED_S, ' s'),
      atMost('a page of the queue during it, of one without', pages.p50Ratio, SLOWER),
    ],
    table: {
      title: 'With rules, in turns with the same without, one client',
      note:
        `${RULES} live rules, of which ${LINK_RATES.length} count links or domains. One text in twenty has a word that rules look for. The backtest judged ` +
        `${alone.items.toLocaleString('en')} pending items with ${TESTED} rules, ${Math.round(rate).toLocaleString('en')} a second.`,
      ...timeTable('the same without', [...writes, { name: 'a page of the queue during a backtest', compared: pages }]),
    },
  }
}
