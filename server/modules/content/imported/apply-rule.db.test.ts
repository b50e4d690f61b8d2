import { expect, test } from 'vitest'
import { applyRule } from '#server/modules/content/imported/apply-rule.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asAdmin, ctxOf, failureOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, prisma, make } = await testDatabase()
const { scene } = rulesOn(database)
const system = systemCtx(database)
const FERRY = { kind: 'words', words: ['ferry'] }

async function work(): Promise<void> {
  while (await judgeImported(system));
}

test('a live rule that is applied becomes the reason of the pending items it finds, at once, and the queue lists them by it', async () => {
  const { communityId, moderator, running } = await scene()
  const found = await make.heldComment({ communityId, data: { text: 'A ferry' } })
  const foundPost = await make.heldPost({ communityId, data: { title: 'Ferry', text: 'It runs' } })
  await make.heldComment({ communityId, data: { text: 'A tram' } })
  const decided = await make.heldComment({ communityId, data: { text: 'An earlier ferry' } })
  await decide(moderator, { subjectType: 'comment', subjectId: decided.commentId, outcome: 'approved' })
  const elsewhere = await make.heldComment({ data: { text: 'A ferry elsewhere' } })
  const rule = await running(FERRY, 'live', { kinds: ['comment', 'post'] })
  const byRule = async () => {
    const input = DeskQueueInput.parse({ communityId, ruleId: rule.ruleId, timeZone: 'UTC' })
    return (await listDeskQueue(moderator, input)).items.map(({ subjectId }) => subjectId).sort()
  }
  await work()
  expect(await byRule()).toEqual([])

  await applyRule(moderator, { ...rule, communityId })
  // Twice does what once does.
  await applyRule(moderator, { ...rule, communityId })
  await work()

  expect(await byRule()).toEqual([found.commentId, foundPost.postId].sort())
  expect(await prisma.unjudgedImport.count()).toBe(0)
  expect(await prisma.ruleMatch.count({ where: { ruleId: rule.ruleId } })).toBe(2)
  expect(
    await prisma.comment.findMany({ where: { commentId: { in: [found.commentId, elsewhere.commentId] } } }),
  ).toEqual([
    expect.objectContaining({ approvalStatus: 'pending', version: 1 }),
    expect.objectContaining({ approvalStatus: 'pending', version: 1 }),
  ])
  expect(await prisma.audit.findFirst({ where: { action: 'rule.applied' } })).toMatchObject({
    subjectId: rule.ruleId,
    after: { version: 1, communityId },
  })
})

test('only a live rule that holds is applied, by those who manage it and review what it judges, in its community', async () => {
  const { communityId, moderator, running } = await scene()
  const other = await scene()
  const failing = (ctx: typeof moderator, rule: { ruleId: string; revision: number }, where = communityId) =>
    applyRule(ctx, { ...rule, communityId: where }).catch(failureOf)
  const live = await running(FERRY, 'live')
  expect(await failing(moderator, await running(FERRY, 'shadow'))).toBe('INVALID_PARAMETERS')
  expect(await failing(moderator, await running(FERRY, 'live', { action: { type: 'flag' } }))).toBe(
    'INVALID_PARAMETERS',
  )
  expect(await failing(moderator, live, other.communityId)).toBe('INVALID_PARAMETERS')
  expect(await failing(moderator, { ...live, revision: live.revision + 1 })).toBe('CHANGED')
  expect(await failing(other.moderator, live)).toBe('NOT_FOUND')
  expect(await failing(ctxOf(database, asAdmin(['MANAGE_RULES'])), live)).toBe('FORBIDDEN')
  expect(await prisma.unjudgedImport.count()).toBe(0)
})
