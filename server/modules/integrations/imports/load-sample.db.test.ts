import { expect, test } from 'vitest'
import { loadSample } from '#server/modules/integrations/imports/load-sample.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { makeSample } from '../../../../prisma/sample/sample.ts'

const { database, prisma } = await testDatabase()

test('a load that was interrupted goes on, and its rules judge once what was written since', async () => {
  const broken = (now: Date) => {
    const { written, ...sample } = makeSample(now)
    return { ...sample, written: [...written, { by: 'oscar-blum', postId: 'gone', text: 'x', at: now.toISOString() }] }
  }
  await expect(loadSample(systemCtx(database), broken)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await prisma.staffAccount.count()).toBe(0)

  const accounts = await loadSample(systemCtx(database), makeSample)
  expect(accounts.map(({ title }) => title)).toEqual(['Network admin', 'Community moderator', 'Support agent'])
  expect(await loadSample(systemCtx(database), makeSample)).toEqual([])

  const rules = await prisma.rule.findMany({ orderBy: { position: 'asc' } })
  const matches = await prisma.ruleMatch.groupBy({ by: ['ruleId'], where: { isLive: true }, _count: true })
  const matched = (of: string) => matches.find(({ ruleId }) => ruleId === of)?._count
  expect(rules.map(({ ruleId, name, state }) => [name, state, matched(ruleId)])).toEqual([
    ['Selling to neighbours', 'live', 1],
    ['Heated words', 'live', 2],
  ])
  const written = { approvalStatus: 'pending' as const, data: { path: ['text'], string_contains: 'Typical' } }
  expect(await prisma.comment.count({ where: written })).toBe(2)
})
