import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import type { RoomProblem } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { openedSecret } from '#server/modules/integrations/webhooks/endpoint-secret.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'

export interface PostOutcome {
  durationMs: number
  problem?: RoomProblem
  status?: number
}

/** Posts to rooms: what a chat answers isn't kept, as it may repeat the address. */
export function createRoomPoster({ key }: Pick<NotificationParts, 'key'>, outside: Outside) {
  const connections = openOutsideConnections()
  return async ({ address, body }: { address: Uint8Array; body: object }): Promise<PostOutcome> => {
    const url = openedSecret(key, address)
    if (url === undefined) return { durationMs: 0, problem: 'secret' }
    const { durationMs, problem, status } = await postOutside(
      {
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        stopping: new AbortController().signal,
      },
      outside,
      connections,
    )
    return { durationMs, ...(problem && { problem }), ...(status !== undefined && { status }) }
  }
}
