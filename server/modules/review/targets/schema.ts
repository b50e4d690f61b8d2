import { z } from 'zod'
import { MOST_TARGET_MINUTES } from '#server/modules/review/urgency/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** The share of held items to decide within a number of minutes. */
const Fields = {
  withinMinutes: z.int().min(1).max(MOST_TARGET_MINUTES),
  sharePercent: z.int().min(1).max(100),
}

export const TargetInput = z.object({ communityId: CommunityId, ...Fields })
export type TargetInput = z.output<typeof TargetInput>

export const NoTargetInput = TargetInput.pick({ communityId: true })
export type NoTargetInput = z.output<typeof NoTargetInput>

/** A community's target, if it has one, and who set it last. */
export interface ServiceTarget {
  communityId: string
  displayName: string
  withinMinutes: number
  sharePercent: number
  updatedAt: string
  updatedBy?: { userId?: string; displayName: string }
}

/** How a community that the caller reviews meets its target. */
export interface TargetState {
  communityId: string
  withinMinutes: number
  sharePercent: number
  /** Of what was decided in the last 24 hours and what is overdue, less than the target's share was decided in time. */
  isMissed: boolean
}
