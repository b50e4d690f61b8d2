import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import type { Database } from '#server/core/database/open-database.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { NewComment } from '#server/modules/content/comments/schema.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { type BacktestBatch, BacktestInput } from '#server/modules/review/backtests/schema.ts'
import { compileRules } from '#server/modules/rules/conditions/compile.ts'
import { judge } from '#server/modules/rules/conditions/judge.ts'
import { type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import { assertUsable } from '#server/modules/rules/registry/assert-usable.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { digestOf, keptDatabase, MIGRATIONS } from '../data/bench-database.ts'
import { ctxOf, withDatabase } from '../data/bench-people.ts'
import { fillTables } from '../data/generate.ts'
import { type Random, seededRandom } from '../data/random.ts'
import { delayAt, delayRows, sortDelays } from '../measure/delays.ts'
import { type Measured, measure, medianOf, ratioOf } from '../measure/load.ts'
import { makeDeskSessions } from '../programs/desk-sessions.ts'
import { SECRET, withDocket } from '../programs/programs.ts'
import type { Report } from '../reports/results.ts'

const RULES = 200
const WORDS_A_RULE = 25
const WRITES = 2_000
/** Writes of one community before it is the other's turn. */
const TURN = 20
const DECIDED = 1_000_000
const ADDED_MS = 2
const HOSTILE_MS = 50
/** Tested in one pass. */
const TESTED = 20
const TESTED_MS = 120_000
/** How many times as long a page of the queue may take during a test. */
const SLOWER = 1.2
const PLAIN = 'plain'
const RULED = 'ruled'
/** Its rules also count links. */
const LINKED = 'linked'
const COMMUNITIES = [PLAIN, RULED, LINKED]
/** Comments with links that were written there earlier. */
const LINKS = 1_000_000
const MODERATOR = 'moderator'
/** Who wrote what was decided, and who writes: one of them at random. */
const AUTHORS = 10_000
const authorOf = (index: number) => `author-${index % AUTHORS}`

interface Options {
  say: (line: string) => void
}

/**
 * What live rules add to a write, what hostile patterns take, how long backtests over a million decisions are, and what they do to pages of the
 * queue.
 */
export async function benchRules(
  serverUrl: string,
  { say }: Options,
): Promise<{ report: Report; databaseUrl: string }> {
  const databaseUrl = await keptDatabase(serverUrl, {
    name: 'docket_bench_rules',
    madeBy: await digestOf(['bench/{scenarios/rules,data/random}.ts', MIGRATIONS]),
    fill: (pool) => fill(pool, say),
    say,
  })
  return withDatabase(databaseUrl, async (database) => {
    const moderator = ctxOf(database, { kind: 'user', userId: MODERATOR, name: MODERATOR })
    await makeRules(database, moderator)
    say(`${WRITES} writes without rules, and as many with ${RULES}, in turns`)
    const writes = await measureWrites(database, RULED, textOf)
    say('The same of texts with links, where rules count links')
    const linking = await measureWrites(database, LINKED, linkingTextOf)
    const hostileMs = await measureHostile()
    say(`A backtest over ${DECIDED.toLocaleString('en')} decisions`)
    const one = await measureBacktest(database, moderator, [`Rule ${ONLY_WORDS}`])
    say(`The same of ${TESTED} rules in one pass`)
    const names = Array.from({ length: TESTED }, (_, index) => `Rule ${index}`)
    const several = await measureBacktest(database, moderator, names)
    say('Pages of the queue, in turns without and during a backtest')
    const [cookie = ''] = await makeDeskSessions(database, { count: 1, secret: SECRET, communityId: RULED })
    const pages = await measurePages(databaseUrl, { cookie, ruleIds: several.ruleIds })
    return { databaseUrl, report: reportOf({ writes, linking, hostileMs, one, several, pages }) }
  })
}

/** Communities with authors and a moderator, what was decided in the second, and what was written with links in the third. */
async function fill(pool: pg.Pool, say: Options['say']): Promise<void> {
  const authors = Array.from({ length: AUTHORS }, (_, index) => authorOf(index))
  const longAgo = new Date('2026-01-01').toISOString()
  await fillTables(
    pool,
    [
      { table: 'community', columns: 'community_id, display_name', rows: COMMUNITIES.map((id) => [id, id]) },
      {
        table: 'network_user',
        columns: 'user_id, display_name, created_at',
        rows: [MODERATOR, ...authors].map((id) => [id, id, longAgo]),
      },
      {
        table: 'community_user',
        columns: 'community_id, user_id, membership, roles',
        rows: COMMUNITIES.flatMap((id) => [
          [id, MODERATOR, 'member', '{community-moderator}'],
          ...authors.map((author) => [id, author, 'member', '{}']),
        ]),
      },
      {
        table: 'post',
        columns: 'post_id, community_id, target_type, posted_user_id, data',
        rows: COMMUNITIES.map((id) => [`post-${id}`, id, 'community', MODERATOR, '{"text": "Talk"}']),
      },
    ],
    say,
  )
  await pool.query('alter table comment disable trigger user')
  const rows = (function* () {
    yield* decidedComments()
    yield* linkingComments()
  })()
  await fillTables(pool, [{ table: 'comment', columns: COMMENT_COLUMNS, rows }], say)
  await pool.query('alter table comment enable trigger user')
  await pool.query(
    `insert into decision (subject_type, subject_id, community_id, author_id, outcome, decided_by_name, decided_at, source, version, held_at, event_id)
     select 'comment', comment_id, community_id, user_id, case approval_status when 'rejected' then 'rejected' else 'approved' end,
       $1, queued_at + interval '1 hour', 'desk', 2, queued_at, 1
     from comment where queued_at is not null`,
    [MODERATOR],
  )
}

const COMMENT_COLUMNS =
  'comment_id, user_id, community_id, reference_type, reference_id, target_type, data_types, data, approval_status, queued_at, created_at, updated_at'

function* decidedComments() {
  const random = seededRandom(18)
  for (let index = 0; index < DECIDED; index += 1) {
    const at = new Date(Date.UTC(2026, 1, 1) + index * 10_000).toISOString()
    const data = JSON.stringify({ text: textOf(random) })
    const status = random() < 0.2 ? 'rejected' : 'approved'
    yield [
      `comment-${index}`,
      authorOf(index),
      RULED,
      'post',
      `post-${RULED}`,
      'community',
      '{text}',
      data,
      status,
      at,
      at,
      at,
    ]
  }
}

function* linkingComments() {
  const random = seededRandom(19)
  for (let index = 0; index < LINKS; index += 1) {
    const at = new Date(Date.UTC(2026, 1, 1) + index * 10_000).toISOString()
    const data = JSON.stringify({ text: linkingTextOf(random) })
    yield [
      `linking-${index}`,
      authorOf(index),
      LINKED,
      'post',
      `post-${LINKED}`,
      'community',
      '{text}',
      data,
      null,
      null,
      at,
      at,
    ]
  }
}

const SYLLABLES = 'ba ke li mo nu ra se ti vo zu an el in or us pla gre sti cho dru'.split(' ')

/** A word that rules look for if `isWatched`, or any other. */
function wordOf(random: Random, isWatched: boolean): string {
  const syllables = Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
  )
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

/** Each looks for its own words; some also for a pattern, for new accounts, or for many contributions within minutes. */
function conditionOf(random: Random, index: number): Condition {
  const words = { kind: 'words', words: Array.from({ length: WORDS_A_RULE }, () => wordOf(random, true)) }
  const others = [
    { kind: 'pattern', pattern: '(call|text) (me|us) (now|today)' },
    { kind: 'accountAge', underDays: 7 },
    { kind: 'rate', by: 'author', moreThan: 20, withinMinutes: 10 },
  ]
  const other = others[index % 10]
  return Conditions.parse(other === undefined ? words : { kind: 'all', conditions: [words, other] })
}

async function makeRules({ prisma }: Database, moderator: Ctx): Promise<void> {
  if ((await prisma.rule.count()) > 0) return
  const random = seededRandom(200)
  for (const communityId of [RULED, LINKED])
    for (let index = 0; index < RULES; index += 1) {
      const condition = communityId === LINKED ? LINK_RATES[index] : undefined
      const fields = { communityId, name: `Rule ${index}`, kinds: ['comment', 'post'], maxOverturned: null }
      const rule = NewRule.parse({ ...fields, condition: condition ?? conditionOf(random, index) })
      await setRuleState(moderator, { ...(await createRule(moderator, rule)), state: 'live' })
    }
}

/** Few texts meet them, so that as good as all are counted to the end. */
const LINK_RATES = (['link', 'domain'] as const).flatMap((by) =>
  [10, 60].map((withinMinutes) => Conditions.parse({ kind: 'rate', by, moreThan: 500, withinMinutes })),
)

/** The number of a rule without other conditions. */
const ONLY_WORDS = 9

interface Writes {
  plain: number[]
  ruled: number[]
}

/** How long writes take where no rules run, and in a community where they do, sorted. */
async function measureWrites(
  database: Database,
  ruled: string,
  writtenText: (random: Random) => string,
): Promise<Writes> {
  const random = seededRandom(Date.now())
  const delays: Record<string, number[]> = { [PLAIN]: [], [ruled]: [] }
  for (let round = -WRITES / TURN / 10; round < WRITES / TURN; round += 1)
    for (const [communityId, taken] of Object.entries(delays))
      for (let write = 0; write < TURN; write += 1) {
        const userId = authorOf(Math.floor(random() * AUTHORS))
        const ctx = ctxOf(database, { kind: 'user', userId, name: userId })
        const data = { text: writtenText(random) }
        const input = NewComment.parse({ referenceType: 'post', referenceId: `post-${communityId}`, data })
        const startedAt = performance.now()
        await createComment(ctx, input)
        // The first rounds compile the code.
        if (round >= 0) taken.push(performance.now() - startedAt)
      }
  return { plain: sortDelays(delays[PLAIN] ?? []), ruled: sortDelays(delays[ruled] ?? []) }
}

const HOSTILE_PATTERNS = [
  ['(a+)+$'],
  ['(a|aa)+$'],
  ['(a*)*b'],
  ['(.*a){20}'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$'],
  ['(x+x+)+y'],
  // These match, and look for more until the end of the text each time.
  ['(?:x{0,90})*y|x'],
  ['(?:.*x){60}y|x'],
  Array.from({ length: 10 }, () => '(?:x{0,5})*y|x'),
]
const HOSTILE_TEXTS = ['a'.repeat(10_000), 'x'.repeat(10_000), 'ab '.repeat(3_000), 'a\u0301'.repeat(5_000)]

/** The longest that a rule with some of the patterns takes for an item whose title and text are one of the texts. */
async function measureHostile(): Promise<number> {
  let longest = 0
  for (const patterns of HOSTILE_PATTERNS) {
    const condition = Conditions.parse({
      kind: 'any',
      conditions: patterns.map((pattern) => ({ kind: 'pattern', pattern })),
    })
    await assertUsable(condition)
    const compiled = await compileRules([{ ruleId: randomUUID(), version: 1, condition }])
    for (const text of HOSTILE_TEXTS) {
      const startedAt = performance.now()
      judge(compiled, {
        texts: [
          { field: 'title', text },
          { field: 'text', text },
        ],
        mentions: 0,
        media: [],
      })
      longest = Math.max(longest, performance.now() - startedAt)
    }
  }
  return longest
}

interface Tested {
  ruleIds: string[]
  items: number
  caught: number
  tookMs: number
  judgingMs: number
}

/** Of the rules with these names, batch after batch, as the desk runs it. */
async function measureBacktest({ prisma }: Database, moderator: Ctx, names: string[]): Promise<Tested> {
  const rules = await prisma.rule.findMany({
    where: { communityId: RULED, name: { in: names } },
    orderBy: { position: 'asc' },
  })
  const ruleIds = rules.map(({ ruleId }) => ruleId)
  const tested = { ruleIds, items: 0, caught: 0, tookMs: 0, judgingMs: 0 }
  const startedAt = performance.now()
  let cursor: string | undefined
  do {
    const { together, next } = await backtest(moderator, BacktestInput.parse({ ...BATCHES, ruleIds, cursor }))
    tested.items += together.judged.rejected + together.judged.approved
    tested.caught += together.caught.rejected + together.caught.approved
    tested.judgingMs += together.costMs
    cursor = next
  } while (cursor !== undefined)
  return { ...tested, tookMs: performance.now() - startedAt }
}

/** As the desk asks for several rules. */
const BATCHES = { limit: 1_000, samples: 0 }
const PAGE_ROUNDS = 7
const PAGE_SECONDS = 3

interface PagesMeasured {
  alone: Measured
  during: Measured
  ratio: number
  /** How many items a second the backtest judges during that. */
  judgedPerSecond: number
}

/** Pages of the queue over HTTP, in turns without and during a backtest of these rules in the same process. */
async function measurePages(
  databaseUrl: string,
  { cookie, ruleIds }: { cookie: string; ruleIds: string[] },
): Promise<PagesMeasured> {
  const headers = { cookie }
  return withDocket(databaseUrl, async ({ origin }) => {
    const nextPath = () => `/api/trpc/review.queue?input=${encodeURIComponent(JSON.stringify({ communityId: RULED }))}`
    const ask = () => measure({ origin, method: 'GET', headers, nextPath }, { connections: 1, seconds: PAGE_SECONDS })
    const alone: Measured[] = []
    const during: Measured[] = []
    let [judged, tookMs] = [0, 0]
    await ask()
    for (let round = 0; round < PAGE_ROUNDS; round += 1) {
      alone.push(await ask())
      const startedAt = performance.now()
      const stop = startBacktest(origin, headers, ruleIds)
      during.push(await ask())
      judged += await stop()
      tookMs += performance.now() - startedAt
    }
    return {
      alone: medianOf(alone),
      during: medianOf(during),
      ratio: ratioOf(during, alone, ({ p50Ms }) => p50Ms),
      judgedPerSecond: (judged / tookMs) * 1_000,
    }
  })
}

/** Asks for batch after batch until it is stopped, which says how many items were judged. */
function startBacktest(origin: string, headers: Record<string, string>, ruleIds: string[]): () => Promise<number> {
  let isStopped = false
  const run = async () => {
    let [judged, cursor]: [number, string | undefined] = [0, undefined]
    while (!isStopped) {
      const input = encodeURIComponent(JSON.stringify({ ...BATCHES, ruleIds, cursor }))
      const answer = await fetch(`${origin}/api/trpc/rules.backtest?input=${input}`, { headers })
      if (!answer.ok) throw new Error(`A batch was refused: ${answer.status} ${await answer.text()}`)
      const { result } = (await answer.json()) as { result: { data: BacktestBatch } }
      const { together, next } = result.data
      judged += together.judged.rejected + together.judged.approved
      cursor = next
    }
    return judged
  }
  const running = run()
  return () => {
    isStopped = true
    return running
  }
}

interface RulesMeasured {
  writes: Writes
  linking: Writes
  hostileMs: number
  one: Tested
  several: Tested
  pages: PagesMeasured
}

/** What rules add to 95 of 100 writes. */
const addedBy = ({ plain, ruled }: Writes) => delayAt(ruled, 0.95) - delayAt(plain, 0.95)

function reportOf({ writes, linking, hostileMs, one, several, pages }: RulesMeasured): Report {
  const added = (what: string, measured: Writes) => ({
    what: `${what}, 95 of 100`,
    measured: `${addedBy(measured).toFixed(2)} ms`,
    promised: `at most ${ADDED_MS} ms`,
    isHeld: addedBy(measured) <= ADDED_MS,
  })
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return {
    scenario: `rules, ${RULES} of ${(RULES * WORDS_A_RULE).toLocaleString('en')} words`,
    limits: [
      added('what rules add to a write', writes),
      added('what they add to a write with a link, where some count links', linking),
      {
        what: 'the slowest rule of hostile patterns, on a title and a text of 10,000 characters',
        measured: `${hostileMs.toFixed(1)} ms`,
        promised: `at most ${HOSTILE_MS} ms`,
        isHeld: hostileMs <= HOSTILE_MS,
      },
      {
        what: `a backtest of ${TESTED} rules over ${DECIDED.toLocaleString('en')} decisions`,
        measured: seconds(several.tookMs),
        promised: `at most ${seconds(TESTED_MS)}`,
        isHeld: several.tookMs <= TESTED_MS,
      },
      {
        what: 'a page of the queue during it, of one without',
        measured: pages.ratio.toFixed(2),
        promised: `at most ${SLOWER}`,
        isHeld: pages.ratio <= SLOWER,
      },
    ],
    tables: [
      {
        title: 'A write',
        note: `${WRITES.toLocaleString('en')} comments in a community without rules and as many in one with ${RULES} live rules, ${TURN} by ${TURN} in turns, one after the other, in the process itself: what HTTP adds is the same for both. One text in twenty has a word that rules look for. With fsync on, most of a write is its commit.`,
        columns: ['ms', 'without rules', 'with rules'],
        rows: delayRows([writes.plain, writes.ruled], 2),
      },
      {
        title: 'A write with a link',
        note: `The same of texts with a link, in a community where ${LINKS.toLocaleString('en')} comments with links were written earlier and ${LINK_RATES.length} of the ${RULES} rules count links or domains in the last 10 or 60 minutes. Soon there are more than 1,000 comments with other links in these minutes, which is the most that a rule looks at.`,
        columns: ['ms', 'without rules', 'with rules'],
        rows: delayRows([linking.plain, linking.ruled], 2),
      },
      {
        title: 'A backtest',
        note: `In batches of ${BATCHES.limit.toLocaleString('en')} as the desk runs it, without the browser. Each rule has ${WORDS_A_RULE} words; of the ${TESTED}, two also have a pattern, two ask for the age of the account and two for a rate.`,
        columns: ['rules', 'decided items', 'took', 'of it judging', 'items a second', 'caught'],
        rows: [one, several].map(({ ruleIds, items, tookMs, judgingMs, caught }) => [
          `${ruleIds.length}`,
          items.toLocaleString('en'),
          seconds(tookMs),
          seconds(judgingMs),
          Math.round((items / tookMs) * 1_000).toLocaleString('en'),
          caught.toLocaleString('en'),
        ]),
      },
      {
        title: 'A page of the queue during a backtest',
        note: `Over HTTP at one connection, from the process that also runs the backtest of ${TESTED} rules: ${PAGE_ROUNDS} turns of ${PAGE_SECONDS} s without and as many with it. The ratio is the median of the turns’ own, of their medians. Meanwhile the backtest judges ${Math.round(pages.judgedPerSecond).toLocaleString('en')} items a second.`,
        columns: ['ms', 'without', 'during', 'ratio'],
        rows: [
          ['median', pages.alone.p50Ms.toFixed(2), pages.during.p50Ms.toFixed(2), pages.ratio.toFixed(2)],
          ['95 of 100', pages.alone.p95Ms.toFixed(2), pages.during.p95Ms.toFixed(2), ''],
        ],
      },
    ],
  }
}
