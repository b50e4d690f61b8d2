import type { Live } from '#components/live/live.ts'
import { isConnectionError } from './is-connection-error.ts'

/** Sends until there is a response, however long that takes. Fails if it is rejected. */
export async function untilAnswered<Answer>(
  live: Pick<Live, 'whenBack'>,
  send: () => Promise<Answer>,
  onDelayed?: (tries: number) => unknown,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      if (!isConnectionError(error)) throw error
    }
    onDelayed?.(tries)
    await live.whenBack()
  }
}
