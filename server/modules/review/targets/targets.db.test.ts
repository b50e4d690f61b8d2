import { expect, test } from 'vitest'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { listTargets } from '#server/modules/review/targets/list-targets.ts'
import { readTargetStates } from '#server/modules/review/targets/read-states.ts'
import { removeTarget, setTarget } from '#server/modules/review/targets/set-target.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const admin = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
const HALF = { withinMinutes: 30, sharePercent: 50 }
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('setting, changing and removing a target are logged and notify clients; a call that changes nothing does neither', async () => {
  const { communityId } = await make.community({ displayName: 'Quay' })
  await setTarget(admin, { communityId, ...HALF })
  await setTarget(admin, { communityId, ...HALF })
  await setTarget(admin, { communityId, ...HALF, withinMinutes: 60 })
  const listed = async () => (await listTargets(admin)).filter((target) => target.communityId === communityId)
  expect(await listed()).toMatchObject([{ displayName: 'Quay', withinMinutes: 60, sharePercent: 50 }])
  await removeTarget(admin, { communityId })
  expect(await listed()).toEqual([])
  expect(await removeTarget(admin, { communityId }).catch(failureOf)).toBe('NOT_FOUND')

  const log = await prisma.audit.findMany({ where: { communityId }, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['community.targetSet', null, HALF],
    ['community.targetSet', HALF, { ...HALF, withinMinutes: 60 }],
    ['community.targetRemoved', { ...HALF, withinMinutes: 60 }, null],
  ])
  expect(await prisma.event.count({ where: { communityId, isDeskOnly: true } })).toBe(3)
})

test('only callers who may change network settings can set a target, and only of an existing community', async () => {
  const { communityId } = await make.community()
  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  for (const act of [
    async () => setTarget(reviewer, { communityId, ...HALF }),
    async () => removeTarget(reviewer, { communityId }),
    () => listTargets(reviewer),
  ])
    expect(await act().catch(failureOf)).toBe('FORBIDDEN')
  expect(await setTarget(admin, { communityId: 'none', ...HALF }).catch(failureOf)).toBe('NOT_FOUND')
})

test('a target is missed once less than its share is decided in time, counting overdue items', async () => {
  const { communityId } = await make.community()
  const reviewer = ctxOf(database, await make.reviewerOf(communityId))
  await setTarget(admin, { communityId, ...HALF })
  const isMissed = async () => (await readTargetStates(reviewer)).map(({ isMissed }) => isMissed)
  const held = (minutes: number) => make.heldComment({ communityId, queuedAt: minutesAgo(minutes) })
  const approve = (subjectId: string) => decide(reviewer, { subjectType: 'comment', subjectId, outcome: 'approved' })

  expect(await isMissed()).toEqual([false])
  await approve((await held(10)).commentId)
  await approve((await held(40)).commentId)
  // One of two.
  expect(await isMissed()).toEqual([false])
  const waits = await held(40)
  // One of three.
  expect(await isMissed()).toEqual([true])
  await held(5)
  await approve((await held(20)).commentId)
  // Two of four: pending items that are not overdue don't count.
  expect(await isMissed()).toEqual([false])
  for (let late = 0; late < 5; late += 1) await held(600)
  expect(await isMissed()).toEqual([true])
  expect(waits.communityId).toBe(communityId)
})

test('a reviewer sees only the targets of the communities they review', async () => {
  const [own, other] = [await make.community(), await make.community()]
  for (const { communityId } of [own, other]) await setTarget(admin, { communityId, ...HALF })
  const states = await readTargetStates(ctxOf(database, await make.reviewerOf(own.communityId)))
  expect(states).toEqual([{ communityId: own.communityId, ...HALF, isMissed: false }])
})
