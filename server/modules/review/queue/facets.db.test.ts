import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { countMatching } from '#server/modules/review/queue/count-queue.ts'
import { listFacets } from '#server/modules/review/queue/list-facets.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { everyPage } from '#server/testing/every-page.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, pool, make } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin())

function score(id: string, value: number, { name = 'toxicity', type = 'comment' } = {}) {
  return recordSignals(admin, NewSignals.parse({ signals: [{ type, id, name, score: value }] }))
}

const idsOf = (items: { subjectId: string }[]) => items.map(({ subjectId }) => subjectId)
const onComment = (subjectId: string) => ({ subjectType: 'comment', subjectId }) as const

/** The facets that differ from those of what is held now. */
async function wrongFacets() {
  const { rows } = await pool.query(`
    with held as (
      select subject_type::subject_type as type, subject_id as id, community_id, placed_at as queued_at, urgent_at
      from review_item where kind = 'held' and state = 'waiting'),
    scored as (
      select type, id, 'signal:' || name as facet, score, floor(score * 20)::smallint as band, community_id, queued_at, urgent_at
      from held join signal s on s.subject_type = type and s.subject_id = id),
    ruled as (
      select type, id, of_rule.facet, null::float8, 0::smallint, community_id, queued_at, urgent_at
      from held join rule_match m on m.subject_type = type and m.subject_id = id and m.is_live
      join rule_version v on v.rule_id = m.rule_id and v.version = m.version and v.action ->> 'type' = 'hold'
      cross join lateral (values ('rule:' || m.rule_id), ('label:' || (v.action ->> 'label'))) of_rule(facet)
      where of_rule.facet is not null),
    expected as (select * from scored union select * from ruled),
    found as (select subject_type::subject_type, subject_id, facet, score, band, community_id, placed_at, urgent_at from review_facet)
    (table expected except table found) union all (table found except table expected)`)
  return rows
}

test('finds an item by the live rules that hold it, and not by those in shadow or that highlight', async () => {
  const { communityId, author, moderator, comment, running } = await scene()
  const boats = await running({ kind: 'words', words: ['boat'] })
  const ferries = await running({ kind: 'words', words: ['ferry'] })
  const shadow = await running({ kind: 'words', words: ['boat'] }, 'shadow')
  const marks = await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'highlight' } })
  const [boat, both] = [await comment('A boat'), await comment('A ferry boat')]
  const input = { targetType: 'community', targetId: communityId, data: { text: 'A boat' }, attachments: [] }
  const postId = await writtenPost(ctxOf(database, asUser(author.userId), { source: 'rest' }), input)

  const heldBy = async ({ ruleId }: { ruleId: string }) => {
    const items = await everyPage(moderator, { ruleId, order: 'oldest' })
    const { count } = await countMatching(moderator, DeskFilter.parse({ ruleId, communityId }))
    expect(count).toBe(items.length)
    return idsOf(items)
  }
  expect(await heldBy(boats)).toEqual([boat.commentId, both.commentId, postId])
  expect(await heldBy(ferries)).toEqual([both.commentId])
  expect(await heldBy(shadow)).toEqual([])
  expect(await heldBy(marks)).toEqual([])
  const { narrowedTo } = await listDeskQueue(moderator, DeskQueueInput.parse({ ruleId: boats.ruleId }))
  expect(narrowedTo).toEqual({ rule: { ruleId: boats.ruleId, name: boats.name } })
  expect(await listFacets(moderator, {})).toEqual({
    rules: [boats, ferries]
      .map(({ ruleId, name }) => ({ ruleId, name }))
      .sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1)),
    labels: [],
    signals: [],
  })
  expect(await wrongFacets()).toEqual([])
})

