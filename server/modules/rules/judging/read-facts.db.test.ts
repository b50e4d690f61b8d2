import { expect, test } from 'vitest'
import { readFacts } from '#server/modules/rules/judging/read-facts.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { planNodes, recordingDb, rowsRead } from '#server/testing/plan-nodes.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database } = await testDatabase()
const make = factoriesOf(database)

test('of an author who wrote very much elsewhere, only the latest is looked through for the community', async () => {
  const { communityId, author, comment } = await rulesOn(database).scene()
  await comment('Long ago')
  const elsewhere = (await make.community()).communityId
  await database.pool.query(
    `insert into comment (comment_id, user_id, community_id, target_type, data, created_at)
     select 'elsewhere-' || n, $1, $2, 'community', '{"text": "Text"}', now() + n * interval '1 ms' from generate_series(1, 6000) n`,
    [author.userId, elsewhere],
  )
  await database.pool.query('analyze comment')
  const contributions = async (at: Date) => {
    const { db, sent } = recordingDb(database)
    const writing = { authorId: author.userId, at, textAt: at, item: { texts: [] } }
    const needed = { author: ['contributions' as const], rates: [], rejected: [], signals: [] }
    const [facts] = await readFacts({ ...systemCtx(database), db }, { communityId }, [writing], needed)
    const read = rowsRead(await planNodes(database, sent[0]), 'comment')
    return { count: facts?.author?.contributions, read }
  }
  expect(await contributions(new Date(Date.now() + 60_000))).toEqual({ count: 0, read: 5_000 })
  await database.pool.query(`delete from comment where comment_id like 'elsewhere-%' and comment_id > 'elsewhere-2'`)
  expect(await contributions(new Date(Date.now() + 60_000))).toMatchObject({ count: 1 })
})
