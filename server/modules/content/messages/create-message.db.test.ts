import { expect, test } from 'vitest'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { createMessage } from '#server/modules/content/messages/create-message.ts'
import { NewMessage } from '#server/modules/content/messages/schema.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { waitForLockWaiter } from '#server/testing/lock-waiter.ts'

const { database, make } = await testDatabase()

async function scene() {
  const { channelId } = await make.channel()
  const { userId } = await make.channelUser({ channelId })
  const say = (text: string) =>
    createMessage(ctxOf(database, asUser(userId)), NewMessage.parse({ messageFeedId: channelId, data: { text } }))
  /** Does something while somebody else's message into this channel isn't committed yet. */
  const beside = <Result>(act: () => Promise<Result>, also = sql`select`) =>
    inTransaction(systemCtx(database), async (ctx) => {
      await execute(ctx, sql`select from channel where channel_id = ${channelId} for no key update`)
      const result = await act()
      await execute(ctx, also)
      return result
    })
  return { channelId, say, beside }
}

test('a message that the word list blocks is rejected while another one is being written', async () => {
  const { say, beside } = await scene()
  await database.prisma.listRule.create({
    data: { list: 'block', category: 'content', pattern: 'forbiddenword', matcher: 'forbiddenword' },
  } as never)
  await beside(() => expect(say('a forbiddenword')).rejects.toMatchObject({ code: 'BLOCKED_WORD' }))
})

test('a message is rejected if its channel is closed while it waits for another one', async () => {
  const { channelId, say, beside } = await scene()
  const saying = await beside(async () => {
    const saying = say('Some words')
    saying.catch(() => {})
    await waitForLockWaiter(database)
    return { saying }
  }, sql`update channel set is_deleted = true where channel_id = ${channelId}`)
  await expect(saying.saying).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await database.prisma.message.count({ where: { channelId } })).toBe(0)
})
