import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { Prisma } from '#server/core/prisma/client.ts'
import { decide, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { exportInsights } from '#server/modules/review/insights/export-insights.ts'
import { readInsights } from '#server/modules/review/insights/read-insights.ts'
import { readPatterns } from '#server/modules/review/insights/read-patterns.ts'
import { readWaiting } from '#server/modules/review/insights/read-waiting.ts'
import { InsightsInput } from '#server/modules/review/insights/schema.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const historian = ctxOf(database, asAdmin(['VIEW_HISTORY']))

const { below, oneOf } = randomNumbers()
const ZONE = 'Asia/Kathmandu'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const FROM = Date.parse('2026-03-20T00:00:00Z')
/** Of those that ask for one day. */
const DAY = '2026-11-20'
const now = () => new Date(`${DAY}T12:00:00Z`)
const RANGE = InsightsInput.parse({ startDate: '2026-03-22', endDate: '2026-04-02', timeZone: ZONE })

interface Item {
  subjectType: 'comment' | 'post'
  subjectId: string
  communityId: string
  at: number
  version: number
  standing: 'waiting' | 'approved' | 'rejected'
}

/** Adds `count` held items to a community, each with the audit row that creating it would write. */
async function hold(communityId: string, authorId: string, count: number): Promise<Item[]> {
  const items = Array.from({ length: count }, (_, index) => {
    const subjectType = index % 4 === 0 ? ('post' as const) : ('comment' as const)
    const at = FROM + below(12 * DAY_MS)
    return { subjectType, subjectId: randomUUID(), communityId, at, version: 1, standing: 'waiting' as const }
  })
  const ofType = (type: Item['subjectType']) => items.filter(({ subjectType }) => subjectType === type)
  const space = { communityId, targetType: 'community' as const, data: { text: 'Some words' } }
  await prisma.comment.createMany({
    data: ofType('comment').map(({ subjectId, at }) => ({
      ...space,
      commentId: subjectId,
      userId: authorId,
      dataTypes: ['text'],
      approvalStatus: 'pending' as const,
      queuedAt: new Date(at),
      createdAt: new Date(at),
    })),
  })
  await prisma.post.createMany({
    data: ofType('post').map(({ subjectId, at }) => ({
      ...space,
      postId: subjectId,
      postedUserId: authorId,
      dataType: 'text',
      feedType: 'reviewing' as const,
      queuedAt: new Date(at),
      createdAt: new Date(at),
    })),
  })
  await prisma.audit.createMany({
    data: items.map(({ subjectType, subjectId, at }) => ({
      action: `${subjectType}.held`,
      subjectType,
      subjectId,
      communityId,
      at: new Date(at),
      actorKind: 'user',
      actorId: authorId,
      source: 'rest' as const,
      requestId: subjectId,
      ...signature(),
    })),
  })
  return items
}

/** Not a real one: nothing here is sealed. */
const signature = () => ({ nonce: randomBytes(16), mac: Buffer.alloc(32) })

const ACTS = scaled(1_000)
/** How many acts run for real; the rest are written directly to the database, because that many transactions take minutes. */
const BY_THE_DOMAIN = scaled(40)

type Reviewer = Extract<Actor, { kind: 'user' }>

/** Decisions, some of them undone: their audit rows and decision rows, as `decide` and `undoDecision` write them. */
async function writeActs(items: Item[], reviewers: Reviewer[], count: number): Promise<number> {
  const log: Prisma.AuditCreateManyInput[] = []
  const decisions: Prisma.DecisionCreateManyInput[] = []
  for (const item of items) {
    if (log.length >= count) break
    const { subjectType, subjectId, communityId } = item
    const { userId, name } = oneOf(reviewers)
    const isUndone = below(5) === 0
    const outcome = oneOf(['approved', 'approved', 'rejected'] as const)
    const at = new Date(item.at + below(6 * DAY_MS))
    const by = { at, actorKind: 'user', actorId: userId, source: 'desk' as const, requestId: randomUUID() }
    const logged = { ...by, subjectType, subjectId, communityId }
    const version = item.version + 1
    log.push({ ...logged, ...signature(), action: `${subjectType}.${outcome}`, after: { version } })
    if (isUndone) log.push({ ...logged, ...signature(), action: `${subjectType}.undone`, before: { version } })
    decisions.push({
      subjectType,
      subjectId,
      communityId,
      outcome,
      version,
      authorId: 'author',
      source: 'desk',
      eventId: 0n,
      decidedBy: userId,
      decidedByName: name,
      decidedAt: at,
      heldAt: new Date(item.at),
      ...(isUndone && { undoneAt: at }),
    })
    item.version = version + (isUndone ? 1 : 0)
    item.standing = isUndone ? 'waiting' : outcome
  }
  await prisma.audit.createMany({ data: log })
  await prisma.decision.createMany({ data: decisions })
  await decideRows(items)
  return log.length
}

async function decideRows(items: Item[]): Promise<void> {
  await database.pool.query(
    `with decided as (select * from unnest($1::text[], $2::text[], $3::int[]) as s(id, standing, version)),
    comments as (
      update comment set approval_status = s.standing::approval_status, is_deleted = s.standing = 'rejected', version = s.version
      from decided s where comment_id = s.id)
    update post set feed_type = case s.standing when 'pending' then 'reviewing' when 'approved' then 'published' else 'declined' end::feed_type,
      version = s.version
    from decided s where post_id = s.id`,
    [
      items.map(({ subjectId }) => subjectId),
      items.map(({ standing }) => (standing === 'waiting' ? 'pending' : standing)),
      items.map(({ version }) => version),
    ],
  )
}

/** Performs one act that the item's state allows; returns how many acts it took. */
async function actOn(ctx: Ctx, item: Item): Promise<number> {
  const at = item.at + below(6 * DAY_MS)
  const then = { ...ctx, now: () => new Date(at) }
  const subject = { subjectType: item.subjectType, subjectId: item.subjectId }
  if (item.standing === 'rejected') return 0
  if (item.standing === 'approved') {
    const { decisionId } = await reverseDecision(then, { ...subject, version: item.version })
    item.version += 1
    item.standing = 'rejected'
    if (below(3) > 0) return 1
    item.version = (await undoDecision(then, { decisionId })).version
    item.standing = 'approved'
    return 2
  }
  const outcome = oneOf(['approved', 'approved', 'rejected'] as const)
  const { decisionId, version } = await decide(then, { ...subject, outcome })
  item.version = version
  item.standing = outcome
  if (below(5) > 0) return 1
  item.version = (await undoDecision(then, { decisionId })).version
  item.standing = 'waiting'
  return 2
}

const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(at)
/** Counted from Monday 0:00 on, by another way than the server's. */
function weekHourOf(at: Date, timeZone = ZONE): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' })
  const { weekday = '', hour = '' } = Object.fromEntries(
    parts.formatToParts(at).map(({ type, value }) => [type, value]),
  )
  return ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday) * 24 + Number(hour)
}
const isInRange = (at: Date) => dayOf(at) >= RANGE.startDate && dayOf(at) <= RANGE.endDate

