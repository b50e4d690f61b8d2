import { expect, test } from 'vitest'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, make } = await testDatabase()

test('contributions to a community are looked for in the latest 5,000 that the author wrote anywhere', async () => {
  const { communityId, author, comment } = await rulesOn(database).scene()
  await comment('Long ago')
  const elsewhere = (await make.community()).communityId
  await database.pool.query(
    `insert into comment (comment_id, user_id, community_id, target_type, data, created_at)
     select 'elsewhere-' || n, $1, $2, 'community', '{"text": "Text"}', now() + n * interval '1 ms' from generate_series(1, 5000) n`,
    [author.userId, elsewhere],
  )
  const contributions = async () => {
    const at = new Date(Date.now() + 60_000)
    const writing = { authorId: author.userId, at, textAt: at, item: { texts: [] } }
    const needed = { author: ['contributions' as const], rates: [], rejected: [], signals: [] }
    const [facts] = await readFacts(systemCtx(database), { communityId }, [writing], needed)
    return facts?.author?.contributions
  }
  expect(await contributions()).toBe(0)
  await database.pool.query(`delete from comment where comment_id = 'elsewhere-1'`)
  expect(await contributions()).toBe(1)
})
