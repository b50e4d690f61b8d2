import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { listViews } from '#server/modules/review/views/list-views.ts'
import { changeNamedQueue } from '#server/modules/rules/queues/change-queue.ts'
import { createNamedQueue } from '#server/modules/rules/queues/create-queue.ts'
import { deleteNamedQueue } from '#server/modules/rules/queues/delete-queue.ts'
import { findQueueReviewers } from '#server/modules/rules/queues/find-reviewers.ts'
import { listNamedQueues } from '#server/modules/rules/queues/list-queues.ts'
import { NewNamedQueue, QUEUES_LIMIT } from '#server/modules/rules/queues/schema.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)
const admin = as(asAdmin(['MANAGE_POST_AND_COMMENT', 'MANAGE_RULES']))
const idOf = (actor: Actor) => ('userId' in actor ? (actor.userId ?? '') : '')

async function space() {
  const { communityId } = await make.community()
  const [manager, reviewer] = [await make.reviewerOf(communityId), await make.reviewerOf(communityId)]
  const create = (over: object = {}) =>
    createNamedQueue(
      as(manager),
      NewNamedQueue.parse({ communityId, name: 'Spam', memberIds: [idOf(reviewer)], ...over }),
    )
  return { communityId, manager, reviewer, create }
}

test('a queue has its name and members, and is listed for those who manage the rules of its space', async () => {
  const { communityId, manager, reviewer, create } = await space()
  const queue = await create({ name: ' Spam ' })
  expect(queue).toMatchObject({
    communityId,
    name: 'Spam',
    revision: 1,
    members: [{ userId: idOf(reviewer) }],
    rules: 0,
  })
  const wide = await createNamedQueue(
    admin,
    NewNamedQueue.parse({ communityId: null, name: 'Legal', memberIds: [idOf(reviewer)] }),
  )
  expect(wide).not.toHaveProperty('communityId')
  expect(await listNamedQueues(as(manager), { communityId })).toEqual([queue, { ...wide, members: [] }])
  expect(await listNamedQueues(admin, { communityId: null })).toEqual([wide])

  const stranger = await make.reviewerOf((await make.community()).communityId)
  expect(await listNamedQueues(as(stranger), { communityId }).catch(failureOf)).toBe('FORBIDDEN')
  const change = { queueId: queue.queueId, revision: 1, name: 'Mine' }
  expect(await changeNamedQueue(as(stranger), change).catch(failureOf)).toBe('NOT_FOUND')
  expect(await deleteNamedQueue(as(stranger), change).catch(failureOf)).toBe('NOT_FOUND')
  expect(await changeNamedQueue(as(manager), { ...change, queueId: wide.queueId }).catch(failureOf)).toBe('NOT_FOUND')
})

test('members are people who review there; one who no longer does stays until somebody removes them', async () => {
  const { communityId, manager, reviewer, create } = await space()
  const { userId } = await make.user()
  await make.member({ communityId, userId })
  expect(await create({ memberIds: [userId] }).catch(failureOf)).toBe('INVALID_PARAMETERS')
  expect(await create({ memberIds: ['nobody'] }).catch(failureOf)).toBe('INVALID_PARAMETERS')

  const { queueId, revision } = await create()
  await prisma.communityUser.updateMany({ where: { communityId, userId: idOf(reviewer) }, data: { roles: [] } })
  const memberIds = [idOf(reviewer), idOf(manager)]
  const changed = await changeNamedQueue(as(manager), { queueId, revision, memberIds })
  expect(changed.members.map((member) => member.userId).sort()).toEqual(memberIds.sort())
  const left = await changeNamedQueue(as(manager), { queueId, revision: 2, memberIds: [idOf(manager)] })
  expect(left.members.map((member) => member.userId)).toEqual([idOf(manager)])
})

