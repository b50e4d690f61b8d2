import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { normalizeText } from '#server/core/similarity/normalize-text.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput, TESTED_RULES_LIMIT } from '#server/modules/review/backtests/schema.ts'
import { storeRejectedBands } from '#server/modules/review/rejected/store-rejected-bands.ts'
import type { Facts } from '#server/modules/rules/conditions/facts.ts'
import { type Condition, leavesOf } from '#server/modules/rules/conditions/schema.ts'
import type { ReviewedKind, RuleKind } from '#server/modules/rules/registry/schema.ts'
import { asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { DAYS, MINUTES, RANDOM_CONDITION, RANDOM_ITEM } from '#server/testing/random-rules.ts'
import { rulesOn, writtenComment, writtenMessage, writtenPost } from '#server/testing/rules-on.ts'
import { isMetBy } from '#server/testing/rules-oracle.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { writtenTexts } from '#server/testing/waves.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene } = rulesOn(database)

/** 100,000 with a STRESS_SCALE of 1,000, which take an hour (`--testTimeout 0`). */
const ITEMS = scaled(100)
const RULES = IS_STRESS ? 200 : 40
/** So many of them are written in one community: of thousands that were rejected there and say much of the same, the latest are looked at. */
const SHARE = Math.min(ITEMS, 5_000)
/** So many communities are written in at the same time, to take half as long. */
const LANES = 2
/** Written before they are looked at, and decided on: what comes after is compared with what was rejected of them. */
const CHUNK = Math.min(500, SHARE / 4)
/** So many texts are written again and again, a little changed, for as long as two chunks. */
const REPEATED = IS_STRESS ? 10 : 2
/** Conditions that look back a minute, the shortest time, then don't see all that was written before. */
const WRITTEN_EVERY_MS = 1_000
/** Judged in one call. */
const BATCH = 50
/** The share of texts just as similar as a condition asks for that are not found (docs/decisions/0242-texts-similar-to-rejected-ones.md). */
const MISSED = 0.003

test(`of ${ITEMS} items, live rules hold, reject or report, rules in shadow record and backtests count exactly those that ${RULES} rules mean in plain words`, async () => {
  const mentioned = await storePeople(4, 'mentioned')
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let first = lane * SHARE; first < ITEMS; first += LANES * SHARE) {
      // As autovacuum would, which is off in the tests' server.
      if (first > lane * SHARE) await pool.query('analyze')
      await expectAgreement(first, mentioned)
    }
  })
  await Promise.all(lanes)
  if (IS_STRESS) console.log({ items: ITEMS, closeCalls })
  expect(closeCalls.missed).toBeLessThanOrEqual(MISSED * closeCalls.all)
})

/** Of the items from this one on, in a community of their own. */
async function expectAgreement(first: number, mentioned: string[]): Promise<void> {
  const clock = clockAt('2026-11-20T12:00:00Z')
  const { communityId, moderator, author, postId } = await scene()
  const { channelId, internalId: messageFeedId } = await make.channel({ type: 'community' })
  await prisma.community.update({ where: { communityId }, data: { channelId } })
  const random = fc.sample(RANDOM_CONDITION, { numRuns: RULES, seed: 18 })
  const rules = await storeRules(communityId, author.userId, [...ON_OTHERS, ...random], clock.now())
  const repeated = repeatedTexts()
  const [earlier, linkRates] = [rejectedTexts(), writtenLinks()]
  const written: WrittenItem[] = []
  for (let from = first; from < first + SHARE; from += CHUNK) {
    const items = fc
      .sample(RANDOM_ITEM, { numRuns: Math.min(CHUNK, first + SHARE - from), seed: 18 + from })
      .filter(({ texts }) => texts.every(({ text }) => text))
    const space = { communityId, channelId }
    const authors = await storePeople(items.length, `author ${from}`, { space, createdAt: clock.now() })
    const chunk: WrittenItem[] = []
    for (const [index, item] of items.entries()) {
      const again = { media: [], texts: [{ field: 'text' as const, text: repeated(from + index) }] }
      clock.advance(WRITTEN_EVERY_MS)
      const at = clock.now()
      const place = { communityId, postId, messageFeedId, author: authors[index] ?? '', mentioned, index, at }
      chunk.push(await write({ ...item, ...(index % 4 === 0 && again) }, place, { rules, earlier, linkRates }))
    }
    await expectMatches(chunk, rules)
    clock.advance(WRITTEN_EVERY_MS)
    await decideAll(communityId, chunk, { earlier, at: clock.now() })
    written.push(...chunk)
  }

  expectSomeMet(rules.slice(0, ON_OTHERS.length), written)
  for (let first = 0; first < rules.length; first += TESTED_RULES_LIMIT) {
    const ruleIds = rules.slice(first, first + TESTED_RULES_LIMIT).map(({ ruleId }) => ruleId)
    await expectCaught(moderator, ruleIds, written.filter(isDecided).toReversed())
  }
}

