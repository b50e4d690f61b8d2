import { expect, onTestFinished, test } from 'vitest'
import { forwardWrites, receiveWrites } from '#server/core/database/forward-writes.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { onWritten, WATCHED_TABLES } from '#server/core/database/writes.ts'
import { inTransaction } from '#server/core/db.ts'
import { recordDelta } from '#server/modules/ledger/counts/record-delta.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'

const { database, url } = await testDatabase()
const system = systemCtx(database)

test('another process learns which tables were changed, once that is committed', async () => {
  const other = openDatabase({ url, connections: 2, onError: () => {} })
  onTestFinished(() => other.close())
  const seen: string[][] = []
  onWritten(other.pool, (tables) => void seen.push([...tables]))
  const listener = receiveWrites(other.pool, system.log)
  onTestFinished(listener.stop)
  await listener.connected
  expect(seen).toEqual([WATCHED_TABLES])
  forwardWrites(database.pool)

  await inTransaction(system, async (ctx) => {
    await recordDelta(ctx, 'channel_members', 'channel', 1)
    throw new Error('undone')
  }).catch(() => {})
  await inTransaction(system, (ctx) => recordDelta(ctx, 'channel_members', 'channel', 1))
  await eventually('the change has arrived', () => seen).toEqual([WATCHED_TABLES, ['tally_delta']])
})

test('changes are published when they are committed, and not if they are rolled back', async () => {
  const seen: string[][] = []
  onTestFinished(onWritten(database.pool, (tables) => void seen.push([...tables])))
  await recordDelta(system, 'channel_members', 'channel', 1)
  expect(seen).toEqual([['tally_delta']])
  await inTransaction(system, async (ctx) => {
    await recordDelta(ctx, 'channel_members', 'channel', 1)
    expect(seen).toHaveLength(1)
  })
  expect(seen).toEqual([['tally_delta'], ['tally_delta']])
  await expect(
    inTransaction(system, async (ctx) => {
      await recordDelta(ctx, 'channel_members', 'channel', 1)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(seen).toHaveLength(2)
})