/** The figures of insights, counted from the log. */
async function recount() {
  const log = await prisma.audit.findMany({ orderBy: { auditId: 'asc' } })
  const versionOf = (states: unknown) => Object(states).version
  const heldAt = new Map(log.filter(({ action }) => action.endsWith('.held')).map((row) => [row.subjectId, row.at]))
  const undone = new Set(
    log
      .filter(({ action }) => action.endsWith('.undone'))
      .map(({ subjectId, before }) => `${subjectId} ${versionOf(before)}`),
  )
  const decided = log.filter(
    ({ action, subjectId, after, at }) =>
      /^(comment|post)\.(approved|rejected)$/.test(action) &&
      isInRange(at) &&
      !undone.has(`${subjectId} ${versionOf(after)}`),
  )
  const held = log.filter(({ action, at }) => action.endsWith('.held') && isInRange(at))
  const figures = (rows: typeof decided) => {
    const spans = rows
      .map(({ at, subjectId }) => at.getTime() - (heldAt.get(subjectId)?.getTime() ?? 0))
      .sort((one, other) => one - other)
    const percentile = (share: number) => spans[Math.ceil(share * spans.length) - 1]
    return {
      approved: rows.filter(({ action }) => action.endsWith('approved')).length,
      rejected: rows.filter(({ action }) => action.endsWith('rejected')).length,
      ...(rows.length > 0 && { medianMs: percentile(0.5), ninetiethMs: percentile(0.9) }),
    }
  }
  return { decided, held, figures }
}