/** Conditions on what others wrote, each of which some of the items meet. */
const ON_OTHERS: Condition[] = [
  { kind: 'similarity', similarAtLeast: 0.7, withinDays: 30, times: 1 },
  { kind: 'similarity', similarAtLeast: 0.8, withinDays: 1, times: 2 },
  { kind: 'similarity', similarAtLeast: 1, withinDays: 1, times: 1 },
  { kind: 'rate', by: 'link', moreThan: 2, withinMinutes: 60 },
  { kind: 'rate', by: 'domain', moreThan: 4, withinMinutes: 60 },
]

function expectSomeMet(rules: StoredRule[], items: WrittenItem[]): void {
  for (const { ruleId, condition, kinds } of rules) {
    const judged = items.filter(({ kind }) => kinds.includes(kind))
    const count = judged.filter(({ met }) => met.has(ruleId)).length
    expect(count, JSON.stringify(condition)).toBeGreaterThan(0)
    expect(count, JSON.stringify(condition)).toBeLessThan(judged.length)
  }
  expect(items.filter(({ kind, met }) => kind === 'message' && met.size > 0)).not.toEqual([])
}

/** What a backtest of the rules counts, batch by batch. */
async function expectCaught(moderator: Ctx, ruleIds: string[], newestFirst: WrittenItem[]): Promise<void> {
  let cursor: string | undefined
  let from = 0
  do {
    const batch = await backtest(moderator, BacktestInput.parse({ ruleIds, cursor, limit: BATCH }))
    const { rejected, approved } = batch.together.judged
    // On a busy machine, a batch ends early.
    const items = newestFirst.slice(from, from + rejected + approved)
    const met = (ruleId: string) => items.filter((item) => item.met.has(ruleId))
    expect(batch.rules.map(({ ruleId, caught }) => [ruleId, caught])).toEqual(
      ruleIds.map((ruleId) => [ruleId, outcomesOf(met(ruleId))]),
    )
    const inAny = items.filter((item) => ruleIds.some((ruleId) => item.met.has(ruleId)))
    expect(batch.together).toMatchObject({ judged: outcomesOf(items), caught: outcomesOf(inAny) })
    for (const { ruleId, samples } of batch.rules)
      for (const { subjectId } of samples) expect(met(ruleId).map((item) => item.subjectId)).toContain(subjectId)
    from += items.length
    cursor = batch.next
  } while (cursor !== undefined)
  expect(from).toBe(newestFirst.length)
}

/** The first that any live rule does is what happens. */
const ACTIONS = ['reject', 'hold', 'flag'] as const

interface StoredRule {
  ruleId: string
  condition: Condition
  kinds: RuleKind[]
  action: (typeof ACTIONS)[number]
  /** Whether it also mutes the author. */
  mutes: boolean
  isLive: boolean
}

interface WrittenItem {
  kind: RuleKind
  subjectId: string
  author: string
  outcome: 'approved' | 'rejected'
  /** What is compared with later texts: files may be why something was rejected. */
  trigrams: ReadonlySet<string> | undefined
  /** The rules whose conditions it meets, as the oracle says. */
  met: Set<string>
  /** Those that say otherwise of it if the rejected texts that are just similar enough are missed. */
  close: string[]
}

type DecidedItem = WrittenItem & { kind: ReviewedKind }

/** Messages aren't decided on before they are public. */
const isDecided = (item: WrittenItem): item is DecidedItem => item.kind !== 'message'

const outcomesOf = (items: WrittenItem[]) => ({
  rejected: items.filter(({ outcome }) => outcome === 'rejected').length,
  approved: items.filter(({ outcome }) => outcome === 'approved').length,
  pending: 0,
})

/** Of an author who joined just now and wrote nothing before. */
const KNOWN: Partial<Facts> = {
  author: { accountAgeDays: 0, contributions: 0, approved: 0, rejected: 0, bans: 0, membership: 'member' },
  signals: {},
}

