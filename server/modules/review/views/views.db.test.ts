import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { changeView } from '#server/modules/review/views/change-view.ts'
import { countViews } from '#server/modules/review/views/count-views.ts'
import { deleteView } from '#server/modules/review/views/delete-view.ts'
import { listViews } from '#server/modules/review/views/list-views.ts'
import { saveView, VIEWS_KEPT } from '#server/modules/review/views/save-view.ts'
import { SaveViewInput, ViewFilters } from '#server/modules/review/views/schema.ts'
import { setDefaultView } from '#server/modules/review/views/set-default-view.ts'
import { asAdmin, asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const namesOf = async (actor: Actor) => (await listViews(as(actor))).map(({ name }) => name)
const viewOf = async (actor: Actor, viewId: string) =>
  (await listViews(as(actor))).find((view) => view.viewId === viewId)

/** A name that no other test uses. */
const unique = (name: string) => `${name} ${randomUUID().slice(0, 8)}`
const save = (actor: Actor, view: Parameters<typeof SaveViewInput.parse>[0] & object) =>
  saveView(as(actor), SaveViewInput.parse({ name: unique('View'), filters: {}, ...view }))

/** A desk session in admin context, with an account of its own. */
async function adminAtDesk(): Promise<Actor> {
  const { userId } = await make.user()
  const permissions = new Set(['MANAGE_POST_AND_COMMENT', 'MANAGE_NETWORK_SETTINGS'] as const)
  return { kind: 'admin', userId, name: 'Admin', rank: 600, permissions }
}

test('a personal view is stored as given, listed by name, and visible only to its owner', async () => {
  const { communityId } = await make.community()
  const [reviewer, colleague] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  const filters = ViewFilters.parse({ communityId, text: "100% of it's 東京", hasMedia: true, order: 'oldest' })
  await save(reviewer, { name: 'b', filters })
  await save(reviewer, { name: ' A ', filters: {} })

  expect(await listViews(as(reviewer))).toMatchObject([
    { name: 'A', isShared: false, isOwn: true, mayChange: true, mayMakeDefault: true },
    { name: 'b', filters },
  ])
  expect(await namesOf(colleague)).not.toContain('A')
})

test('a view of a period shows and counts the days of the period at that time, in its zone', async () => {
  const { communityId } = await make.community()
  const reviewer = await make.reviewerOf(communityId)
  const written = (at: string) => make.heldComment({ communityId, createdAt: new Date(at) })
  await written('2026-03-05T09:00:00Z')
  await written('2026-03-07T16:00:00Z')
  await written('2026-03-07T18:00:00Z')
  const filters = ViewFilters.parse({
    communityId,
    period: 'today',
    startDate: '2026-03-05',
    endDate: '2026-03-05',
    timeZone: 'Asia/Kathmandu',
  })
  const { viewId } = await save(reviewer, { filters })
  const at = (time: string) => ({ ...as(reviewer), now: () => new Date(time) })
  const daysAt = async (time: string) => {
    const [view] = await listViews(at(time))
    const [counted] = await countViews(at(time))
    return [view?.filters.startDate, view?.filters.endDate, counted?.count]
  }
  expect(await daysAt('2026-03-05T09:00:00Z')).toEqual(['2026-03-05', '2026-03-05', 1])
  expect(await daysAt('2026-03-07T18:14:00Z')).toEqual(['2026-03-07', '2026-03-07', 2])
  expect(await daysAt('2026-03-07T18:15:00Z')).toEqual(['2026-03-08', '2026-03-08', 0])

  const changed = await changeView(at('2026-03-07T18:14:00Z'), { viewId, filters: { ...filters, period: 'last7' } })
  expect(changed.filters).toMatchObject({ startDate: '2026-03-01', endDate: '2026-03-07' })
})

test('a shared view is listed for all reviewers who review what it names', async () => {
  const [here, elsewhere] = [await make.community(), await make.community()]
  const reviewer = await make.reviewerOf(here.communityId)
  const stranger = await make.reviewerOf(elsewhere.communityId)
  const post = await make.post({ communityId: here.communityId })
  const everywhere = await save(reviewer, { isShared: true, filters: { heldForMinutes: 60 } })
  const inPlace = await save(reviewer, { isShared: true, filters: { communityId: here.communityId } })
  const onPost = await save(reviewer, { isShared: true, filters: { postId: post.postId } })
  const onNothing = await save(reviewer, { isShared: true, filters: { communityId: 'no such community' } })
  const plain = await make.user()

  const colleague = await namesOf(await make.reviewerOf(here.communityId))
  expect(colleague).toEqual(expect.arrayContaining([everywhere, inPlace, onPost].map(({ name }) => name)))
  expect(colleague).not.toContain(onNothing.name)
  const strangers = await namesOf(stranger)
  expect(strangers).toContain(everywhere.name)
  expect(strangers).not.toContain(inPlace.name)
  expect(strangers).not.toContain(onPost.name)
  expect(await namesOf(asUser(plain.userId))).toEqual([])
  expect(await changeView(as(stranger), { viewId: inPlace.viewId, name: 'x' }).catch(failureOf)).toBe('NOT_FOUND')
})

test('a shared view never extends what its users may see', async () => {
  const [here, elsewhere] = [await make.community(), await make.community()]
  const reviewer = await make.reviewerOf(here.communityId)
  await make.heldComment({ communityId: here.communityId })
  const theirs = await make.heldComment({ communityId: elsewhere.communityId })
  const stranger = await make.reviewerOf(elsewhere.communityId)
  const { viewId } = await save(reviewer, { isShared: true, filters: {} })

  const { filters } = (await viewOf(stranger, viewId)) ?? { filters: {} }
  const { items } = await listDeskQueue(as(stranger), DeskQueueInput.parse(filters))
  expect(items.map(({ subjectId }) => subjectId)).toEqual([theirs.commentId])
})

test('rejects views of callers who review nothing, and of tokens, which belong to nobody', async () => {
  const { userId } = await make.user()
  expect(await save(asUser(userId), {}).catch(failureOf)).toBe('FORBIDDEN')
  expect(await save(asAdmin(), {}).catch(failureOf)).toBe('FORBIDDEN')
  expect(await save({ kind: 'nobody' }, {}).catch(failureOf)).toBe('FORBIDDEN')
})

test('a personal view is renamed, changed and deleted by its owner alone', async () => {
  const { communityId } = await make.community()
  const [owner, colleague] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  const { viewId } = await save(owner, { filters: { text: 'before' } })

  for (const act of [
    () => changeView(as(colleague), { viewId, name: 'mine' }),
    () => setDefaultView(as(colleague), { viewId, isDefault: true }),
    () => deleteView(as(colleague), { viewId }),
  ])
    expect(await act().catch(failureOf)).toBe('NOT_FOUND')

  await changeView(as(owner), { viewId, name: ' Now ' })
  await changeView(as(owner), { viewId, filters: ViewFilters.parse({ text: 'after' }) })
  expect(await viewOf(owner, viewId)).toMatchObject({ name: 'Now', filters: { text: 'after' } })
  await deleteView(as(owner), { viewId })
  expect(await viewOf(owner, viewId)).toBeUndefined()
  expect(await prisma.audit.count({ where: { subjectId: viewId } })).toBe(0)
})

test('a shared view is changed by its owner and by network admins; each change is logged, its text beside the log', async () => {
  const { communityId } = await make.community()
  const [owner, colleague] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  const admin = await adminAtDesk()
  const { viewId, name } = await save(owner, { isShared: true })

  expect(await viewOf(colleague, viewId)).toMatchObject({ isOwn: false, mayChange: false, mayMakeDefault: false })
  expect(await changeView(as(colleague), { viewId, name: 'x' }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await deleteView(as(colleague), { viewId }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await setDefaultView(as(owner), { viewId, isDefault: true }).catch(failureOf)).toBe('FORBIDDEN')

  await changeView(as(owner), { viewId, name: 'Renamed' })
  await setDefaultView(as(admin), { viewId, isDefault: true })
  await deleteView(as(admin), { viewId })

  const log = await prisma.audit.findMany({ where: { subjectId: viewId }, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action }) => action)).toEqual([
    'view.shared',
    'view.changed',
    'view.defaultChanged',
    'view.deleted',
  ])
  expect(JSON.stringify(log.map(({ before, after }) => [before, after]))).not.toContain(name)
  expect(await prisma.event.findMany({ where: { subjectId: viewId } })).toMatchObject(
    log.map(() => ({ name: 'desk.views.didChange', isDeskOnly: true })),
  )
})

test('there is one personal default and one shared default, however many are set at once', async () => {
  const { communityId } = await make.community()
  const owner = await make.reviewerOf(communityId)
  const admin = await adminAtDesk()
  const own = [await save(owner, {}), await save(owner, {}), await save(owner, {})]
  const shared = [await save(admin, { isShared: true }), await save(admin, { isShared: true })]

  await Promise.all([
    ...own.map(({ viewId }) => setDefaultView(as(owner), { viewId, isDefault: true })),
    ...shared.map(({ viewId }) => setDefaultView(as(admin), { viewId, isDefault: true })),
  ])
  const defaults = (await listViews(as(owner))).filter(({ isDefault }) => isDefault)
  expect(defaults.map(({ isShared }) => isShared)).toEqual([false, true])

  await setDefaultView(as(owner), { viewId: defaults[0]?.viewId ?? '', isDefault: false })
  expect((await listViews(as(owner))).filter(({ isDefault }) => isDefault)).toHaveLength(1)
})

test('limits the number of views, also for concurrent saves', async () => {
  const { communityId } = await make.community()
  const owner = await make.reviewerOf(communityId)
  await prisma.savedView.createMany({
    data: Array.from({ length: VIEWS_KEPT.own - 1 }, (_, index) => ({
      ownerId: owner.userId,
      name: `View ${index}`,
      page: 'queue',
      filters: {},
    })),
  })
  const results = await Promise.all([save(owner, {}), save(owner, {})].map((saving) => saving.catch(failureOf)))
  expect(results.filter((result) => result === 'INVALID_PARAMETERS')).toHaveLength(1)
  expect(await listViews(as(owner)).then((views) => views.filter(({ isOwn }) => isOwn))).toHaveLength(VIEWS_KEPT.own)
  expect(await save(owner, { isShared: true })).toMatchObject({ isShared: true })
})

test.each([
  { name: '' },
  { name: '   ' },
  { name: 'x'.repeat(61) },
  { filters: { startDate: '2026-02-02', endDate: '2026-02-01' } },
])('%j is rejected as a view', (wrong) => {
  expect(SaveViewInput.safeParse({ name: 'View', filters: {}, ...wrong }).success).toBe(false)
})

test('counts what each view contains of what the caller reviews', async () => {
  const [here, elsewhere] = [await make.community(), await make.community()]
  const reviewer = await make.reviewerOf(here.communityId)
  const [author, other] = [await make.user(), await make.user()]
  for (const { userId } of [author, author, other])
    await make.heldComment({ communityId: here.communityId, userId, data: { text: `by ${userId}` } })
  await make.heldPost({ communityId: here.communityId, postedUserId: author.userId })
  await make.heldComment({ communityId: elsewhere.communityId, userId: author.userId })
  const counted = async (filters: object) => {
    const { viewId } = await save(reviewer, { filters })
    return (await countViews(as(reviewer))).find((view) => view.viewId === viewId)
  }

  expect(await counted({ authorId: author.userId })).toMatchObject({ count: 3, isLowerBound: false })
  expect(await counted({ authorId: author.userId, kind: 'post' })).toMatchObject({ count: 1 })
  expect(await counted({ communityId: here.communityId, text: 'BY' })).toMatchObject({ count: 3 })
  expect(await counted({ communityId: elsewhere.communityId, text: 'by' })).toMatchObject({ count: 0 })
  expect(await counted({ view: 'escalated' })).toMatchObject({ count: 0 })
  expect(await counted({ view: 'reported' })).toMatchObject({ count: 0 })
})
