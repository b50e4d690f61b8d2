import { toRequestError } from '#components/trpc/request-error.ts'
import type { trpcClient } from '#components/trpc/trpc.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'

type Client = typeof trpcClient

/** Has the server continue a bulk action until it is finished. */
export async function workOff(
  client: Client,
  bulkId: string,
  onProgress: (progress: BulkProgress) => void = () => {},
): Promise<BulkProgress> {
  for (;;) {
    const progress = await client.bulk.work.mutate({ bulkId })
    onProgress(progress)
    if (progress.isFinished) return progress
  }
}

/** Undoes a bulk action whole; resolves to its state, or undefined once it is too late. */
export async function undoBulk(client: Client, bulkId: string): Promise<BulkProgress | undefined> {
  try {
    const started = await client.bulk.undo.mutate({ bulkId })
    return started.isFinished ? started : await workOff(client, bulkId)
  } catch (error) {
    if (toRequestError(error).code === 'CONFLICT') return undefined
    throw error
  }
}