test('finds people with an account who review the space, by part of their name', async () => {
  const { communityId, manager, reviewer } = await space()
  const stranger = await make.reviewerOf((await make.community()).communityId)
  for (const [actor, name] of [
    [reviewer, 'Aña Reviewer'],
    [stranger, 'Ana Stranger'],
  ] as const)
    await prisma.staffAccount.create({
      data: { id: crypto.randomUUID(), networkUserId: idOf(actor), name, email: `${crypto.randomUUID()}@example.org` },
    })
  const found = (name: string) => findQueueReviewers(as(manager), { communityId, name })
  expect(await found('ana rev')).toEqual([{ userId: idOf(reviewer), displayName: 'Aña Reviewer' }])
  expect(await found('stranger')).toEqual([])
  expect(await findQueueReviewers(admin, { communityId: null, name: 'ana' })).toHaveLength(2)
})

test('the queues of a deleted community are nobody’s views', async () => {
  const { communityId, reviewer, create } = await space()
  const { queueId } = await create()
  const listed = async (ctx: Ctx) => (await listViews(ctx)).map(({ viewId }) => viewId)
  for (const ctx of [as(reviewer), admin]) expect(await listed(ctx)).toContain(queueId)
  await prisma.community.update({ where: { communityId }, data: { isDeleted: true } })
  for (const ctx of [as(reviewer), admin]) expect(await listed(ctx)).not.toContain(queueId)
})

test('of two changes at once the second one learns of the first', async () => {
  const { manager, create } = await space()
  const { queueId, revision } = await create()
  const change = (name: string) => changeNamedQueue(as(manager), { queueId, revision, name }).catch(failureOf)
  const outcomes = await Promise.all([change('One'), change('Two')])
  expect(outcomes.filter((outcome) => outcome === 'CHANGED')).toHaveLength(1)
  expect(await deleteNamedQueue(as(manager), { queueId, revision }).catch(failureOf)).toBe('CHANGED')
  await deleteNamedQueue(as(manager), { queueId, revision: 2 })
  expect(await deleteNamedQueue(as(manager), { queueId, revision: 2 }).catch(failureOf)).toBe('NOT_FOUND')
})

test('each change is logged and published, its name beside the log; one that changes nothing isn’t', async () => {
  const { communityId, manager, reviewer, create } = await space()
  const { queueId } = await create()
  await changeNamedQueue(as(manager), { queueId, revision: 1, name: 'Spam', memberIds: [idOf(reviewer)] })
  await changeNamedQueue(as(manager), { queueId, revision: 1, memberIds: [] })
  await deleteNamedQueue(as(manager), { queueId, revision: 2 })
  const log = await prisma.audit.findMany({ where: { subjectId: queueId }, orderBy: { auditId: 'asc' } })
  expect(log).toMatchObject([
    { action: 'namedQueue.created', communityId, after: { memberIds: [idOf(reviewer)] } },
    { action: 'namedQueue.changed', before: { memberIds: [idOf(reviewer)] }, after: { memberIds: [] } },
    { action: 'namedQueue.deleted' },
  ])
  expect(JSON.stringify(log.map(({ before, after }) => [before, after]))).not.toContain('Spam')
  expect(await prisma.event.findMany({ where: { subjectId: queueId } })).toMatchObject(
    log.map(() => ({ name: 'desk.namedQueue.didChange', isDeskOnly: true })),
  )
})

test('a space has a limited number of queues, also when several are made at once', async () => {
  const { communityId, create } = await space()
  const at = { createdAt: new Date(), updatedAt: new Date() }
  await prisma.namedQueue.createMany({
    data: Array.from({ length: QUEUES_LIMIT - 1 }, (_, index) => ({ communityId, name: `Queue ${index}`, ...at })),
  })
  const outcomes = await Promise.all([create().catch(failureOf), create().catch(failureOf)])
  expect(outcomes.filter((outcome) => outcome === 'INVALID_PARAMETERS')).toHaveLength(1)
})