test('finds an item by the label of the rules that hold it, whichever rules have it', async () => {
  const { communityId, author, moderator, comment, running } = await scene()
  const labelled = (label: string, word: string, action = 'hold') =>
    running({ kind: 'words', words: [word] }, 'live', { action: { type: action, label } })
  const boats = await labelled('Selling?', 'boat')
  await labelled('Selling?', 'ferry')
  await labelled('Off topic: all', 'ferry')
  await labelled('Highlighted only', 'boat', 'highlight')
  const [boat, both, ferry] = [await comment('A boat'), await comment('A ferry boat'), await comment('A ferry')]

  const labelledAs = async (label: string, more: object = {}) => {
    const filter = { label, communityId, ...more }
    const items = await everyPage(moderator, { ...filter, order: 'oldest', limit: 1 })
    const { count } = await countMatching(moderator, DeskFilter.parse(filter))
    expect(count).toBe(items.length)
    return idsOf(items)
  }
  const [boatId, bothId, ferryId] = [boat, both, ferry].map(({ commentId }) => commentId)
  expect(await labelledAs('Selling?')).toEqual([boatId, bothId, ferryId])
  expect(await labelledAs(' Selling? ')).toEqual([boatId, bothId, ferryId])
  expect(await labelledAs('Off topic: all')).toEqual([bothId, ferryId])
  expect(await labelledAs('Off topic: all', { ruleId: boats.ruleId })).toEqual([bothId])
  expect(await labelledAs('Highlighted only')).toEqual([])
  expect(await labelledAs('selling?')).toEqual([])
  expect((await listFacets(moderator, {})).labels).toEqual(['Off topic: all', 'Selling?'])

  // A new version's label counts for what it holds from then on, and for what is edited.
  await changeRule(moderator, { ...boats, action: { ...boats.action, label: 'Boats' } })
  const later = await comment('Another boat')
  expect(await labelledAs('Boats')).toEqual([later.commentId])
  await editComment(ctxOf(database, asUser(author.userId)), { commentId: boatId ?? '', data: { text: 'The boat' } })
  expect(await labelledAs('Boats')).toEqual([boatId, later.commentId])
  expect(await labelledAs('Selling?')).toEqual([bothId, ferryId])
  expect(await wrongFacets()).toEqual([])
})

test('an item keeps its facets through a decision and its undo, and scores that come in between count', async () => {
  const { moderator, comment, running } = await scene()
  const { ruleId } = await running({ kind: 'words', words: ['boat'] })
  const { commentId } = await comment('A boat')
  await score(commentId, 0.6)
  const asked = { signal: 'toxicity', ruleId }
  expect((await everyPage(moderator, { ...asked, scoreFrom: 0.6 })).map((item) => item.score)).toEqual([0.6])

  const { decisionId } = await decide(moderator, { ...onComment(commentId), outcome: 'rejected' })
  expect(await prisma.reviewFacet.count({ where: { subjectId: commentId } })).toBe(0)
  await score(commentId, 0.7)
  expect(await prisma.reviewFacet.count({ where: { subjectId: commentId } })).toBe(0)
  await undoDecision(moderator, { decisionId })
  expect((await everyPage(moderator, { ...asked, order: 'score' })).map((item) => item.score)).toEqual([0.7])
  expect(await wrongFacets()).toEqual([])
})

test('an item that a rule holds by a score is found by both', async () => {
  const { moderator, comment, running } = await scene()
  const { ruleId } = await running({ kind: 'signal', name: 'toxicity', atLeast: 0.8 })
  const { commentId } = await comment('A boat')
  await score(commentId, 0.9)
  while (await judgeSignals(systemCtx(database)));
  expect(idsOf(await everyPage(moderator, { signal: 'toxicity', scoreFrom: 0.9, ruleId }))).toEqual([commentId])
  expect(await wrongFacets()).toEqual([])
})

test('a rule that fires again without holding is no facet any more', async () => {
  const { author, moderator, comment, running } = await scene()
  const { ruleId } = await running({ kind: 'words', words: ['boat'] })
  await running({ kind: 'words', words: ['ferry'] })
  const { commentId } = await comment('A ferry boat')
  await prisma.rule.update({ where: { ruleId }, data: { state: 'shadow', revision: { increment: 1 } } })
  await editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text: 'The ferry boat' } })
  expect(idsOf(await everyPage(moderator, { ruleId }))).toEqual([])
  expect(await wrongFacets()).toEqual([])
})

test('scores, decisions and flags at the same time leave the facets of what is held', async () => {
  const { moderator, comment, running } = await scene()
  await running({ kind: 'words', words: ['boat'] })
  for (let round = 0; round < scaled(5); round += 1) {
    const held = []
    for (let index = 0; index < 4; index += 1) held.push(await comment(`A boat ${index}`))
    await Promise.all(
      held.flatMap(({ commentId }, index) => [
        score(commentId, 0.3),
        score(commentId, 0.85, { name: 'spam' }),
        ...(index % 2 ? [decide(moderator, { ...onComment(commentId), outcome: 'approved' })] : []),
        prisma.comment.update({ where: { commentId }, data: { flagCount: { increment: 1 } } }),
      ]),
    )
    await keepReportsOf(
      database,
      'comment',
      held.map(({ commentId }) => commentId),
    )
    expect(await wrongFacets()).toEqual([])
  }
})