test(`every figure equals a recount from the log after ${ACTS} random acts`, async () => {
  const atEnd = { ...historian, now: () => new Date(FROM + 12 * DAY_MS) }
  // What other tests hold.
  const before = await readWaiting(atEnd, {})
  const reviewers: Reviewer[] = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const { userId, displayName } = await make.user({ displayName: `Reviewer ${index}` })
      return { kind: 'user' as const, userId, name: displayName ?? '' }
    }),
  )
  const author = await make.user()
  const communities = await Promise.all([make.community(), make.community(), make.community()])
  const items: Item[] = []
  for (const { communityId } of communities) {
    for (const { userId } of reviewers) await make.member({ communityId, userId, roles: ['community-moderator'] })
    items.push(...(await hold(communityId, author.userId, scaled(150))))
  }

  const written = await writeActs(items, reviewers, ACTS - items.length - BY_THE_DOMAIN)
  await database.pool.query('analyze')
  let acts = items.length + written
  while (acts < ACTS) {
    const [item, actor] = [oneOf(items), oneOf(reviewers)]
    acts += await actOn(ctxOf(database, actor), item)
  }

  const { decided, held, figures } = await recount()
  const insights = await readInsights(historian, RANGE)
  expect(decided.length).toBeGreaterThan(ACTS / 10)
  expect(insights.total).toEqual({ held: held.length, ...figures(decided) })
  expect(insights.days).toHaveLength(12)
  for (const { day, ...counted } of insights.days) {
    const held_ = held.filter(({ at }) => dayOf(at) === day)
    expect([day, counted]).toEqual([
      day,
      { held: held_.length, ...figures(decided.filter(({ at }) => dayOf(at) === day)) },
    ])
  }
  expect(insights.communities).toHaveLength(3)
  for (const { communityId, displayName: _, ...counted } of insights.communities) {
    const of = <Row extends { communityId: string | null }>(rows: Row[]) =>
      rows.filter((row) => row.communityId === communityId)
    expect(counted).toEqual({ held: of(held).length, ...figures(of(decided)) })
  }
  expect(insights.people).toHaveLength(4)
  for (const { userId, displayName, ...counted } of insights.people) {
    expect(displayName).toMatch(/^Reviewer \d$/)
    expect(counted).toEqual(figures(decided.filter(({ actorId }) => actorId === userId)))
  }

  const { hours } = await readPatterns(historian, RANGE)
  const inWeek = (rows: { at: Date }[]) => {
    const counts = Array.from({ length: 168 }, () => 0)
    for (const { at } of rows) counts[weekHourOf(at)] = (counts[weekHourOf(at)] ?? 0) + 1
    return counts
  }
  expect(hours).toEqual({
    held: inWeek(held),
    approved: inWeek(decided.filter(({ action }) => action.endsWith('approved'))),
    rejected: inWeek(decided.filter(({ action }) => action.endsWith('rejected'))),
  })

  const waiting = items.filter(({ standing }) => standing === 'waiting')
  const end = atEnd.now().getTime()
  const found = await readWaiting(atEnd, {})
  const edges = [60, 120, 240, 1_440, 10_080, Number.POSITIVE_INFINITY]
  const ages = edges.map((edge, index) => {
    const isOfAge = ({ at }: Item) =>
      at > end - edge * MINUTE_MS && (index === 0 || at <= end - (edges[index - 1] ?? 0) * MINUTE_MS)
    return waiting.filter(isOfAge).length
  })
  expect(found.total - before.total).toBe(waiting.length)
  expect(found.ages.map((count, index) => count - (before.ages[index] ?? 0))).toEqual(ages)
  expect(found.pastTarget - before.pastTarget).toBe(waiting.filter(({ at }) => at <= end - 240 * MINUTE_MS).length)
  for (const { communityId } of communities)
    expect(found.communities.find((one) => one.communityId === communityId)?.waiting).toBe(
      waiting.filter((item) => item.communityId === communityId).length,
    )
})

