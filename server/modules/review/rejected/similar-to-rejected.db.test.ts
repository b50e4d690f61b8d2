import { expect, onTestFinished, test, vi } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { backtest } from '#server/modules/review/backtests/backtest.ts'
import { BacktestInput } from '#server/modules/review/backtests/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { decideItem } from '#server/modules/review/decisions/decide-items.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { forgetRejectedBands } from '#server/modules/review/rejected/forget-rejected-bands.ts'
import { storeRejectedBands } from '#server/modules/review/rejected/store-rejected-bands.ts'
import { readRejected } from '#server/modules/rules/judging/read-rejected.ts'
import { createRule } from '#server/modules/rules/registry/create-rule.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { setRuleState } from '#server/modules/rules/registry/set-rule-state.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, prisma, pool, make } = await testDatabase()
const rules = rulesOn(database)
const system = systemCtx(database)

const DAY_MS = 86_400_000
const SPAM = 'Earn 500 dollars a day from home, write to me for the details'
const SAME_SPAM = 'Earn 700 dollars a day from home!! Write to me for the details…'
const HARMLESS = 'The ferry to the island leaves at nine, the way back is at five'

async function storeAll(): Promise<void> {
  while (await storeRejectedBands(system));
}

async function scene() {
  const place = await rules.scene()
  const { communityId, moderator } = place
  const rejected = async (text: string, { by = moderator, ...over }: { by?: Ctx } & Record<string, unknown> = {}) => {
    const { commentId } = await make.heldComment({ communityId, data: { text }, ...over })
    const decision = await decide(by, { subjectType: 'comment', subjectId: commentId, outcome: 'rejected' })
    await storeAll()
    return { ...decision, commentId }
  }
  const stateOf = async (text: string) => (await place.comment(text)).approvalStatus
  return { ...place, rejected, stateOf }
}

const at = (ctx: Ctx, time: number): Ctx => ({ ...ctx, now: () => new Date(time) })
const daysAgo = (days: number) => Date.now() - days * DAY_MS

test('a rule holds what says nearly the same as something that people rejected in its community', async () => {
  const { running, rejected, stateOf } = await scene()
  await running({ kind: 'similarity' })
  expect(await stateOf(SAME_SPAM)).toBeNull()
  const elsewhere = await scene()
  await elsewhere.rejected(SPAM)
  expect(await stateOf(SAME_SPAM)).toBeNull()

  await rejected(SPAM)
  expect(await stateOf(SAME_SPAM)).toBe('pending')
  expect(await stateOf(HARMLESS)).toBeNull()
  expect(await stateOf('Earn 500')).toBeNull()
})

test('a rule of the network looks at what people rejected anywhere', async () => {
  const [here, elsewhere] = [await scene(), await scene()]
  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  const condition = { kind: 'similarity', withinDays: 1 }
  const rule = await createRule(admin, NewRule.parse({ communityId: null, name: 'All', kinds: ['comment'], condition }))
  const live = await setRuleState(admin, { ...rule, state: 'live' })
  await elsewhere.rejected('Meet nice singles in your town tonight, it is free, call me')
  expect(await here.stateOf('Meet nice singles in your town tonight: it is free, call us')).toBe('pending')
  await setRuleState(admin, { ...live, state: 'paused' })
})

test('counts rejections of the last days only, at least so many, and at least so similar', async () => {
  const { moderator, running, rejected, comment } = await scene()
  const conditions = {
    lately: { kind: 'similarity', withinDays: 2 },
    ever: { kind: 'similarity', withinDays: 90 },
    often: { kind: 'similarity', withinDays: 90, times: 2 },
    same: { kind: 'similarity', withinDays: 90, similarAtLeast: 1 },
  }
  const names = new Map<string, string>()
  for (const [name, condition] of Object.entries(conditions))
    names.set((await running(condition, 'shadow')).ruleId, name)
  const firedOn = async (text: string) =>
    (await rules.matchesOf((await comment(text)).commentId)).map(({ ruleId }) => names.get(ruleId)).sort()

  await rejected(SPAM, { by: at(moderator, daysAgo(91)) })
  expect(await firedOn(SPAM)).toEqual([])
  await rejected(SPAM, { by: at(moderator, daysAgo(3)) })
  expect(await firedOn(SAME_SPAM)).toEqual(['ever'])
  expect(await firedOn(SPAM)).toEqual(['ever', 'same'])
  await rejected(SPAM)
  expect(await firedOn(SAME_SPAM)).toEqual(['ever', 'lately', 'often'])
})

test('neither an undone rejection nor one that an appeal reversed counts, nor an approval, nor the text of something with files', async () => {
  const { communityId, moderator, running, rejected, stateOf } = await scene()
  await running({ kind: 'similarity' })
  const { decisionId } = await rejected(SPAM)
  expect(await stateOf(SAME_SPAM)).toBe('pending')
  await undoDecision(moderator, { decisionId })
  expect(await stateOf(SAME_SPAM)).toBeNull()
  const bandsOf = () => prisma.rejectedBand.count({ where: { decisionId: BigInt(decisionId) } })
  expect(await bandsOf()).toBe(24)
  await storeAll()
  expect(await bandsOf()).toBe(0)

  const { commentId: appealedId } = await rejected(SPAM)
  expect(await stateOf(SAME_SPAM)).toBe('pending')
  const appealed = { subjectType: 'comment', subjectId: appealedId, outcome: 'approved' } as const
  await decideItem(moderator, appealed, { from: 'rejected', isAppeal: true })
  expect(await stateOf(SAME_SPAM)).toBeNull()

  const { commentId } = await make.heldComment({ communityId, data: { text: SPAM } })
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'approved' })
  await rejected(SPAM, { dataTypes: ['text', 'image'] })
  expect(await stateOf(SAME_SPAM)).toBeNull()
})

