import { z } from 'zod'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** Where a community has no target of its own, this is what ages are told by. */
export const USUAL_TARGET_MINUTES = 240

/** Such a share of what a community holds is to be decided within so many minutes, a week at most. */
const Fields = {
  withinMinutes: z.int().min(1).max(10_080),
  sharePercent: z.int().min(1).max(100),
}

export const TargetInput = z.object({ communityId: CommunityId, ...Fields })
export type TargetInput = z.output<typeof TargetInput>

export const NoTargetInput = TargetInput.pick({ communityId: true })
export type NoTargetInput = z.output<typeof NoTargetInput>

/** The target of a community, where it has one, and who set it last. */
export interface ServiceTarget {
  communityId: string
  displayName: string
  withinMinutes: number
  sharePercent: number
  updatedAt: string
  updatedBy?: { userId?: string; displayName: string }
}

/** How a community that the caller reviews does by its target. */
export interface TargetState {
  communityId: string
  withinMinutes: number
  sharePercent: number
  /** Of what was decided in the last 24 hours and what has waited longer than it should, less than the share was decided in time. */
  isMissed: boolean
}
