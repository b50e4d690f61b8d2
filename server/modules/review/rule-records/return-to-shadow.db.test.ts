import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { decide, restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { returnToShadow } from '#server/modules/review/rule-records/return-to-shadow.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { NewRule, type Rule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const system = systemCtx(database)

/** A live rule of a new community, and its moderator. */
async function scene(over: { maxOverturned?: number | null; action?: object } = {}) {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId), { undoWindowMs: 0 })
  const fields = { communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' }, ...over }
  const draft = await createRule(moderator, NewRule.parse(fields))
  return { communityId, moderator, rule: await setRuleState(moderator, { ...draft, state: 'live' }) }
}

interface Held {
  moderator: Ctx
  communityId: string
  rule: Rule
}

/** Comments that the rule held, of which the moderator approves so many and rejects the others. */
async function decided({ moderator, communityId, rule }: Held, { approved = 0, rejected = 0, isLive = true }) {
  for (let index = 0; index < approved + rejected; index++) {
    const { commentId: subjectId } = await make.heldComment({ communityId, data: { text: 'example.com' } })
    const match = { ruleId: rule.ruleId, version: rule.version, isLive, subjectType: 'comment' as const, subjectId }
    await prisma.ruleMatch.create({ data: { ...match, found: [], createdAt: new Date() } })
    const outcome = index < approved ? 'approved' : 'rejected'
    await decide(moderator, { subjectType: 'comment', subjectId, outcome })
  }
}

const stateOf = async ({ moderator, rule }: Held) => (await readRule(moderator, rule)).state

test('a live rule goes back to shadow once people approve more than its share of what it holds, and says so', async () => {
  const held = await scene()
  await decided(held, { approved: 10, rejected: 10 })
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('live')

  await decided(held, { approved: 1 })
  await returnToShadow(system, undefined)
  const { state, revision, overturned } = await readRule(held.moderator, held.rule)
  expect({ state, revision }).toEqual({ state: 'shadow', revision: held.rule.revision + 1 })
  expect(overturned).toEqual({ decided: 21, approved: 11, at: expect.any(String) })
  const acts = await prisma.audit.findMany({ where: { subjectId: held.rule.ruleId, action: 'rule.overturned' } })
  expect(acts).toMatchObject([{ actorKind: 'system', actorId: 'rules', before: { state: 'live', version: 1 } }])
})

test('a rule that is made live again, or changed, starts over', async () => {
  const held = await scene()
  await decided(held, { approved: 20 })
  await returnToShadow(system, undefined)
  const shadow = await readRule(held.moderator, held.rule)
  const live = await setRuleState(held.moderator, { ...shadow, state: 'live' })
  expect(live).not.toHaveProperty('overturned')
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('live')

  await decided(held, { approved: 19 })
  const rule = await changeRule(held.moderator, { ...live, condition: { kind: 'links', atLeast: 2 } })
  await decided({ ...held, rule }, { approved: 19 })
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('live')
  await decided({ ...held, rule }, { approved: 1 })
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('shadow')
})

test('few decisions, what a rule would have held in shadow, and older decisions than the latest 50 count for nothing', async () => {
  const held = await scene()
  await decided(held, { approved: 19 })
  await decided(held, { approved: 10, isLive: false })
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('live')

  await decided(held, { rejected: 50 })
  await returnToShadow(system, undefined)
  expect(await stateOf(held)).toBe('live')
})

test('a rule has its own limit, or none', async () => {
  const [strict, never] = [await scene({ maxOverturned: 0.1 }), await scene({ maxOverturned: null })]
  await decided(strict, { approved: 3, rejected: 17 })
  await decided(never, { approved: 20 })
  await returnToShadow(system, undefined)
  expect(await stateOf(strict)).toBe('shadow')
  expect(await stateOf(never)).toBe('live')

  const limited = await changeRule(never.moderator, { ...never.rule, maxOverturned: 0.9 })
  expect(limited).toMatchObject({ version: 1, maxOverturned: 0.9 })
  const acts = await prisma.audit.findMany({ where: { subjectId: limited.ruleId, action: 'rule.changed' } })
  expect(acts).toMatchObject([{ before: { maxOverturned: null }, after: { maxOverturned: 0.9 } }])
})

test('a rule that only highlights stays live, whatever people decide', async () => {
  const highlighting = await scene({ action: { type: 'highlight' } })
  await decided(highlighting, { approved: 25 })
  await returnToShadow(system, undefined)
  expect(await stateOf(highlighting)).toBe('live')
})

