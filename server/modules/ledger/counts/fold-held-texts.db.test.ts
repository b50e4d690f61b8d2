import { expect, test } from 'vitest'
import { BATCH_SIZE } from '#server/core/batch-size.ts'
import { inTransaction } from '#server/core/db.ts'
import { foldHeldTexts } from '#server/modules/ledger/counts/fold-held-texts.ts'
import { countBlocksRead, countRead } from '#server/testing/count-read.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'

const { database } = await testDatabase()
const make = factoriesOf(database)

async function holdingOf() {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  return (first: number, last: number) =>
    database.pool.query(
      `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, created_at, queued_at, text_key)
       select $1 || '-' || n, $1, 'community', $2, 'pending', '{"text": "some"}', now(), now(), gen_random_uuid()
       from generate_series($3::int, $4::int) n`,
      [communityId, userId, first, last],
    )
}

test('after an import into an empty database, folding reads only the comments with the texts that it folds', async () => {
  const hold = await holdingOf()
  await inTransaction(systemCtx(database), async (ctx) => {
    // From the sixth time on, a connection keeps the plan of a prepared statement.
    for (let time = 1; time <= 8; time += 1) {
      await hold(time, time)
      await foldHeldTexts(ctx)
    }
    await hold(9, BATCH_SIZE + 100)
    const before = await countRead(ctx, 'comment')
    expect(await foldHeldTexts(ctx)).toBe(BATCH_SIZE)
    expect((await countRead(ctx, 'comment')) - before).toBe(BATCH_SIZE)
  })
})

test('folding the texts of decided comments that nothing was like looks up none of them', async () => {
  const hold = await holdingOf()
  await inTransaction(systemCtx(database), async (ctx) => {
    await hold(1, BATCH_SIZE)
    while ((await foldHeldTexts(ctx)) > 0);
    await database.pool.query("update comment set approval_status = 'approved' where approval_status = 'pending'")
    const before = await countBlocksRead(ctx, 'comment')
    while ((await foldHeldTexts(ctx)) > 0);
    // Planning looks at the ends of indexes.
    expect((await countBlocksRead(ctx, 'comment')) - before).toBeLessThan(BATCH_SIZE / 4)
  })
})