const big = await bigQueue()

/** Comments of one community, each with a score; up to four have the same. */
async function bigQueue() {
  const HELD = scaled(4_000)
  const { communityId } = await make.community()
  const { userId } = await make.user()
  await pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, data, data_types, approval_status, created_at, queued_at)
     select 'big-' || lpad(n::text, 7, '0'), $1, 'community', $2, jsonb_build_object('text', 'Some words ' || n), array['text'], 'pending', at, at
     from generate_series(1, $3) n cross join lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) held`,
    [communityId, userId, HELD],
  )
  await pool.query(
    `insert into signal (subject_type, subject_id, name, score, measured_at, received_at)
     select 'comment', comment_id, 'toxicity', (substr(comment_id, 5)::int * 37 % 1009) / 1008.0, now(), now()
     from comment where community_id = $1`,
    [communityId],
  )
  return { communityId, HELD }
}

test('the highest score comes first, ties by id, whatever the size of a page', async () => {
  const items = await everyPage(admin, { communityId: big.communityId, signal: 'toxicity', order: 'score', limit: 97 })
  expect(items).toHaveLength(big.HELD)
  const sorted = items.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || (a.subjectId < b.subjectId ? -1 : 1))
  expect(idsOf(items)).toEqual(idsOf(sorted))
  const above = await everyPage(admin, { signal: 'toxicity', scoreFrom: 0.95, order: 'score' })
  expect(idsOf(above).filter((id) => id.startsWith('big-'))).toEqual(
    idsOf(items.filter((item) => (item.score ?? 0) >= 0.95)),
  )
})

test('pages by score name no item twice and leave out none of those that stay', async () => {
  const { communityId } = await make.community()
  const held: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const { commentId } = await make.heldComment({ communityId })
    await score(commentId, (index + 1) / 20)
    held.unshift(commentId)
  }
  const items = await everyPage(admin, { communityId, signal: 'toxicity', order: 'score' }, async (page) => {
    if (page !== 0) return
    await decide(admin, { ...onComment(held[10] ?? ''), outcome: 'approved' })
    await score(held[15] ?? '', 0.01)
    await make.heldComment({ communityId })
  })
  expect(idsOf(items)).toEqual([...held.filter((_, index) => index !== 10 && index !== 15), held[15]])
})

test('names and finds nothing of communities that the caller does not review', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const { ruleId } = await running({ kind: 'words', words: ['boat'] })
  const { commentId } = await comment('A boat')
  await score(commentId, 0.5, { name: 'secret' })
  const stranger = ctxOf(database, await make.reviewerOf((await make.heldComment()).communityId))
  expect(await listFacets(moderator, { communityId })).toMatchObject({ signals: ['secret'] })
  expect(await listFacets(stranger, {})).toEqual({ rules: [], labels: [], signals: [] })
  await expect(listFacets(stranger, { communityId })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  for (const filter of [{ ruleId }, { signal: 'secret' }]) {
    const page = await listDeskQueue(stranger, DeskQueueInput.parse(filter))
    expect(page).toEqual({ items: [], narrowedTo: {} })
  }
})

test('rejects bounds without a signal, empty ranges, and an order by score of nothing', () => {
  for (const input of [
    { scoreFrom: 0.5 },
    { signal: 'toxicity', scoreFrom: 0.5, scoreUnder: 0.5 },
    { signal: 'toxicity', scoreFrom: 0.51 },
    { signal: 'toxicity', scoreFrom: 1 },
    { signal: 'No signal' },
    { order: 'score' },
    { order: 'score', signal: 'toxicity', view: 'escalated' },
  ])
    expect(DeskQueueInput.safeParse(input).success, JSON.stringify(input)).toBe(false)
  expect(DeskQueueInput.safeParse({ order: 'score', signal: 'toxicity', scoreFrom: 0.35 }).success).toBe(true)
})

test('a cursor is of its order', async () => {
  const asked = { communityId: big.communityId, signal: 'toxicity', limit: 5 }
  const { next: cursor } = await listDeskQueue(admin, DeskQueueInput.parse({ ...asked, order: 'score' }))
  const other = listDeskQueue(admin, DeskQueueInput.parse({ ...asked, order: 'newest', cursor }))
  await expect(other).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
})