test('a look concerns the rules whose items were decided since the one before', async () => {
  const [older, newer] = [await scene(), await scene()]
  await decided(older, { approved: 20 })
  const { decisionId } = await prisma.decision.findFirstOrThrow({ orderBy: { decisionId: 'desc' } })
  await decided(newer, { approved: 20 })
  const looked = await returnToShadow(system, { decisionId: String(decisionId), at: new Date() })
  expect(BigInt(looked.decisionId)).toBeGreaterThan(decisionId)
  expect(await stateOf(newer)).toBe('shadow')
  expect(await stateOf(older)).toBe('live')
})

test('a look concerns the rules whose mutes were ended since the one before, unless that was undone', async () => {
  const action = { type: 'hold', muteMinutes: 60 }
  const [ended, undone] = [await scene({ action }), await scene({ action })]
  const before = await returnToShadow(system, undefined)
  for (const held of [ended, undone])
    for (let index = 0; index < 20; index++) await unmutedBy(held, { isUndone: held === undone })
  await returnToShadow(system, before)
  expect(await readRule(ended.moderator, ended.rule)).toMatchObject({
    state: 'shadow',
    overturned: { decided: 20, approved: 20 },
  })
  expect(await stateOf(undone)).toBe('live')
})

test('of two processes that look at once, and somebody who pauses the rule, one changes it', async () => {
  const held = await scene()
  await decided(held, { approved: 20 })
  const outcomes = await Promise.allSettled([
    returnToShadow(system, undefined),
    returnToShadow(system, undefined),
    setRuleState(held.moderator, { ...held.rule, state: 'paused' }),
  ])
  expect(outcomes.slice(0, 2).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const { state, revision } = await readRule(held.moderator, held.rule)
  expect({ state, revision }).toEqual({
    state: outcomes[2]?.status === 'fulfilled' ? 'paused' : 'shadow',
    revision: held.rule.revision + 1,
  })
})

test('what a rule rejected counts as rejected until people restore it', async () => {
  const rejecting = await scene({ action: { type: 'reject' }, maxOverturned: 0.25 })
  const ids: string[] = []
  for (let index = 0; index < 24; index++) ids.push(await rejectedBy(rejecting))
  const restore = (subjectId: string) =>
    restoreRejected(rejecting.moderator, { subjectType: 'comment', subjectId, version: 1 })
  for (const id of ids.slice(0, 6)) await restore(id)
  await returnToShadow(system, undefined)
  expect(await stateOf(rejecting)).toBe('live')

  await restore(ids[6] ?? '')
  await returnToShadow(system, undefined)
  expect(await readRule(rejecting.moderator, rejecting.rule)).toMatchObject({
    state: 'shadow',
    overturned: { decided: 24, approved: 7 },
  })
})

/** A comment as the rule leaves it. */
async function rejectedBy({ communityId, rule: { ruleId, version } }: Held): Promise<string> {
  const { commentId: subjectId } = await make.heldComment({ communityId, data: { text: 'example.com' } })
  const match = { ruleId, version, isLive: true, subjectType: 'comment' as const, subjectId, found: [] }
  await prisma.ruleMatch.create({ data: { ...match, createdAt: new Date() } })
  const data = { approvalStatus: 'rejected' as const, isDeleted: true }
  await prisma.comment.update({ where: { commentId: subjectId }, data })
  return subjectId
}

/** A comment that the rule held and muted its author for, and the end of that mute by hand. */
async function unmutedBy({ communityId, rule: { ruleId, version } }: Held, { isUndone }: { isUndone: boolean }) {
  const { commentId: subjectId, userId } = await make.heldComment({ communityId, data: { text: 'example.com' } })
  const subject = { subjectType: 'comment' as const, subjectId }
  const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)]
  await prisma.ruleMatch.create({ data: { ...subject, ruleId, version, isLive: true, found: [], createdAt: now } })
  const mute = { communityId, userId, endsAt: later }
  const made = { ...mute, ...subject, mutedBy: ruleId, ruleVersion: version, createdAt: now }
  await prisma.mute.create({ data: { ...made, liftedAt: now, liftedBy: 'moderator' } })
  if (isUndone)
    await prisma.mute.create({ data: { ...mute, mutedBy: 'moderator', createdAt: new Date(Date.now() + 9_000) } })
}
