import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { normalizeText } from '#server/core/similarity/normalize-text.ts'
import { createComment } from '#server/modules/content/comments/create-comment.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { textKeyOf } from '#server/modules/content/items/text-key.ts'
import { createPost } from '#server/modules/content/posts/create-post.ts'
import type { NewPost } from '#server/modules/content/posts/schema.ts'
import { previewBulk } from '#server/modules/review/bulk/preview-bulk.ts'
import { runBulk } from '#server/modules/review/bulk/run-bulk.ts'
import { StartBulk } from '#server/modules/review/bulk/schema.ts'
import { startBulk } from '#server/modules/review/bulk/start-bulk.ts'
import { undoBulk } from '#server/modules/review/bulk/undo-bulk.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { takeLease } from '#server/modules/review/leases/take-lease.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput, type QueueItem } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { keepReportsOf } from '#server/testing/keep-reports-of.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor, { undoWindowMs: WAIT_LIMIT_MS })
const random = randomNumbers()

const listed = async (ctx: Ctx, over: object = {}) =>
  (await listDeskQueue(ctx, DeskQueueInput.parse({ limit: 100, ...over }))).items

const failureOf = (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error))

const countOf = ({ alike }: QueueItem) => alike?.count ?? 1

/** A community with these comments held, newest last, as one of its moderators sees it. */
async function heldTexts(...texts: string[]) {
  const { communityId } = await make.community({ needApprovalOnCommentCreation: true })
  const reviewer = await make.reviewerOf(communityId)
  const ids: string[] = []
  for (const [index, text] of texts.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index))
    const { commentId } = await make.heldComment({ communityId, data: { text }, createdAt: at, queuedAt: at })
    ids.push(commentId)
  }
  return { communityId, reviewer, ids, ctx: as(reviewer) }
}

const comment = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })

test('counts exactly what is held with the same text, whatever is held, decided, undone, edited and deleted in between', async () => {
  const { communityId, ctx, ids } = await heldTexts(...Array.from({ length: 30 }, (_, index) => variant(index)))
  const { postId } = await make.post({ communityId })
  const decisions: string[] = []
  const moderator = as(asAdmin(['EDIT_COMMUNITY_COMMENT', 'DELETE_COMMUNITY_COMMENT', 'MANAGE_POST_AND_COMMENT']))
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const ACTS = [
    () => write(),
    () => write(),
    async (id: string) => {
      const { version } = await prisma.comment.findUniqueOrThrow({ where: { commentId: id } })
      decisions.push((await decide(ctx, { ...comment(id), outcome: 'approved', version })).decisionId)
    },
    async () => {
      const decisionId = decisions.pop()
      if (decisionId) await undoDecision(ctx, { decisionId })
    },
    (id: string) => editComment(moderator, { commentId: id, data: { text: variant(random.below(40)) } }),
    (id: string) => deleteComment(moderator, { commentId: id, permanent: false }),
  ]
  async function write(): Promise<void> {
    const written = { referenceType: 'post' as const, referenceId: postId }
    const text = variant(random.below(40))
    const { comments } = await createComment(as(asUser(userId)), { ...written, data: { text } })
    ids.push(comments[0]?.commentId ?? '')
  }

  for (let round = 0; round < scaled(12); round += 1) {
    const acts = Array.from({ length: 8 }, () => random.oneOf(ACTS))
    const some = () => random.oneOf(ids)
    // Decided, deleted and changed at the same time: some of them fail, and none of them may be miscounted.
    await Promise.allSettled(acts.map((act) => act(some())))
    const rows = await prisma.comment.findMany({ where: { communityId, approvalStatus: 'pending', isDeleted: false } })
    const normal = (data: unknown) => normalizeText(String((data as { text?: string }).text ?? ''))
    const expected = rows.map(({ commentId, data }) => [
      commentId,
      rows.filter((other) => normal(other.data) === normal(data)).length,
    ])
    const shown = (await listed(ctx, { communityId })).map((item) => [item.subjectId, countOf(item)])
    expect(shown).toHaveLength(Math.min(100, rows.length))
    expect(Object.fromEntries(expected)).toMatchObject(Object.fromEntries(shown))
  }
})

/** One of four texts, each written in many ways. */
function variant(number: number): string {
  const text = ['cheap watches', 'free money', 'hello', 'спасибо'][number % 4] ?? ''
  const ways = [text, text.toUpperCase(), `${text}!!!`, text.replace('e', 'eee'), text.replace('a', 'а')]
  return ways[Math.floor(number / 4) % ways.length] ?? text
}

test('a text that changes leaves its group at once', async () => {
  const { ctx, ids, reviewer } = await heldTexts('same words', 'same words')
  await prisma.comment.update({ where: { commentId: ids[0] ?? '' }, data: { data: { text: 'others' } } })
  expect((await listed(ctx)).map(countOf)).toEqual([1, 1])
  expect((await previewBulk(as(reviewer), { alike: [comment(ids[1] ?? '')] })).items).toHaveLength(1)
})

