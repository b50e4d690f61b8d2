import { z } from 'zod'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { PendingItem } from '#server/modules/review/queue/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** How long a claim lasts unless the community has its own duration: a day. */
export const USUAL_CLAIM_MINUTES = 1_440
const LEAST_CLAIM_MINUTES = 15
/** Thirty days. */
const MOST_CLAIM_MINUTES = 43_200

/** One item, or with `isGroup` up to 1,000 that are held with the same text. */
export const ClaimInput = PendingItem.extend({ isGroup: z.boolean().optional() })
export type ClaimInput = z.output<typeof ClaimInput>

/** What was claimed, and what of a group was left out. */
export interface Claimed {
  items: Subject[]
  /** Absent if nothing was claimed. */
  until?: string
  /** Claimed by colleagues, by whom. */
  others: { displayName: string; count: number }[]
  /** Written by the caller. */
  own: number
  /** More items are held with this text. */
  isCut: boolean
}

export interface Released {
  items: Subject[]
}

/** How long claims last in a community, 15 minutes to 30 days; null for the usual time. Claims that exist keep theirs. */
export const ClaimTimeInput = z.object({
  communityId: CommunityId,
  minutes: z.int().min(LEAST_CLAIM_MINUTES).max(MOST_CLAIM_MINUTES).nullable(),
})
export type ClaimTimeInput = z.output<typeof ClaimTimeInput>

/** A community with its own claim duration. */
export interface ClaimTime {
  communityId: string
  displayName: string
  minutes: number
}