test('what a rule rejected by itself does not count', async () => {
  const { moderator, running, comment, stateOf } = await scene()
  const rejecting = await running({ kind: 'words', words: ['dollars'] }, 'live', { action: { type: 'reject' } })
  expect((await comment(SPAM)).approvalStatus).toBe('rejected')
  await storeAll()
  await setRuleState(moderator, { ...rejecting, state: 'paused' })
  await running({ kind: 'similarity' })
  expect(await stateOf(SAME_SPAM)).toBeNull()
})

test('judges an edit by what was rejected until then', async () => {
  const { author, comment, running, rejected } = await scene()
  const { ruleId } = await running({ kind: 'similarity' })
  const { commentId } = await comment(HARMLESS)
  await rejected(SPAM)
  const edit = (commentId: string, text: string) =>
    editComment(ctxOf(database, asUser(author.userId)), { commentId, data: { text } })
  await edit(commentId, SAME_SPAM)
  expect(await prisma.comment.findUnique({ where: { commentId } })).toMatchObject({ approvalStatus: 'pending' })

  expect(await rules.matchesOf(commentId)).toMatchObject([{ ruleId }])
})

test('a backtest judges each item by what had been rejected before it was written', async () => {
  const { moderator, running, rejected } = await scene()
  const [first, second, third] = [daysAgo(9), daysAgo(8), daysAgo(1)]
  const items: Awaited<ReturnType<typeof rejected>>[] = []
  for (const [index, time] of [first, second, third].entries())
    items.push(await rejected(`${SPAM} ${index}`, { createdAt: new Date(time), by: at(moderator, time + 60_000) }))
  // A batch also ends after two seconds, which a busy machine may need for three items.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const tested = async (condition: object) => {
    const { ruleId } = await running({ kind: 'similarity', ...condition }, 'draft')
    const { rules } = await backtest(moderator, BacktestInput.parse({ ruleIds: [ruleId] }))
    return rules[0]?.samples.map(({ subjectId }) => items.findIndex(({ commentId }) => commentId === subjectId))
  }
  expect(await tested({})).toEqual([2, 1])
  expect(await tested({ times: 2 })).toEqual([2])
  expect(await tested({ withinDays: 3 })).toEqual([1])
})

test('two workers store the bands of each rejection once, also after a failure in the middle', async () => {
  const { moderator, communityId } = await scene()
  for (let index = 0; index < 5; index += 1) {
    const { commentId } = await make.heldComment({ communityId, data: { text: `${SPAM}, I am number ${index}` } })
    await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome: 'rejected' })
  }
  const failing = inTransaction(system, async (ctx) => {
    await storeRejectedBands(ctx)
    throw new Error('stopped')
  })
  await expect(failing).rejects.toThrow('stopped')
  await Promise.all([storeRejectedBands(system), storeRejectedBands(system)])
  await storeAll()
  const { rows } = await pool.query(
    'select count(*)::int as bands from rejected_band b join decision d using (decision_id) where d.community_id = $1 group by decision_id',
    [communityId],
  )
  expect(rows).toEqual(Array.from({ length: 5 }, () => ({ bands: 24 })))
})

test('forgets what was rejected more than 180 days ago, and stores nothing as old', async () => {
  const { communityId, moderator, rejected } = await scene()
  await rejected(SPAM, { by: at(moderator, daysAgo(179)) })
  await rejected(SPAM, { by: at(moderator, daysAgo(181)) })
  const bandsOf = () =>
    prisma.$queryRaw`select b.band from rejected_band b join decision d using (decision_id) where d.community_id = ${communityId}`
  expect(await bandsOf()).toHaveLength(24)
  await forgetRejectedBands(at(system, Date.now() + 2 * DAY_MS))
  expect(await bandsOf()).toEqual([])
})

test('looks at a limited number of rejected texts, however many are the same', async () => {
  const { communityId, rejected } = await scene()
  const { decisionId } = await rejected(SPAM)
  await execute(
    system,
    sql`
    with copies as (
      insert into decision (subject_type, subject_id, community_id, author_id, outcome, decided_by_name, decided_at, source, version, event_id,
        are_bands_stored)
      select subject_type, subject_id, community_id, author_id, outcome, decided_by_name, decided_at - make_interval(secs => n), source, version,
        event_id, true
      from decision cross join generate_series(1, 500) n where decision_id = ${decisionId}::bigint
      returning decision_id, decided_at)
    insert into rejected_band (band, decided_at, decision_id, community_key)
    select b.band, copies.decided_at, copies.decision_id, b.community_key
    from rejected_band b cross join copies where b.decision_id = ${decisionId}::bigint`,
  )
  const writings = [{ texts: [{ field: 'text' as const, text: SAME_SPAM }], textAt: new Date() }]
  const [found] = await readRejected(system, communityId, writings, [
    { scope: 'community', withinDays: 90, similarAtLeast: 0.7 },
  ])
  expect(found?.[0]?.similarities).toHaveLength(25)
})
