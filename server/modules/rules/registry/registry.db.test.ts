import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import type { CommunityPermission } from '#server/core/permission-names.ts'
import { PATTERNS_SIZE_AT_MOST } from '#server/modules/rules/conditions/pattern.ts'
import { Conditions } from '#server/modules/rules/conditions/schema.ts'
import { archiveRule } from '#server/modules/rules/registry/archive-rule.ts'
import {
  RUNNING_CHARACTERS_LIMIT,
  RUNNING_PATTERNS_LIMIT,
  RUNNING_WORDS_LIMIT,
} from '#server/modules/rules/registry/assert-sizes.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { listApplyingRules } from '#server/modules/rules/registry/list-applying.ts'
import { listRules } from '#server/modules/rules/registry/list-rules.ts'
import { listRuleSpaces } from '#server/modules/rules/registry/list-spaces.ts'
import { orderRules } from '#server/modules/rules/registry/order-rules.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { NewRule, RULES_LIMIT, type Rule, type RuleState } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'

const { database, prisma, pool, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

/** Somebody with a role of their own in the community. */
async function memberWho(communityId: string, permissions: CommunityPermission[]): Promise<Ctx> {
  const { roleId } = await prisma.role.create({
    data: { roleId: `role of ${communityId} ${permissions.join(' ')}`, scope: 'community', permissions },
  })
  const { userId } = await make.user()
  await make.member({ communityId, userId, roles: [roleId] })
  return as({ kind: 'user', userId, name: 'Member' })
}

const HOLD = { type: 'hold', severity: 'medium' } as const
const newRule = (communityId: string | null, over: object = {}) =>
  NewRule.parse({ communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' }, ...over })

async function moderated() {
  const { communityId } = await make.community()
  return { communityId, moderator: as(await make.reviewerOf(communityId)) }
}

async function inState(ctx: Ctx, rule: Rule, ...states: RuleState[]): Promise<Rule> {
  let current = rule
  for (const state of states) current = await setRuleState(ctx, { ...current, state })
  return current
}

test('a rule goes from draft to shadow, live and paused and back, and each step is logged and published', async () => {
  const { communityId, moderator } = await moderated()
  const rule = await createRule(moderator, newRule(communityId))
  expect(rule).toMatchObject({
    communityId,
    state: 'draft',
    version: 1,
    revision: 1,
    action: { type: 'hold' },
    owner: { displayName: 'Some one' },
    mayMakeLive: true,
    versions: [{ version: 1, condition: { kind: 'links', atLeast: 1 } }],
  })
  expect(rule.versions[0]).not.toHaveProperty('usedAt')

  const ended = await inState(moderator, rule, 'shadow', 'live', 'paused', 'live', 'shadow')
  expect(ended).toMatchObject({ state: 'shadow', version: 1, revision: 6 })
  expect(ended.versions[0]).toHaveProperty('usedAt')
  for (const state of ['draft', 'shadow'] as const)
    expect(await setRuleState(moderator, { ...ended, state }).catch(failureOf)).toBe('INVALID_PARAMETERS')

  await archiveRule(moderator, ended)
  expect(await listRules(moderator, { communityId })).toEqual([])
  expect(await readRule(moderator, rule).catch(failureOf)).toBe('NOT_FOUND')
  const log = await prisma.audit.findMany({ where: { subjectId: rule.ruleId }, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action }) => action)).toEqual([
    'rule.created',
    'rule.shadowed',
    'rule.madeLive',
    'rule.paused',
    'rule.madeLive',
    'rule.shadowed',
    'rule.archived',
  ])
  expect(log[2]).toMatchObject({
    communityId,
    before: { state: 'shadow', version: 1 },
    after: { state: 'live', version: 1 },
  })
  expect(await prisma.event.count({ where: { subjectId: rule.ruleId, isDeskOnly: true } })).toBe(7)
})

test('a version that was used never changes: a change makes the next one', async () => {
  const { communityId, moderator } = await moderated()
  const draft = await createRule(moderator, newRule(communityId))
  const changed = await changeRule(moderator, { ...draft, kinds: ['post'] })
  expect(changed).toMatchObject({ version: 1, kinds: ['post'], versions: [{ version: 1, kinds: ['post'] }] })

  const live = await inState(moderator, changed, 'live')
  const next = await changeRule(moderator, { ...live, condition: { kind: 'mentions', atLeast: 9 } })
  expect(next).toMatchObject({
    state: 'live',
    version: 2,
    condition: { kind: 'mentions', atLeast: 9 },
    versions: [
      { version: 2, usedAt: expect.any(String) },
      { version: 1, condition: { kind: 'links', atLeast: 1 } },
    ],
  })
  const renamed = await changeRule(moderator, { ...next, name: 'Many mentions' })
  expect(renamed).toMatchObject({ name: 'Many mentions', version: 2, revision: next.revision + 1 })
  expect(await changeRule(moderator, renamed)).toEqual(renamed)

  const rewrite = pool.query(`update rule_version set kinds = '{comment}' where rule_id = $1`, [draft.ruleId])
  await expect(rewrite).rejects.toThrow('never changes')
})

test.each<[string, (ctx: Ctx, rule: Rule) => Promise<unknown>, string]>([
  ['starts', (ctx, rule) => setRuleState(ctx, { ...rule, state: 'shadow' }), 'CHANGED'],
  ['changes', (ctx, rule) => changeRule(ctx, { ...rule, kinds: ['post'] }), 'CHANGED'],
  ['archives', archiveRule, 'NOT_FOUND'],
])('of two who act on a rule at the same time, one %s it and the other learns of that', async (_, act, code) => {
  const { communityId, moderator } = await moderated()
  const rule = await createRule(moderator, newRule(communityId))
  const other = as(await make.reviewerOf(communityId))
  const results = [act(moderator, rule), act(other, rule)].map((result) => result.then(() => 'acted', failureOf))
  expect((await Promise.all(results)).sort()).toEqual([code, 'acted'])
  expect(await prisma.audit.count({ where: { subjectId: rule.ruleId } })).toBe(2)
})

test('a moderator of another community neither sees nor changes a rule', async () => {
  const { communityId, moderator } = await moderated()
  const rule = await createRule(moderator, newRule(communityId))
  const stranger = (await moderated()).moderator
  for (const act of [
    () => readRule(stranger, rule),
    () => changeRule(stranger, { ...rule, name: 'Mine' }),
    () => setRuleState(stranger, { ...rule, state: 'live' }),
    () => archiveRule(stranger, rule),
  ])
    expect(await act().catch(failureOf)).toBe('NOT_FOUND')
  // That the community exists is known to all.
  for (const act of [
    () => listRules(stranger, { communityId }),
    () => createRule(stranger, newRule(communityId)),
    () => orderRules(stranger, { communityId, ruleIds: [rule.ruleId] }),
    () => createRule(moderator, newRule(null)),
  ])
    expect(await act().catch(failureOf)).toBe('FORBIDDEN')
  expect(await readRule(moderator, rule)).toEqual(rule)
})

test('a rule is made live only by someone who may do by hand what it does', async () => {
  const { communityId, moderator } = await moderated()
  const manager = await memberWho(communityId, ['MANAGE_RULES', 'REVIEW_COMMUNITY_COMMENT'])
  const rule = await createRule(manager, newRule(communityId, { kinds: ['comment', 'post'] }))
  expect(rule.mayMakeLive).toBe(false)
  const shadow = await inState(manager, rule, 'shadow')
  expect(await setRuleState(manager, { ...shadow, state: 'live' }).catch(failureOf)).toBe('FORBIDDEN')

  const ofComments = await inState(manager, await changeRule(manager, { ...shadow, kinds: ['comment'] }), 'live')
  expect(await changeRule(manager, { ...ofComments, kinds: ['post'] }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await changeRule(moderator, { ...ofComments, kinds: ['post'] })).toMatchObject({ state: 'live', version: 3 })
})

test('a rule that highlights is made live by anybody who manages it, but does not come to hold that way', async () => {
  const { communityId, moderator } = await moderated()
  const manager = await memberWho(communityId, ['MANAGE_RULES'])
  const rule = await createRule(manager, newRule(communityId, { action: { type: 'highlight' } }))
  expect(rule.mayMakeLive).toBe(true)
  const live = await inState(manager, rule, 'live')
  expect(await changeRule(manager, { ...live, action: HOLD }).catch(failureOf)).toBe('FORBIDDEN')
  const holding = await changeRule(moderator, { ...live, action: HOLD })
  expect(holding).toMatchObject({ state: 'live', version: 2, action: { type: 'hold' } })
  expect(holding.versions.map(({ action }) => action.type)).toEqual(['hold', 'highlight'])
})

test('a rule that reports is made live by anybody who manages it, and one that rejects only by those who review what it judges', async () => {
  const { communityId, moderator } = await moderated()
  const manager = await memberWho(communityId, ['MANAGE_RULES', 'REVIEW_COMMUNITY_COMMENT'])
  const flagging = await createRule(manager, newRule(communityId, { kinds: ['post'], action: { type: 'flag' } }))
  expect(flagging).toMatchObject({ mayMakeLive: true, mayTest: false })
  const live = await inState(manager, flagging, 'live')
  const action = { type: 'reject', severity: 'medium' } as const
  expect(await changeRule(manager, { ...live, action }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await changeRule(moderator, { ...live, action })).toMatchObject({ state: 'live', version: 2, action })

  const ofPosts = await createRule(manager, newRule(communityId, { kinds: ['comment', 'post'], action }))
  expect(ofPosts).toMatchObject({ mayMakeLive: false, mayTest: false })
  expect(await setRuleState(manager, { ...ofPosts, state: 'live' }).catch(failureOf)).toBe('FORBIDDEN')
  const ofComments = await createRule(manager, newRule(communityId, { action }))
  expect(await setRuleState(manager, { ...ofComments, state: 'live' })).toMatchObject({ state: 'live', mayTest: true })
})

test('a rule that mutes is made live only by those who review what it judges and mute members there', async () => {
  const { communityId, moderator } = await moderated()
  const action = { type: 'hold', severity: 'medium', muteMinutes: 60 } as const
  const reviewer = await memberWho(communityId, ['MANAGE_RULES', 'REVIEW_COMMUNITY_COMMENT'])
  const rule = await createRule(reviewer, newRule(communityId, { action }))
  expect(rule).toMatchObject({ mayMakeLive: false, action })
  expect(await setRuleState(reviewer, { ...rule, state: 'live' }).catch(failureOf)).toBe('FORBIDDEN')
  const holding = await inState(reviewer, await createRule(reviewer, newRule(communityId)), 'live')
  expect(await changeRule(reviewer, { ...holding, action }).catch(failureOf)).toBe('FORBIDDEN')

  const muter = await memberWho(communityId, ['MANAGE_RULES', 'MUTE_COMMUNITY_USER'])
  expect(await setRuleState(muter, { ...rule, state: 'live' }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await setRuleState(moderator, { ...rule, state: 'live' })).toMatchObject({ state: 'live', action })
})

test('a rule mutes for five minutes to thirty days', () => {
  const isValid = (muteMinutes: unknown) =>
    NewRule.safeParse({ ...newRule('x'), action: { type: 'hold', muteMinutes } }).success
  expect([4, 5, 43_200, 43_201, 5.5, '60'].map(isValid)).toEqual([false, true, true, false, false, false])
})

test('a label of up to 40 characters is part of the version', async () => {
  const { communityId, moderator } = await moderated()
  const withLabel = (label: string) => NewRule.safeParse({ ...newRule(communityId), action: { type: 'hold', label } })
  expect(['  ', 'x'.repeat(41)].map((label) => withLabel(label).success)).toEqual([false, false])
  expect(withLabel(` ${'x'.repeat(38)} `).data?.action.label).toBe('x'.repeat(38))
  const rule = await inState(moderator, await createRule(moderator, newRule(communityId)), 'live')
  const labelled = await changeRule(moderator, { ...rule, action: { ...rule.action, label: 'Scam' } })
  expect(labelled).toMatchObject({ version: 2, action: { label: 'Scam' } })
  expect(await changeRule(moderator, { ...labelled, action: labelled.action })).toMatchObject({ version: 2 })
  expect((await changeRule(moderator, { ...labelled, action: rule.action })).action).not.toHaveProperty('label')
})

test('the severity of a rule is part of its version, medium unless somebody chooses another', async () => {
  const { communityId, moderator } = await moderated()
  const created = await createRule(moderator, newRule(communityId))
  expect(created.action).toEqual({ type: 'hold', severity: 'medium' })
  // As the version before severities stored it.
  await pool.query(`update rule_version set action = '{"type":"hold"}' where rule_id = $1`, [created.ruleId])
  const rule = await inState(moderator, created, 'live')
  expect(rule.versions[0]?.action).toEqual(created.action)
  expect(await changeRule(moderator, { ...rule })).toMatchObject({ version: 1, revision: rule.revision })
  const severe = await changeRule(moderator, { ...rule, action: { ...rule.action, severity: 'high' } })
  expect(severe.versions.map(({ action }) => action.severity)).toEqual(['high', 'medium'])
  const act = await prisma.audit.findFirst({ where: { subjectId: rule.ruleId, action: 'rule.changed' } })
  expect(act).toMatchObject({ before: { version: 1 }, after: { version: 2 } })
})

test('rules of the network need the permission everywhere', async () => {
  const admin = as(asAdmin(['MANAGE_RULES']))
  const rule = await createRule(admin, newRule(null))
  expect(rule).not.toHaveProperty('communityId')
  expect(await listRules(admin, { communityId: null })).toMatchObject([{ ruleId: rule.ruleId, mayMakeLive: false }])
  expect(await setRuleState(admin, { ...rule, state: 'live' }).catch(failureOf)).toBe('FORBIDDEN')
  const reviewer = as(asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  expect(await setRuleState(reviewer, { ...rule, state: 'live' })).toMatchObject({ state: 'live' })
  expect(await readRule(as(asAdmin()), rule).catch(failureOf)).toBe('NOT_FOUND')
})

test('rules are in the order that was set, unless the rules have changed', async () => {
  const { communityId, moderator } = await moderated()
  const ruleIds: string[] = []
  for (const name of ['A', 'B', 'C']) ruleIds.push((await createRule(moderator, newRule(communityId, { name }))).ruleId)
  const reversed = ruleIds.toReversed()
  const listed = await orderRules(moderator, { communityId, ruleIds: reversed })
  expect(listed.map(({ name }) => name)).toEqual(['C', 'B', 'A'])
  expect(await orderRules(moderator, { communityId, ruleIds: ruleIds.slice(1) }).catch(failureOf)).toBe('CHANGED')
})

test('rules are ordered while others lock them in the order of their ids', async () => {
  const { communityId, moderator } = await moderated()
  for (const name of ['A', 'B', 'C']) await createRule(moderator, newRule(communityId, { name }))
  const ids = (await listRules(moderator, { communityId })).map(({ ruleId }) => ruleId).toSorted()
  const [first, ...later] = ids
  const other = await pool.connect()
  const lock = (ruleId: string) => other.query('select from rule where rule_id = $1 for no key update', [ruleId])
  await other.query('begin')
  await lock(first ?? '')
  const ordering = orderRules(moderator, { communityId, ruleIds: ids.toReversed() })
  await waitForLockWaiter(database)
  for (const ruleId of later) await lock(ruleId)
  await other.query('commit')
  other.release()
  expect((await ordering).map(({ ruleId }) => ruleId)).toEqual(ids.toReversed())
})

test.each([
  ['a pattern that cannot be used', { kind: 'pattern', pattern: '(a' }, 'closing )'],
  ['one in a group', { kind: 'not', condition: { kind: 'pattern', pattern: '(a' } }, 'condition.condition: '],
])('rejects %s', async (_, condition, message) => {
  const { communityId, moderator } = await moderated()
  const detail = [expect.stringContaining(message)]
  const rejected = { code: 'INVALID_PARAMETERS', details: { detail } }
  await expect(createRule(moderator, newRule(communityId, { condition }))).rejects.toMatchObject(rejected)
  const rule = await createRule(moderator, newRule(communityId))
  const changed = { ...rule, condition: Conditions.parse(condition) }
  await expect(changeRule(moderator, changed)).rejects.toMatchObject(rejected)
})

test('rejects patterns that are too large together', async () => {
  const { communityId, moderator } = await moderated()
  const pattern = (letters: number) => ({ kind: 'pattern', pattern: 'x'.repeat(letters) })
  const withPatterns = (...letters: number[]) =>
    newRule(communityId, { condition: { kind: 'any', conditions: letters.map(pattern) } })
  const detail = ['condition: its patterns are too large together']
  const rejected = { code: 'INVALID_PARAMETERS', details: { detail } }
  await expect(createRule(moderator, withPatterns(100, 100))).rejects.toMatchObject(rejected)
  await expect(createRule(moderator, withPatterns(100, 300))).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    details: { detail: ['condition.conditions[1]: the pattern is too large'] },
  })
  const rule = await createRule(moderator, withPatterns(100, 90))
  const changed = { ...rule, condition: Conditions.parse(withPatterns(90, 90, 90).condition) }
  await expect(changeRule(moderator, changed)).rejects.toMatchObject(rejected)
})

test('rejects a blank name, and more rules than the limit', async () => {
  const { communityId, moderator } = await moderated()
  expect(NewRule.safeParse({ ...newRule(communityId), name: '  ' }).success).toBe(false)

  await prisma.rule.createMany({
    data: Array.from({ length: RULES_LIMIT - 1 }, (_, position) => ({
      communityId,
      position,
      name: 'Rule',
      ownerId: 'x',
      createdAt: new Date(),
      updatedAt: new Date(),
    })),
  })
  const results = await Promise.all(
    [moderator, moderator].map((ctx) => createRule(ctx, newRule(communityId)).then(() => 'made', failureOf)),
  )
  expect(results.sort()).toEqual(['INVALID_PARAMETERS', 'made'])
})

test('rules in shadow and live have a limited number of words together', async () => {
  const { communityId, moderator } = await moderated()
  const words = Array.from({ length: RUNNING_WORDS_LIMIT / 2 }, (_, index) => `word${index}`)
  const condition = { kind: 'words', words }
  for (const state of ['shadow', 'live'] as const)
    await inState(moderator, await createRule(moderator, newRule(communityId, { condition })), state)
  const links = await inState(moderator, await createRule(moderator, newRule(communityId)), 'live')
  const oneMore = { kind: 'words', words: ['one'] }
  const change = changeRule(moderator, { ...links, condition: Conditions.parse(oneMore) })
  expect(await change.catch(failureOf)).toBe('INVALID_PARAMETERS')
  const draft = await createRule(moderator, newRule(communityId, { condition: oneMore }))
  expect(await setRuleState(moderator, { ...draft, state: 'shadow' }).catch(failureOf)).toBe('INVALID_PARAMETERS')
})

test('rules in shadow and live have a limited number of characters in all of their words', async () => {
  const { communityId, moderator } = await moderated()
  const long = (letter: string) => Array.from({ length: 1_000 }, (_, index) => `${letter}${index}`.padEnd(100, 'x'))
  for (const letter of ['a', 'b'])
    await inState(
      moderator,
      await createRule(moderator, newRule(communityId, { condition: { kind: 'words', words: long(letter) } })),
      'shadow',
    )
  const draft = await createRule(moderator, newRule(communityId, { condition: { kind: 'words', words: ['one'] } }))
  await expect(setRuleState(moderator, { ...draft, state: 'shadow' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    details: { detail: [expect.stringContaining(`${RUNNING_CHARACTERS_LIMIT} characters`)] },
  })
  expect(Conditions.safeParse({ kind: 'words', words: [...long('a'), 'one'] }).success).toBe(false)
})

test('the patterns of rules in shadow and live have a limited size together', async () => {
  const { communityId, moderator } = await moderated()
  const withPattern = (letters: number) =>
    createRule(moderator, newRule(communityId, { condition: { kind: 'pattern', pattern: 'x'.repeat(letters) } }))
  const largest = PATTERNS_SIZE_AT_MOST - 10
  for (let size = largest; size <= RUNNING_PATTERNS_LIMIT; size += PATTERNS_SIZE_AT_MOST)
    await inState(moderator, await withPattern(largest), 'live')
  const tooMany = { code: 'INVALID_PARAMETERS', details: { detail: [expect.stringContaining('patterns')] } }
  const draft = await withPattern(largest)
  await expect(setRuleState(moderator, { ...draft, state: 'shadow' })).rejects.toMatchObject(tooMany)
  await inState(moderator, await withPattern(1), 'shadow')
})

test('names where somebody may manage rules: their communities, or the network and those that have rules', async () => {
  const { communityId, moderator } = await moderated()
  expect(await listRuleSpaces(moderator)).toEqual([{ communityId, displayName: 'Some where', rules: 0 }])
  const admin = as(asAdmin(['MANAGE_RULES']))
  const ofAdmin = await listRuleSpaces(admin)
  expect(await listRuleSpaces(admin, { communityId })).toContainEqual(expect.objectContaining({ communityId }))
  expect(ofAdmin[0]).toEqual({ displayName: '', rules: expect.any(Number) })
  expect(ofAdmin).not.toContainEqual(expect.objectContaining({ communityId }))
  await createRule(moderator, newRule(communityId))
  expect(await listRuleSpaces(admin)).toContainEqual({ communityId, displayName: 'Some where', rules: 1 })
  expect(await listRuleSpaces(await memberWho(communityId, []))).toEqual([])
})

test('a paused rule says who paused it', async () => {
  const { communityId, moderator } = await moderated()
  const rule = await createRule(moderator, newRule(communityId))
  expect(rule).not.toHaveProperty('paused')
  const paused = await inState(moderator, rule, 'shadow', 'paused')
  expect(paused.paused).toEqual({ at: expect.stringMatching(/Z$/), by: 'Some one' })
  expect(await inState(moderator, paused, 'live')).not.toHaveProperty('paused')
})

test('says at which condition it is that can’t be used', async () => {
  const { communityId, moderator } = await moderated()
  const condition = {
    kind: 'any',
    conditions: [{ kind: 'links' }, { kind: 'not', condition: { kind: 'pattern', pattern: '(' } }],
  }
  const failure = await createRule(moderator, newRule(communityId, { condition })).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'INVALID_PARAMETERS',
    details: { detail: [expect.stringMatching(/^condition\.conditions\[1\]\.condition: .*missing closing/)] },
  })
})

test('those who manage a community’s rules see the live ones of the network, and open them if they manage these too', async () => {
  const { communityId, moderator } = await moderated()
  const admin = as(asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const rule = await createRule(admin, newRule(null, { name: 'Everywhere' }))
  const names = async (ctx: Ctx) =>
    (await listApplyingRules(ctx, { communityId })).filter(({ ruleId }) => ruleId === rule.ruleId)
  expect(await names(moderator)).toEqual([])
  await setRuleState(admin, { ...rule, state: 'live' })
  expect(await names(moderator)).toEqual([{ ruleId: rule.ruleId, name: 'Everywhere', does: 'hold', mayManage: false }])
  expect(await names(admin)).toMatchObject([{ mayManage: true }])
  const stranger = as(await make.reviewerOf((await make.community()).communityId))
  expect(await listApplyingRules(stranger, { communityId }).catch(failureOf)).toBe('FORBIDDEN')
})
