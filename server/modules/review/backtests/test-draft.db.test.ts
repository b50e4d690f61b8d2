import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { DraftTestInput } from '#server/modules/review/backtests/schema.ts'
import { testDraft } from '#server/modules/review/backtests/test-draft.ts'
import { proposeRule } from '#server/modules/review/bulk/propose-rule.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { watchTables } from '#server/testing/watch-tables.ts'

const { database, pool, make } = await testDatabase()

// A batch also ends after two seconds, which a busy machine may need for a few items.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

async function scene() {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId))
  const hold = async (text: string) => {
    const { commentId } = await make.heldComment({ communityId, data: { text }, queuedAt: new Date() })
    return { subjectType: 'comment' as const, subjectId: commentId }
  }
  const draftOf = (condition: unknown, over: object = {}) => ({ communityId, kinds: ['comment'], condition, ...over })
  return { communityId, moderator, hold, draftOf }
}

const run = (ctx: Ctx, input: object) => testDraft(ctx, DraftTestInput.parse(input))
const words = (...list: string[]) => ({ kind: 'words', words: list })

test('a rule made from a wave finds each item of the wave, and the test tells these from the others that it finds', async () => {
  const { moderator, hold, draftOf } = await scene()
  const wave = []
  for (const name of ['Anna', 'Boris', 'Carla', 'Doris'])
    wave.push(
      await hold(`${name}, look at these marvellous cheap watches of the finest brands at watches.example today`),
    )
  await hold('Cheap watches are never of the finest brands, if you ask me, and I will not look at these')
  await hold('The harbour is closed until the morning')
  const [subject = expect.fail()] = wave
  const { condition, communityIds } = (await proposeRule(moderator, subject)) ?? expect.fail()
  const source = { subject, isWave: true }
  const names = wave.map(({ subjectId }) => `comment:${subjectId}`).sort()
  expect(communityIds).toHaveLength(1)

  const watch = await watchTables(pool)
  const batch = await run(moderator, { draft: draftOf(condition), source })
  expect(await watch.changes()).toEqual([])
  expect(batch).toMatchObject({ together: { judged: { pending: 6 }, caught: { pending: 4 } }, total: 6 })
  expect([batch.source?.total, batch.source?.caught.toSorted(), batch.caught.toSorted()]).toEqual([4, names, names])

  const wider = await run(moderator, { draft: draftOf(words('watches')), source })
  expect(wider.source?.caught.toSorted()).toEqual(names)
  expect(wider.caught).toHaveLength(5)
  const narrower = await run(moderator, { draft: draftOf(words('Anna')), source })
  expect(narrower.source).toMatchObject({ total: 4, caught: [names.find((name) => name.endsWith(subject.subjectId))] })
})

test('a rule made from an item says whether it finds it, also after a decision on it, and not where it isn’t', async () => {
  const { moderator, hold, draftOf } = await scene()
  const subject = await hold('A ferry leaves at noon')
  await decide(moderator, { ...subject, outcome: 'rejected' })
  await hold('Another ferry')
  const source = { subject, isWave: false }
  expect(await run(moderator, { draft: draftOf(words('ferry leaves')), source })).toMatchObject({
    source: { total: 1, caught: [`comment:${subject.subjectId}`] },
    together: { caught: { rejected: 1, pending: 0 } },
  })
  expect(await run(moderator, { draft: draftOf(words('tram')), source })).toMatchObject({
    source: { total: 1, caught: [] },
  })
  const other = await scene()
  const elsewhere = { draft: other.draftOf(words('ferry')), source }
  expect(await run(other.moderator, elsewhere)).toMatchObject({ source: { total: 0, caught: [] } })
})

test('goes on with the next batch until the draft changes', async () => {
  const { moderator, hold, draftOf } = await scene()
  for (const text of ['A ferry', 'A tram', 'My ferry']) await hold(text)
  const draft = draftOf(words('ferry'))
  const first = await run(moderator, { draft, limit: 2 })
  const rest = await run(moderator, { draft, limit: 2, cursor: first.next })
  expect(first.caught.length + rest.caught.length).toBe(2)
  expect([first.total, rest.total, rest.next]).toEqual([3, undefined, undefined])
  const changed = { draft: draftOf(words('tram')), limit: 2, cursor: first.next }
  expect(await run(moderator, changed).catch(failureOf)).toBe('CHANGED')
})

test('is for those who manage rules there and review what the draft judges, and says which condition can’t be used', async () => {
  const { communityId, moderator, draftOf } = await scene()
  const draft = draftOf(words('ferry'))
  const other = await scene()
  expect(await run(other.moderator, { draft }).catch(failureOf)).toBe('FORBIDDEN')
  const ofNetwork = { draft: { ...draft, communityId: null }, communityId }
  expect(await run(moderator, ofNetwork).catch(failureOf)).toBe('FORBIDDEN')
  const manager = ctxOf(database, asAdmin(['MANAGE_RULES']))
  expect(await run(manager, { draft }).catch(failureOf)).toBe('FORBIDDEN')
  const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))
  expect(await run(admin, ofNetwork)).toMatchObject({ total: 0 })
  const pattern = { draft: draftOf({ kind: 'pattern', pattern: 'a*' }) }
  expect(await run(moderator, pattern).catch((error) => error)).toMatchObject({ code: 'INVALID_PARAMETERS' })
  const messages = { draft: draftOf(words('ferry'), { kinds: ['message'] }) }
  expect(await run(moderator, messages).catch(failureOf)).toBe('FORBIDDEN')
})
