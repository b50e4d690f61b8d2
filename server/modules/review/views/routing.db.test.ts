import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { countViews } from '#server/modules/review/views/count-views.ts'
import { listViews } from '#server/modules/review/views/list-views.ts'
import { saveView } from '#server/modules/review/views/save-view.ts'
import { SaveViewInput } from '#server/modules/review/views/schema.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { deleteNamedQueue } from '#server/modules/rules/queues/delete-queue.ts'
import { NewNamedQueue } from '#server/modules/rules/queues/schema.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, make } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin(['MANAGE_POST_AND_COMMENT', 'MANAGE_RULES']))

const queueOf = (communityId: string | null, over: object = {}) =>
  createNamedQueue(admin, NewNamedQueue.parse({ communityId, name: 'Spam', memberIds: [], ...over }))
const boats = { kind: 'words', words: ['boat'] }
const sentTo = (queueId: string) => ({ action: { type: 'hold', queueId } })

async function idsIn(ctx: Ctx, filter: object): Promise<string[]> {
  const { items } = await listDeskQueue(ctx, DeskQueueInput.parse({ order: 'oldest', ...filter }))
  return items.map(({ subjectId }) => subjectId)
}

test('a rule sends what it holds to its queue, and everybody who reviews there still sees it', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const { queueId } = await queueOf(communityId)
  await running(boats, 'live', sentTo(queueId))
  await running({ kind: 'words', words: ['ferry'] })
  const [boat, ferry, both] = [await comment('A boat'), await comment('A ferry'), await comment('A ferry boat')]
  expect(await idsIn(moderator, { queueId })).toEqual([boat.commentId, both.commentId])
  expect(await idsIn(moderator, { communityId })).toEqual([boat.commentId, ferry.commentId, both.commentId])
  const stranger = ctxOf(database, await make.reviewerOf((await make.community()).communityId))
  expect(await idsIn(stranger, { queueId })).toEqual([])
})

test('two rules of one queue list an item once, and a newer version sends only what it holds itself', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const [first, second] = [await queueOf(communityId), await queueOf(communityId)]
  const rule = await running(boats, 'live', sentTo(first.queueId))
  await running({ kind: 'words', words: ['a boat'] }, 'live', sentTo(first.queueId))
  const before = await comment('A boat')
  const action = { type: 'hold', severity: 'medium', queueId: second.queueId } as const
  await changeRule(moderator, { ruleId: rule.ruleId, revision: rule.revision, action })
  const after = await comment('The boat')
  expect(await idsIn(moderator, { queueId: first.queueId })).toEqual([before.commentId])
  expect(await idsIn(moderator, { queueId: second.queueId })).toEqual([after.commentId])
})

test('a rule of a deleted queue goes on holding, and can be changed', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const queue = await queueOf(communityId)
  const rule = await running(boats, 'live', sentTo(queue.queueId))
  await deleteNamedQueue(admin, queue)
  const { commentId } = await comment('A boat')
  expect(await idsIn(moderator, { communityId })).toEqual([commentId])
  expect((await listViews(moderator)).map(({ viewId }) => viewId)).not.toContain(queue.queueId)
  const { ruleId, revision, action } = rule
  await changeRule(moderator, {
    ruleId,
    revision,
    action,
    condition: { kind: 'words', words: ['ship'], match: 'word', spelling: 'exact' },
  })
})

test('a rule names a queue of its own space or of the network', async () => {
  const { communityId, moderator } = await scene()
  const rule = (queueId: string, space: string | null = communityId) =>
    NewRule.parse({ communityId: space, name: 'Boats', kinds: ['comment'], condition: boats, ...sentTo(queueId) })
  const [own, wide, other] = [
    await queueOf(communityId),
    await queueOf(null),
    await queueOf((await make.community()).communityId),
  ]
  await createRule(moderator, rule(own.queueId))
  await createRule(moderator, rule(wide.queueId))
  const invalid = { code: 'INVALID_PARAMETERS' }
  await expect(createRule(moderator, rule(other.queueId))).rejects.toMatchObject(invalid)
  await expect(createRule(moderator, rule('none'))).rejects.toMatchObject(invalid)
  await expect(createRule(admin, rule(own.queueId, null))).rejects.toMatchObject(invalid)
})

test('queues are views: those of a member first, those of others last, each with its count', async () => {
  const { communityId, comment, running } = await scene()
  const actor = await make.reviewerOf(communityId)
  const reviewer = ctxOf(database, actor)
  const userId = 'userId' in actor ? actor.userId : ''
  const other = await queueOf(communityId, { name: 'A' })
  const mine = await queueOf(communityId, { name: 'Z', memberIds: [userId] })
  const hidden = await queueOf((await make.community()).communityId, { name: 'B' })
  const saved = await saveView(reviewer, SaveViewInput.parse({ name: 'M', filters: {} }))
  await running(boats, 'live', sentTo(mine.queueId))
  await comment('A boat')

  const views = await listViews(reviewer)
  const known = [other, mine, hidden].map(({ queueId }) => queueId)
  const ids = views.map(({ viewId }) => viewId).filter((id) => known.includes(id) || id === saved.viewId)
  expect(ids).toEqual([mine.queueId, saved.viewId, other.queueId])
  expect(views[0]).toEqual({
    viewId: mine.queueId,
    name: 'Z',
    filters: { view: 'waiting', order: 'newest', queueId: mine.queueId, communityId },
    isShared: true,
    isDefault: false,
    isOwn: false,
    mayChange: false,
    mayMakeDefault: false,
    queue: { isMember: true },
  })
  const counts = await countViews(reviewer)
  expect(counts.find(({ viewId }) => viewId === mine.queueId)).toMatchObject({ count: 1, isLowerBound: false })
  const member = ctxOf(database, asUser((await make.user()).userId))
  expect(await listViews(member)).toEqual([])
})
