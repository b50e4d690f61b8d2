import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const input = (over: object) => RuleRecordInput.parse(over)

async function scene() {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const { ruleId } = await createRule(moderator, linksIn(communityId))
  return { communityId, moderator, ruleId }
}

const linksIn = (communityId: string | null) =>
  NewRule.parse({ communityId, name: 'Links', kinds: ['comment'], condition: { kind: 'links' } })

/** A held comment on which the rule fired. */
async function matched({ communityId, ruleId }: { communityId: string; ruleId: string }, text: string, isLive = true) {
  const { commentId } = await make.heldComment({ communityId, data: { text } })
  const match = { ruleId, version: 1, isLive, subjectType: 'comment' as const, subjectId: commentId }
  await prisma.ruleMatch.create({
    data: { ...match, found: [{ field: 'text', from: 0, to: 3 }], createdAt: new Date() },
  })
  return commentId
}

const decided = (ctx: Ctx, subjectId: string, outcome: 'approved' | 'rejected') =>
  decide({ ...ctx, undoWindowMs: 0 }, { subjectType: 'comment', subjectId, outcome })

test('a record has the part of a long text that the rule found something in', async () => {
  const { moderator, ...rule } = await scene()
  await matched(rule, `Buy pills. ${'The ferry runs again. '.repeat(800)}`)
  const { items } = await readRuleRecord(moderator, input({ ruleId: rule.ruleId, limit: 3 }))
  expect(items).toMatchObject([
    {
      content: { text: expect.stringMatching(/^Buy pills\. .{200,270}…$/), found: [{ field: 'text', from: 0, to: 3 }] },
    },
  ])
})

test('a record has what a rule held and would have held, what people decided on it, and the latest items', async () => {
  const { moderator, ...rule } = await scene()
  await decided(moderator, await matched(rule, 'First'), 'rejected')
  await decided(moderator, await matched(rule, 'Second'), 'approved')
  await matched(rule, 'Third')
  await decided(moderator, await matched(rule, 'Fourth', false), 'rejected')

  const record = await readRuleRecord(moderator, input({ ruleId: rule.ruleId, limit: 3 }))
  expect(record.counts).toEqual({
    live: { items: 3, rejected: 1, approved: 1 },
    shadow: { items: 1, rejected: 1, approved: 0 },
    isPartial: false,
  })
  expect(record.items).toMatchObject([
    { isLive: false, version: 1, outcome: 'rejected', content: { text: 'Fourth' } },
    { isLive: true, content: { text: 'Third', found: [{ field: 'text', from: 0, to: 3 }] } },
    { isLive: true, outcome: 'approved', content: { text: 'Second' } },
  ])
  expect(record.items[1]).not.toHaveProperty('outcome')

  const rest = await readRuleRecord(moderator, input({ ruleId: rule.ruleId, limit: 3, cursor: record.next }))
  expect(rest).toMatchObject({ items: [{ outcome: 'rejected', content: { text: 'First' } }] })
  expect(rest).not.toHaveProperty('next')
  expect(rest).not.toHaveProperty('counts')
})

test('a record is for those who manage the rule, and shows only texts that they review', async () => {
  const { ruleId, ...own } = await scene()
  const other = await scene()
  expect(await readRuleRecord(other.moderator, input({ ruleId })).catch(failureOf)).toBe('NOT_FOUND')
  expect(await readRuleRecord(own.moderator, input({ ruleId, cursor: 'x' })).catch(failureOf)).toBe('INVALID_REQUEST')

  const ofNetwork = await createRule(ctxOf(database, asAdmin(['MANAGE_RULES'])), linksIn(null))
  await matched({ ...own, ruleId: ofNetwork.ruleId }, 'Not theirs')
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  const { items, counts } = await readRuleRecord(manager, input({ ruleId: ofNetwork.ruleId }))
  expect(counts?.live.items).toBe(1)
  expect(items).toMatchObject([{ isLive: true, version: 1 }])
  expect(items[0]).not.toHaveProperty('content')
  const reviewer = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  expect(await readRuleRecord(reviewer, input({ ruleId: ofNetwork.ruleId }))).toMatchObject({
    items: [{ content: { text: 'Not theirs' } }],
  })
  expect(await readRuleRecord(own.moderator, input({ ruleId: ofNetwork.ruleId })).catch(failureOf)).toBe('NOT_FOUND')
})
