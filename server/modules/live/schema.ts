import { z } from 'zod'
import type { Lease, LeaseNotice } from '#server/modules/review/leases/schema.ts'

/** `lastEventId` is the last place one heard of: what came after it follows. Without one it begins now. */
export const LiveInput = z
  .object({
    lastEventId: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .optional(),
  })
  .default({})

/** What a desk is told as it happens: what it concerns, never the words of it. */
export type LiveMessage = { seq: number } & (LiveEvent | LiveLease | LiveReady | LiveReset)

/** `seq` of each message is where one stands after it, and what to ask to go on from. */
export interface LiveEvent {
  kind: 'event'
  /** As the log of events has it: `v3.comment.didApprove`, `desk.post.didHold`. */
  name: string
  subjectType: string
  subjectId: string
  communityId?: string
  /** Of a message: the channel, or the conversation, that it was sent to. */
  channelId?: string
  conversationId?: string
}

/** Somebody began or ceased to look at an item, or goes on to. */
export interface LiveLease {
  kind: 'lease'
  lease: LeaseNotice
}

/** Everything up to here was told; these are all the leases there are now. */
export interface LiveReady {
  kind: 'ready'
  leases: Lease[]
}

/** Too much happened to tell, or what one may know has changed: all that was read before is to be read again. */
export interface LiveReset {
  kind: 'reset'
}
