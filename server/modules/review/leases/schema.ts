import type { z } from 'zod'
import { text } from '#server/core/text.ts'
import { Subject } from '#server/modules/review/decisions/schema.ts'

/** Who holds the lease on an item, and for how much longer unless it is renewed; compute a local time as `Date.now() + forMs`. */
export interface Lease extends Subject {
  /** The space of the item; absent for a person. */
  communityId?: string
  channelId?: string
  conversationId?: string
  holder: { userId: string; displayName: string }
  forMs: number
}

/** What other clients receive: the current holder; absent if nobody holds the lease. */
export type LeaseNotice = Omit<Lease, 'holder'> & { holder?: Lease['holder'] }

/** The caller's own lease has the token to renew and release it; otherwise it names the current holder, if any. */
export type Taken = { isMine: true; token: string; forMs: number } | { isMine: false; lease?: Lease }

export const HeldLease = Subject.extend({ token: text({ min: 1, max: 100 }) })
export type HeldLease = z.output<typeof HeldLease>