/** Texts that repeat earlier ones, a little changed or not at all. */
function repeatedTexts() {
  const { random, text, edited } = writtenTexts()
  const texts = new Map<number, string>()
  return (index: number): string => {
    const name = Math.floor(index / (2 * CHUNK)) * REPEATED + (Math.floor(index / 4) % REPEATED)
    const repeated = texts.get(name) ?? text()
    texts.set(name, repeated)
    return random() < 0.5 ? repeated : edited(repeated, 0.02)
  }
}

/** All that a text says in groups of three letters; undefined if it says too little. */
function trigramsOf(texts: Facts['texts']): ReadonlySet<string> | undefined {
  const letters = [...normalizeText(texts.map(({ text }) => text).join(' '))]
  if (letters.length < 24) return undefined
  return new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))
}

/** Texts that were rejected, and how similar others are to each of those that they have anything in common with. */
function rejectedTexts() {
  const sizes: number[] = []
  const byTrigram = new Map<string, number[]>()
  return {
    add: (trigrams: ReadonlySet<string>): void => {
      const place = sizes.push(trigrams.size) - 1
      for (const trigram of trigrams) {
        const places = byTrigram.get(trigram)
        if (places) places.push(place)
        else byTrigram.set(trigram, [place])
      }
    },
    similaritiesTo: (trigrams: ReadonlySet<string>): number[] => {
      const shared = new Map<number, number>()
      for (const trigram of trigrams)
        for (const place of byTrigram.get(trigram) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
      return [...shared].map(([place, count]) => count / (trigrams.size + (sizes[place] ?? 0) - count))
    },
  }
}

const OF_NEW_AUTHOR = MINUTES.map((withinMinutes) => ({
  ...{ by: 'author' as const, scope: 'network' as const },
  ...{ withinMinutes, count: 1 },
}))

/** Generated texts have addresses of one form only. */
function linksIn(texts: Facts['texts']) {
  const found = texts.flatMap(({ text }) => [...text.matchAll(/https:\/\/www\.([a-z0-9.-]+)\/a\?b/g)])
  return { link: new Set(found.map(([address]) => address)), domain: new Set(found.map(([, domain = '']) => domain)) }
}

/** When each link was written, in messages or in comments and posts, and how often an item's most frequent one was until then, itself included. */
function writtenLinks() {
  const times = new Map<string, number[]>()
  const countOf = (name: string, at: number, minutes: number) =>
    (times.get(name) ?? []).filter((time) => time < at && time > at - minutes * 60_000).length + 1
  const add = (name: string, at: number) => {
    const known = times.get(name)
    if (known) known.push(at)
    else times.set(name, [at])
  }
  return (kind: RuleKind, texts: Facts['texts'], at: number): Facts['rates'] => {
    const links = linksIn(texts)
    const wing = kind === 'message' ? 'channel' : 'community'
    const rates = MINUTES.flatMap((withinMinutes) =>
      (['link', 'domain'] as const).map((by) => {
        const counts = [...links[by]].map((name) => countOf(`${wing} ${by} ${name}`, at, withinMinutes))
        return { by, scope: 'community' as const, withinMinutes, count: Math.max(0, ...counts) }
      }),
    )
    for (const by of ['link', 'domain'] as const) for (const name of links[by]) add(`${wing} ${by} ${name}`, at)
    return rates
  }
}

interface Where {
  communityId: string
  postId: string
  messageFeedId: string
  author: string
  mentioned: string[]
  index: number
  at: Date
}

interface Known {
  rules: StoredRule[]
  earlier: ReturnType<typeof rejectedTexts>
  linkRates: ReturnType<typeof writtenLinks>
}

const KINDS: RuleKind[] = ['comment', 'post', 'message', 'comment', 'post']

/** Writes it as its author does, in turns as a comment, a post and a message. */
async function write(item: Facts, where: Where, { rules, earlier, linkRates }: Known): Promise<WrittenItem> {
  const { author, mentioned, index, at } = where
  const kind = KINDS[index % KINDS.length] ?? 'comment'
  const media = mediaOf(kind, item)
  const userIds = mentioned.slice(0, item.mentions)
  const ctx = ctxOf(database, asUser(author), { source: 'rest', now: () => at })
  const subjectId = await WRITE[kind](ctx, where, {
    data: Object.fromEntries(item.texts.map(({ field, text }) => [field, text])),
    mentionees: [{ type: 'user' as const, userIds }],
    media,
  })
  const trigrams = trigramsOf(item.texts)
  const similarities = trigrams ? earlier.similaritiesTo(trigrams) : []
  const rejected = DAYS.map((withinDays) => ({ scope: 'community' as const, withinDays, similarities }))
  const rates = [...(linkRates(kind, item.texts, at.getTime()) ?? []), ...OF_NEW_AUTHOR]
  const facts = { ...item, ...KNOWN, rates, rejected, media, mentions: userIds.length }
  const judging = rules.filter(({ kinds }) => kinds.includes(kind))
  const metWith = (known: Facts) =>
    new Set(judging.filter(({ condition }) => isMetBy(condition, known)).map(({ ruleId }) => ruleId))
  const met = metWith(facts)
  const without = metWith({ ...facts, rejected: rejected.map(withoutCloseCalls) })
  const outcome = index % 3 === 0 ? 'approved' : 'rejected'
  const compared = media.length > 0 ? undefined : trigrams
  return { kind, subjectId, author, outcome, trigrams: compared, met, close: [...met.symmetricDifference(without)] }
}

/** What equals a rejected text is always found, and what is much more similar than a condition asks for. */
function withoutCloseCalls<Found extends { similarities: number[] }>(found: Found): Found {
  const similarities = found.similarities.map((similarity) => (similarity === 1 ? 1 : similarity - 0.1))
  return { ...found, similarities }
}

/** A comment has images and videos, a message one of anything. */
function mediaOf(kind: RuleKind, { media }: Facts): Facts['media'] {
  if (kind === 'comment') return media.filter((type) => type === 'image' || type === 'video')
  return kind === 'message' ? media.slice(0, 1) : media
}

interface Content {
  data: object
  mentionees: object[]
  media: Facts['media']
}

const WRITE: Record<RuleKind, (ctx: Ctx, where: Where, content: Content) => Promise<string>> = {
  comment: (ctx, { postId }, { media, ...content }) =>
    writtenComment(ctx, { ...content, attachments: media.map(toFile), referenceType: 'post', referenceId: postId }),
  post: (ctx, { communityId }, { media, ...content }) =>
    writtenPost(ctx, {
      ...{ ...content, attachments: media.map(toFile) },
      ...{ targetType: 'community', targetId: communityId },
    }),
  message: (ctx, { messageFeedId }, { media: [dataType = 'text'], ...content }) =>
    writtenMessage(ctx, { ...content, dataType, messageFeedId }),
}

const toFile = (type: string) => ({ type, fileId: 'none' })

/** Similarities that may be missed, and of these the ones that were. */
const closeCalls = { all: 0, missed: 0 }

/** Takes over what rules say where similar texts may be missed: what follows from that has to agree again. */
function takeCloseCalls(items: WrittenItem[], matches: { subjectId: string; ruleId: string }[]): void {
  const matched = new Set(matches.map(({ subjectId, ruleId }) => `${subjectId} ${ruleId}`))
  for (const { subjectId, met, close } of items)
    for (const ruleId of close) {
      const isMatched = matched.has(`${subjectId} ${ruleId}`)
      closeCalls.all += 1
      if (isMatched === met.has(ruleId)) continue
      closeCalls.missed += 1
      if (isMatched) met.add(ruleId)
      else met.delete(ruleId)
    }
}

/** What rules recorded, live and in shadow, and what is held, rejected and reported. */
async function expectMatches(items: WrittenItem[], rules: StoredRule[]): Promise<void> {
  const subjectIds = items.map(({ subjectId }) => subjectId)
  const matches = await prisma.ruleMatch.findMany({ where: { subjectId: { in: subjectIds } } })
  takeCloseCalls(items, matches)
  const live = new Set(rules.filter(({ isLive }) => isLive).map(({ ruleId }) => ruleId))
  const expected = items.flatMap(({ subjectId, met }) =>
    [...met].map((ruleId) => `${subjectId} ${ruleId} ${live.has(ruleId)}`),
  )
  expect(matches.map(({ subjectId, ruleId, isLive }) => `${subjectId} ${ruleId} ${isLive}`).sort()).toEqual(
    expected.sort(),
  )
  const { rows } = await pool.query<{ id: string; state: string }>(STATES, [subjectIds])
  const liveActs = new Map(rules.filter(({ isLive }) => isLive).map(({ ruleId, action }) => [ruleId, action]))
  const states = items.flatMap(({ subjectId, met }) => {
    const acts = [...met].map((ruleId) => liveActs.get(ruleId))
    const state = ACTIONS.find((action) => acts.includes(action))
    return state ? [`${subjectId} ${state}`] : []
  })
  expect(rows.map(({ id, state }) => `${id} ${state}`).sort()).toEqual(states.sort())

  const muting = new Set(rules.filter(({ isLive, mutes }) => isLive && mutes).map(({ ruleId }) => ruleId))
  const muted = items.filter(({ met }) => [...met].some((ruleId) => muting.has(ruleId)))
  const mutes = await prisma.mute.findMany({ where: { subjectId: { in: subjectIds } } })
  expect(mutes.map(({ subjectId }) => subjectId).sort()).toEqual(muted.map(({ subjectId }) => subjectId).sort())
}

const STATES = `
  select * from (
    select comment_id as id, case when approval_status = 'rejected' then 'reject' when approval_status = 'pending' then 'hold'
      when flag_count > 0 then 'flag' end as state from comment
    union all
    select post_id, case when feed_type = 'declined' then 'reject' when feed_type = 'reviewing' then 'hold'
      when flag_count > 0 then 'flag' end from post
    union all
    select message_id, case when is_deleted then 'reject' when flag_count > 0 then 'flag' end from message) judged
  where id = any($1) and state is not null`

/** One after the other: who finds another at work doesn't wait. */
let storing = Promise.resolve()

/** As people who look at everything would, in one bulk action. */
async function decideAll(
  communityId: string,
  items: WrittenItem[],
  { earlier, at }: { earlier: Known['earlier']; at: Date },
): Promise<void> {
  const decided = items.filter(isDecided)
  await prisma.decision.createMany({
    data: decided.map(({ kind, subjectId, author, outcome }) => ({
      ...{ subjectType: kind, subjectId, communityId, authorId: author, outcome },
      ...{ decidedByName: 'x', source: 'desk' as const, version: 2, eventId: 1n },
      heldAt: at,
      decidedAt: at,
    })),
  })
  storing = storing.then(async () => {
    while (await storeRejectedBands({ ...systemCtx(database), now: () => at }));
  })
  await storing
  for (const { outcome, trigrams } of decided) if (outcome === 'rejected' && trigrams) earlier.add(trigrams)
}

/** Also with conditions that can't be written any more, every fourth live. What can't happen to messages doesn't judge them. */
async function storeRules(
  communityId: string,
  ownerId: string,
  conditions: Condition[],
  now: Date,
): Promise<StoredRule[]> {
  const rules = conditions.map((condition, index) => {
    const action = ACTIONS[index % ACTIONS.length] ?? 'hold'
    const mutes = action !== 'flag' && index % 5 === 0
    const asksForSignals = leavesOf(condition).some(({ kind }) => kind === 'signal')
    const kinds: RuleKind[] =
      action === 'hold' || mutes || asksForSignals ? ['comment', 'post'] : ['comment', 'post', 'message']
    return { ruleId: `${communityId} ${index}`, condition, kinds, action, mutes, isLive: index % 4 === 0 }
  })
  await prisma.rule.createMany({
    data: rules.map(({ ruleId, isLive }, position) => ({
      ...{ ruleId, communityId, position, name: 'Random', ownerId },
      state: isLive ? ('live' as const) : ('shadow' as const),
      createdAt: now,
      updatedAt: now,
    })),
  })
  await prisma.ruleVersion.createMany({
    data: rules.map(({ ruleId, condition, kinds, action, mutes }) => ({
      ruleId,
      version: 1,
      kinds,
      condition: JSON.parse(JSON.stringify(condition)),
      action: { type: action, ...(mutes && { muteMinutes: 60 }) },
      createdBy: ownerId,
      createdAt: now,
      usedAt: now,
    })),
  })
  return rules
}

/** People, or members of a community and of its channel. */
async function storePeople(
  count: number,
  name: string,
  { space, createdAt }: { space?: { communityId: string; channelId: string }; createdAt?: Date } = {},
): Promise<string[]> {
  const userIds = Array.from({ length: count }, (_, index) => `${name} ${index}`)
  await prisma.user.createMany({ data: userIds.map((userId) => ({ userId, ...(createdAt && { createdAt }) })) })
  if (space !== undefined) {
    const { communityId, channelId } = space
    const membership = 'member' as const
    await prisma.communityUser.createMany({ data: userIds.map((userId) => ({ communityId, userId, membership })) })
    await prisma.channelUser.createMany({ data: userIds.map((userId) => ({ channelId, userId, membership })) })
  }
  return userIds
}
