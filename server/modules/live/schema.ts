import { z } from 'zod'
import type { Lease, LeaseNotice } from '#server/modules/review/leases/schema.ts'

/** `lastEventId` is the last position received: the stream continues after it. Without one it starts now. */
export const LiveInput = z
  .object({
    lastEventId: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .optional(),
  })
  .default({})

/** What a client receives: the ids concerned, never any text. */
export type LiveMessage = { seq: number } & (LiveEvent | LiveLease | LiveReady | LiveReset)

/** `seq` of each message is the position after it, from which a client can resume. */
export interface LiveEvent {
  kind: 'event'
  /** The event's name: `v3.comment.didApprove`, `desk.post.didHold`. */
  name: string
  subjectType: string
  subjectId: string
  communityId?: string
  /** For a message: the channel, or the conversation, that it was sent to. */
  channelId?: string
  conversationId?: string
}

/** A lease on an item started, ended or was renewed. */
export interface LiveLease {
  kind: 'lease'
  lease: LeaseNotice
}

/** Everything up to here was sent; these are all the current leases. */
export interface LiveReady {
  kind: 'ready'
  leases: Lease[]
}

/** The client missed too much, or its access has changed: it must refetch everything. */
export interface LiveReset {
  kind: 'reset'
}