test('groups posts by title and text, never what has files, and neither across types nor communities', async () => {
  const { communityId } = await make.community({ needApprovalOnPostCreation: true })
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const reviewer = await make.reviewerOf(communityId)
  const post = {
    targetType: 'community' as const,
    targetId: communityId,
    dataType: 'text',
    attachments: [],
  } satisfies Partial<NewPost>
  for (const data of [{ text: 'Same words' }, { text: 'same, words' }, { title: 'Same', text: 'words' }])
    await createPost(as(asUser(userId)), { ...post, data })
  await make.heldComment({ communityId, data: { text: 'Same words' } })
  await make.heldComment({ communityId, data: { text: 'Same words' }, dataTypes: ['text', 'image'] })
  await make.heldComment({ communityId, data: { text: 'Same words' }, dataTypes: ['text', 'image'] })
  await make.heldComment({ data: { text: 'Same words' } })

  const counts = (await listed(as(reviewer))).map((item) => [item.subjectType, item.title, countOf(item)])
  expect(counts.sort()).toEqual(
    [
      ['comment', undefined, 1],
      ['comment', undefined, 1],
      ['comment', undefined, 1],
      ['post', undefined, 2],
      ['post', undefined, 2],
      ['post', 'Same', 1],
    ].sort(),
  )
})

test('lists what is decided with a group, newest first, and what is decided by itself, with why', async () => {
  const { communityId, ctx, ids, reviewer } = await heldTexts(...Array.from({ length: 6 }, () => 'same words'))
  const colleague = await make.reviewerOf(communityId)
  const [escalated, opened, flagged, edited, plain, newest] = ids.map(comment)
  if (!escalated || !opened || !flagged || !edited || !plain || !newest) throw new Error('six are held')
  const own = await make.heldComment({ communityId, userId: reviewer.userId, data: { text: 'Same words' } })
  await escalate(as(colleague), { ...escalated, note: 'Please look' })
  await takeLease(as(colleague), opened)
  await takeLease(ctx, plain)
  await prisma.comment.update({ where: { commentId: flagged.subjectId }, data: { flagCount: 2 } })
  await keepReportsOf(database, 'comment', [flagged.subjectId])
  await prisma.comment.update({ where: { commentId: edited.subjectId }, data: { editedAt: new Date() } })

  expect((await readItem(ctx, newest)).item.alike?.count).toBe(7)
  expect((await readItem(ctx, escalated)).item.alike).toBeUndefined()

  const { items, isCut } = await previewBulk(ctx, { alike: [newest] })

  expect(isCut).toBe(false)
  expect(items.map(({ subjectId, error, apart }) => [subjectId, error ?? apart?.why, apart?.who])).toEqual([
    [own.commentId, 'FORBIDDEN', undefined],
    [newest.subjectId, undefined, undefined],
    [plain.subjectId, undefined, undefined],
    [edited.subjectId, 'edited', undefined],
    [flagged.subjectId, 'flagged', undefined],
    [opened.subjectId, 'viewed', 'Some one'],
    [escalated.subjectId, 'escalated', colleague.name],
  ])
  // The escalated one has a list of its own, and counts.
  expect((await listed(ctx)).map(countOf)).toEqual([7, 7, 7, 7, 7, 7])
})

test('several groups are previewed at once, each item once, and named by their group', async () => {
  const { ctx, ids } = await heldTexts('same words', 'other words', 'same words', 'other words', 'single words')
  const { items, isCut } = await previewBulk(ctx, { alike: ids.slice(0, 3).map(comment) })
  const byKey = Object.values(Object.groupBy(items, ({ alikeKey }) => alikeKey ?? ''))
  const [first, second, third, fourth] = ids
  expect(byKey.map((group) => group?.map(({ subjectId }) => subjectId).sort())).toEqual(
    expect.arrayContaining([[first, third].sort(), [second, fourth].sort()]),
  )
  expect([items.length, isCut]).toEqual([4, false])
})

test('a moderator of another community sees nothing of a group', async () => {
  const { ids } = await heldTexts('same words', 'same words')
  const stranger = as(await make.reviewerOf((await make.community()).communityId))
  expect(await previewBulk(stranger, { alike: [comment(ids[0] ?? '')] })).toEqual({ items: [], isCut: false })
})

test('two moderators who decide a group at once decide each item once, and each undo takes back its own', async () => {
  const { communityId, ctx: ana, ids } = await heldTexts(...Array.from({ length: 40 }, () => 'same words'))
  const ben = as(await make.reviewerOf(communityId))
  const start = async (ctx: Ctx) => {
    const { items } = await previewBulk(ctx, { alike: [comment(ids[0] ?? '')] })
    const bulkId = randomUUID()
    await startBulk(ctx, StartBulk.parse({ bulkId, outcome: 'approved', items }))
    return bulkId
  }
  const finish = async (ctx: Ctx, bulkId: string) => {
    for (;;) {
      const progress = await runBulk(ctx, { bulkId })
      if (progress.isFinished) return progress
    }
  }
  const [anas, bens] = await Promise.all([start(ana), start(ben)])

  const [one, two] = await Promise.all([finish(ana, anas), finish(ben, bens)])

  expect(one.done + two.done).toBe(40)
  expect(await prisma.decision.count({ where: { communityId } })).toBe(40)
  expect(await listed(ana)).toEqual([])
  await Promise.allSettled([undoBulk(ana, { bulkId: anas }), undoBulk(ben, { bulkId: bens })])
  await Promise.all([finish(ana, anas), finish(ben, bens)])
  expect((await listed(ana)).map(countOf)).toEqual(ids.map(() => 40))
})