test('a reviewer sees only the figures of what they review', async () => {
  const [own, other] = [await make.community(), await make.community()]
  const reviewer = await make.reviewerOf(own.communityId)
  const ctx = ctxOf(database, reviewer, { now })
  const today = InsightsInput.parse({ startDate: DAY, endDate: DAY })
  for (const { communityId } of [own, other]) {
    const { commentId: subjectId } = await make.heldComment({ communityId, createdAt: now() })
    await make.heldComment({ communityId, createdAt: now() })
    const mate = ctxOf(database, await make.reviewerOf(communityId), { now })
    await decide(mate, { subjectType: 'comment', subjectId, outcome: 'approved' })
  }
  expect(await readInsights(ctx, today)).toMatchObject({
    total: { held: 2, approved: 1, rejected: 0 },
    communities: [{ communityId: own.communityId }],
    people: [{ approved: 1 }],
  })
  expect(await readWaiting(ctx, {})).toMatchObject({ total: 1, communities: [{ communityId: own.communityId }] })
  for (const read of [
    (communityId: string) => readInsights(ctx, { ...today, communityId }),
    (communityId: string) => readWaiting(ctx, { communityId }),
  ]) {
    expect(await read(other.communityId).catch(failureOf)).toBe('FORBIDDEN')
    expect(await read('no-such').catch(failureOf)).toBe('NOT_FOUND')
  }
  const stranger = ctxOf(database, { kind: 'user', userId: (await make.user()).userId, name: 'x' })
  expect(await readInsights(stranger, today).catch(failureOf)).toBe('FORBIDDEN')
  expect(await readWaiting(stranger, {}).catch(failureOf)).toBe('FORBIDDEN')
})

test('escalated items are counted separately, as in the queue', async () => {
  const { communityId } = await make.community()
  const { commentId } = await make.heldComment({ communityId })
  await make.heldComment({ communityId })
  await make.escalated({ subjectType: 'comment', subjectId: commentId })
  expect(await readWaiting(historian, { communityId })).toMatchObject({ total: 1, ages: [1, 0, 0, 0, 0, 0] })
})

test('a day made longer or shorter by a clock change is counted completely', async () => {
  const { communityId } = await make.community()
  for (const queuedAt of ['2026-10-25T00:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-25T23:59:59+01:00'])
    await make.heldComment({ communityId, queuedAt: new Date(queuedAt) })
  const input = { communityId, startDate: '2026-10-24', endDate: '2026-10-26', timeZone: 'Europe/Berlin' }
  const { days } = await readInsights(historian, InsightsInput.parse(input))
  expect(days.map(({ held }) => held)).toEqual([0, 3, 0])
  const { hours } = await readPatterns(historian, InsightsInput.parse(input))
  expect(hours.held.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))).toEqual([
    [6 * 24, 1],
    [6 * 24 + 2, 1],
    [6 * 24 + 23, 1],
  ])
})

test('counts the reasons of rejections that were not undone, and which rules held what, also what none did', async () => {
  const { communityId } = await make.community()
  const ctx = ctxOf(database, await make.reviewerOf(communityId), { now })
  const day = InsightsInput.parse({ communityId, startDate: DAY, endDate: DAY })
  const subjects: { subjectType: 'comment'; subjectId: string }[] = []
  for (let count = 0; count < 6; count += 1) {
    const { commentId } = await make.heldComment({ communityId, createdAt: now(), queuedAt: now() })
    subjects.push({ subjectType: 'comment', subjectId: commentId })
  }
  const [spam = expect.fail(), again = expect.fail(), words = expect.fail(), undone = expect.fail(), fine] = subjects
  await decide(ctx, { ...spam, outcome: 'rejected', reasonId: 'spam' })
  await decide(ctx, { ...again, outcome: 'rejected', reasonId: 'spam' })
  await decide(ctx, { ...words, outcome: 'rejected', reason: 'In words' })
  const { decisionId } = await decide(ctx, { ...undone, outcome: 'rejected', reasonId: 'spam' })
  await undoDecision(ctx, { decisionId })
  await decide(ctx, { ...(fine ?? expect.fail()), outcome: 'approved' })

  const [first, second] = [await ruleIn(communityId, 'Links', 'hold'), await ruleIn(communityId, 'Shouts', 'hold')]
  const highlighting = await ruleIn(communityId, 'Marks', 'highlight')
  const match = (ruleId: string, { subjectId }: { subjectId: string }, isLive = true) =>
    prisma.ruleMatch.create({
      data: { ruleId, version: 1, isLive, subjectType: 'comment', subjectId, found: [], createdAt: now() },
    })
  for (const [ruleId, subject] of [
    [first, spam],
    [first, again],
    [second, again],
    [highlighting, words],
  ] as const)
    await match(ruleId, subject)
  await match(second, undone, false)

  const { reasons, rules } = await readPatterns(ctx, day)
  expect(reasons).toEqual([{ reasonId: 'spam', label: expect.any(String), count: 2 }, { count: 1 }])
  expect(rules).toEqual({
    items: 6,
    isPartial: false,
    held: [{ count: 4 }, { ruleId: first, name: 'Links', count: 2 }, { ruleId: second, name: 'Shouts', count: 1 }],
  })
  const { csv } = await exportInsights(ctx, day)
  expect(csv).toMatch(/^reason,spam,[^,]+,,,2,,\r$/m)
  expect(csv).toMatch(/^reason,,,,,1,,\r$/m)
  expect(csv).toContain(`\r\nrule,${first},Links,2,,,,\r\n`)
  expect(csv).toContain('\r\nhour,5T12,,6,1,3,,\r\n')
})

