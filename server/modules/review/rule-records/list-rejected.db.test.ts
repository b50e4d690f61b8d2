import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { listRejected } from '#server/modules/review/rule-records/list-rejected.ts'
import { RejectedByRulesInput } from '#server/modules/review/rule-records/schema.ts'
import { archiveRule } from '#server/modules/rules/registry/archive-rule.ts'
import { changeRule } from '#server/modules/rules/registry/change-rule.ts'
import { readRule } from '#server/modules/rules/registry/read-rule.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, pool } = await testDatabase()
const { scene } = rulesOn(database)

const rejectedBy = (ctx: Ctx, asked: object) => listRejected(ctx, RejectedByRulesInput.parse(asked))
const wordRule = (word: string) => ({ kind: 'words', words: [word] })
const rejecting = (name: string) => ({ name, action: { type: 'reject' } })

test('lists what any rule of the space rejected while live, newest first, and what people restored', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const boats = await running(wordRule('boat'), 'live', rejecting('Boats'))
  const ferries = await running(wordRule('ferry'), 'live', rejecting('Ferries'))
  await running(wordRule('anchor'))
  await running(wordRule('anchor'), 'shadow', rejecting('In shadow'))
  const elsewhere = await scene()
  await elsewhere.running(wordRule('boat'), 'live', rejecting('Elsewhere'))

  const boat = await comment('A boat')
  await comment('An anchor')
  const ferry = await comment('A ferry')
  await elsewhere.comment('A boat')
  await restoreRejected(moderator, { subjectType: 'comment', subjectId: ferry.commentId, version: ferry.version })

  const { items, next } = await rejectedBy(moderator, { communityId })
  expect(next).toBeUndefined()
  expect(items).toMatchObject([
    { subjectId: ferry.commentId, ruleId: ferries.ruleId, ruleName: 'Ferries', isLive: true, outcome: 'approved' },
    { subjectId: boat.commentId, ruleId: boats.ruleId, ruleName: 'Boats', content: { text: 'A boat' } },
  ])
  expect(items[1]).not.toHaveProperty('outcome')
})

test('keeps what a rule rejected when it is changed to hold, and when it is archived', async () => {
  const { communityId, moderator, comment, running } = await scene()
  const boats = await running(wordRule('boat'), 'live', rejecting('Boats'))
  const { commentId } = await comment('A boat')
  await changeRule(moderator, { ...boats, action: { type: 'hold', severity: 'medium' } })
  await comment('A held boat')
  const listed = async () => (await rejectedBy(moderator, { communityId })).items.map(({ subjectId }) => subjectId)
  expect(await listed()).toEqual([commentId])
  await archiveRule(moderator, await readRule(moderator, boats))
  expect(await listed()).toEqual([commentId])
})

test('is for those who manage rules there, with the texts that they review', async () => {
  const { communityId, comment, running } = await scene()
  await running(wordRule('boat'), 'live', rejecting('Boats'))
  await comment('A boat')
  const other = await scene()
  const asked = { communityId }
  expect(await rejectedBy(other.moderator, asked).catch(failureOf)).toBe('FORBIDDEN')
  expect(await rejectedBy(other.moderator, { communityId: null }).catch(failureOf)).toBe('FORBIDDEN')
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  expect(await rejectedBy(manager, { communityId: 'nowhere' }).catch(failureOf)).toBe('NOT_FOUND')
  expect(await rejectedBy(manager, { ...asked, cursor: 'x' }).catch(failureOf)).toBe('INVALID_REQUEST')
  const { items } = await rejectedBy(manager, asked)
  expect(items).toHaveLength(1)
  expect(items[0]).not.toHaveProperty('content')
})

test('its pages join without a gap or a repeat, and leave out what the rule found in shadow since', async () => {
  const { communityId, moderator, running } = await scene()
  const { ruleId } = await running(wordRule('boat'), 'live', rejecting('Boats'))
  const limit = 10
  const rejected = 3 * limit
  await pool.query(
    `insert into rule_match (rule_id, version, is_live, subject_type, subject_id, found, created_at)
     select $1, 1, n <= $2, 'message', $1 || n, '[]', now() from generate_series(1, $3) n`,
    [ruleId, rejected, 100],
  )
  const subjects: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await rejectedBy(moderator, { communityId, limit, ...(cursor && { cursor }) })
    subjects.push(...page.items.map(({ subjectId }) => subjectId))
    cursor = page.next
    if (cursor === undefined) break
  }
  expect(subjects).toEqual(Array.from({ length: rejected }, (_, index) => `${ruleId}${rejected - index}`))
})
