import { expect, test } from 'vitest'
import { queryOne, sql } from '#server/core/db.ts'
import { readRunningRules, runningRules } from '#server/modules/rules/judging/running-rules.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const { scene } = rulesOn(database)
const ctx = systemCtx(database)

/** More than are kept, of comments and posts. */
const OTHERS = 20

async function communityWith(words: string): Promise<string> {
  const { communityId, running } = await scene()
  await running({
    kind: 'words',
    words: Array.from({ length: 5_000 }, (_, number) => `${words}${number.toString(36)}`),
  })
  return communityId
}

async function compiledIn(communityId: string) {
  const named = await queryOne<{ name: string }>(
    ctx,
    sql`select ${runningRules(sql`k.community_id`)} as name from community k where k.community_id = ${communityId}`,
  )
  const { compiled } = await readRunningRules(ctx, { kind: 'comment', communityId }, named?.name ?? '')
  return compiled.comment.wordIndex.matchers[0]
}

test('of compiled rules so many words are kept as memory has room for, however few communities have them', async () => {
  const communityId = await communityWith('first')
  const compiled = await compiledIn(communityId)
  expect(await compiledIn(communityId)).toBe(compiled)

  for (let other = 0; other < OTHERS; other += 1) await compiledIn(await communityWith(`of${other}x`))
  expect(await compiledIn(communityId)).not.toBe(compiled)
})