test('three moderators who decide and undo groups at once, while more is held, leave each item in one state and every count exact', async () => {
  const { communityId, ids, ctx } = await heldTexts(...Array.from({ length: 12 }, (_, index) => variant(index)))
  const moderators = [ctx, as(await make.reviewerOf(communityId)), as(await make.reviewerOf(communityId))]
  const finish = async (ctx: Ctx, bulkId: string) => {
    while (!(await runBulk(ctx, { bulkId })).isFinished) {}
  }
  const act = async (ctx: Ctx, round: number) => {
    const { items } = await previewBulk(ctx, { alike: [comment(ids[round % ids.length] ?? '')] })
    if (items.length === 0) return
    const bulkId = randomUUID()
    const outcome = round % 2 === 0 ? 'approved' : 'rejected'
    await startBulk(ctx, StartBulk.parse({ bulkId, outcome, items }))
    await finish(ctx, bulkId)
    if (round % 3 === 0) return
    await undoBulk(ctx, { bulkId }).catch(failureOf)
    await finish(ctx, bulkId)
  }
  const rounds = scaled(6)
  const holding = async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { commentId } = await make.heldComment({ communityId, data: { text: variant(round) } })
      ids.push(commentId)
    }
  }
  const moderating = moderators.map(async (ctx, index) => {
    for (let round = 0; round < rounds; round += 1) await act(ctx, round + index)
  })

  await Promise.all([...moderating, holding()])

  const open = await prisma.decision.groupBy({
    by: ['subjectId'],
    where: { communityId, undoneAt: null },
    _count: true,
  })
  expect(open.filter(({ _count }) => _count !== 1)).toEqual([])
  const rows = await prisma.comment.findMany({ where: { communityId } })
  const held = rows.filter(({ approvalStatus }) => approvalStatus === 'pending')
  expect(held.length + open.length).toBe(rows.length)
  const items = await prisma.reviewItem.findMany({ where: { communityId, kind: 'held', state: 'waiting' } })
  const keys = items.map(({ textKey }) => textKey)
  const expected = items.map(({ subjectId, textKey }) => [subjectId, keys.filter((key) => key === textKey).length])
  const listedNow = await listed(ctx, { communityId })
  expect(Object.fromEntries(expected)).toMatchObject(
    Object.fromEntries(listedNow.map((item) => [item.subjectId, countOf(item)])),
  )
  expect(listedNow).toHaveLength(Math.min(100, held.length))
})

test('later pages leave out the rest of a large group, however long it is, and list everything else once', async () => {
  const texts = Array.from({ length: 120 }, (_, index) => (index % 10 === 0 ? `other ${index}` : 'the same words'))
  const { ctx } = await heldTexts(...texts)
  for (const order of ['newest', 'oldest']) {
    const seen: QueueItem[][] = []
    let cursor: string | undefined
    do {
      const input = DeskQueueInput.parse({ order, limit: 5, ...(cursor && { cursor }) })
      const page = await listDeskQueue(ctx, input, { scanLimit: 7 })
      seen.push(page.items)
      cursor = page.next
    } while (cursor !== undefined)
    const others = seen.flat().filter(({ text }) => text.startsWith('other'))
    expect(others.map(({ text }) => text)).toEqual(
      texts.filter((text) => text.startsWith('other')).sort((a, b) => rank(order, a, b)),
    )
    expect(seen.flat().length - others.length).toBe(seen[0]?.filter(({ alike }) => alike).length)
  }
})

const rank = (order: string, a: string, b: string) =>
  (Number(a.slice(6)) - Number(b.slice(6))) * (order === 'oldest' ? 1 : -1)

test('an imported comment has the key of a written one', async () => {
  const { communityId, ids } = await heldTexts('Cheap watches')
  const { postId } = await make.post({ communityId })
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  const written = { referenceType: 'post' as const, referenceId: postId, data: { text: 'cheap, WATCHES' } }
  const { comments } = await createComment(as(asUser(userId)), written)
  const keys = await prisma.reviewItem.findMany({
    where: { subjectId: { in: [ids[0] ?? '', comments[0]?.commentId ?? ''] } },
    select: { textKey: true },
  })
  const key = textKeyOf({ subjectType: 'comment', communityId, data: written.data, hasFiles: false })
  expect(keys).toEqual([{ textKey: key }, { textKey: key }])
})
