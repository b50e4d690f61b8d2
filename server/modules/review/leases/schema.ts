import type { z } from 'zod'
import { text } from '#server/core/text.ts'
import { Subject } from '#server/modules/review/queue/schema.ts'

/** Who looks at an item, and for how long still unless they go on to; a time of one's own clock is `Date.now() + forMs`. */
export interface Lease extends Subject {
  /** Where it is; a person is in neither. */
  communityId?: string
  channelId?: string
  conversationId?: string
  holder: { userId: string; displayName: string }
  forMs: number
}

/** What other desks are told: who looks at an item now; nobody does where there is no holder. */
export type LeaseNotice = Omit<Lease, 'holder'> & { holder?: Lease['holder'] }

/** A lease that is one's own has the token to renew and to release it by; else it says who was first, if they are still there. */
export type Taken = { isMine: true; token: string; forMs: number } | { isMine: false; lease?: Lease }

export const HeldLease = Subject.extend({ token: text({ min: 1, max: 100 }) })
export type HeldLease = z.output<typeof HeldLease>
