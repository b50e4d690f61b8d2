import type { Ctx } from '#server/core/ctx.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput, type QueueItem } from '#server/modules/review/queue/schema.ts'

/** All items of the desk's queue, in pages of seven, with what happens after each page. */
export async function everyPage(
  ctx: Ctx,
  asked: object,
  afterPage: (page: number) => Promise<unknown> = async () => undefined,
): Promise<QueueItem[]> {
  const items: QueueItem[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || cursor; page += 1) {
    const input = { limit: 7, ...asked, ...(cursor && { cursor }) }
    const answer = await listDeskQueue(ctx, DeskQueueInput.parse(input))
    items.push(...answer.items)
    cursor = answer.next
    await afterPage(page)
  }
  return items
}