async function ruleIn(communityId: string, name: string, type: 'hold' | 'highlight'): Promise<string> {
  const { ruleId } = await prisma.rule.create({
    data: {
      ...{ communityId, name, position: 1, ownerId: 'owner', state: 'live', createdAt: now(), updatedAt: now() },
      versions: {
        create: {
          version: 1,
          kinds: ['comment'],
          condition: {},
          action: { type },
          createdBy: 'owner',
          createdAt: now(),
        },
      },
    },
  })
  return ruleId
}

test('the pace is of the last seven days, to the instant, whatever the period, and only of what the caller reviews', async () => {
  const [{ communityId }, other] = [await make.community(), await make.community()]
  const ctx = ctxOf(database, await make.reviewerOf(communityId), { now })
  const ago = (ms: number) => new Date(now().getTime() - ms)
  for (const ms of [1, 7 * DAY_MS, 7 * DAY_MS + 1]) {
    const { commentId } = await make.heldComment({ communityId, queuedAt: ago(ms) })
    await decide(
      { ...ctx, now: () => ago(ms - 1) },
      { subjectType: 'comment', subjectId: commentId, outcome: 'approved' },
    )
    await make.heldComment({ communityId, queuedAt: ago(ms) })
    await make.heldComment({ communityId: other.communityId, queuedAt: ago(ms) })
  }
  const day = InsightsInput.parse({ startDate: '2026-01-01', endDate: '2026-01-01' })
  expect((await readPatterns(ctx, day)).pace).toEqual({ days: 7, held: 4, decided: 2 })
  expect(await readPatterns(ctx, { ...day, communityId: other.communityId }).catch(failureOf)).toBe('FORBIDDEN')
})

test('rejects more than a year, or an end before the start', () => {
  const parses = (startDate: string, endDate: string) => InsightsInput.safeParse({ startDate, endDate }).success
  expect(parses('2025-01-01', '2026-01-01')).toBe(true)
  expect(parses('2025-01-01', '2026-01-02')).toBe(false)
  expect(parses('2026-01-02', '2026-01-01')).toBe(false)
})

test('exports the figures as CSV, by day, community and person, and logs the export', async () => {
  const { communityId } = await make.community({ displayName: '=Harbour, "north"' })
  const reviewer = await make.reviewerOf(communityId)
  const ctx = ctxOf(database, reviewer, { now })
  const held = await make.heldComment({ communityId, createdAt: now() })
  await decide(ctx, { subjectType: 'comment', subjectId: held.commentId, version: held.version, outcome: 'approved' })

  const { fileName, csv } = await exportInsights(
    ctx,
    InsightsInput.parse({ communityId, startDate: DAY, endDate: DAY }),
  )
  const lines = csv.trimEnd().split('\r\n')
  expect(fileName).toBe(`insights-${DAY}-${DAY}.csv`)
  expect(lines[0]).toBe('of,id,name,held,approved,rejected,median_seconds,ninetieth_percentile_seconds')
  expect(lines[1]).toMatch(/^total,,,1,1,0,\d+,\d+$/)
  expect(lines[2]).toMatch(new RegExp(`^day,${DAY},,1,1,0,`))
  expect(lines[3]).toContain(`community,${communityId},"'=Harbour, ""north""",1,1,0,`)
  expect(lines[4]).toMatch(/^person,/)
  const logged = await prisma.audit.findFirst({ where: { action: 'insights.exported', communityId } })
  expect(logged).toMatchObject({
    actorId: reviewer.kind === 'user' ? reviewer.userId : '',
    after: { startDate: DAY },
  })
})
