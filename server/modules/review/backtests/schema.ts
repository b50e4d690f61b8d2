import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString } from '#server/core/text.ts'
import type { ReviewReason } from '#server/modules/rules/judging/schema.ts'
import { type RuleKind, RuleParams } from '#server/modules/rules/registry/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** `communityId`: whose history, for a rule of the network. `cursor`: the `next` of the batch before. */
export const BacktestInput = RuleParams.extend({
  communityId: CommunityId.optional(),
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(500).default(200),
})
export type BacktestInput = z.output<typeof BacktestInput>

/** What the current version of a rule says of one batch of decided items, newest decisions first. */
export interface BacktestBatch {
  version: number
  /** Items that were judged, and what people decided on them; `missing`: their content is gone. */
  judged: Outcomes
  missing: number
  /** What the rule would have caught: of the rejected rightly, of the approved by mistake. */
  caught: Outcomes
  /** Up to five of each that it would have caught. */
  samples: BacktestSample[]
  /** How often the rule threw or was too slow. */
  failed: number
  /** How long the rule took for all items of the batch, in milliseconds, without what it needed to read. */
  costMs: number
  /** Decided items in the whole history; in the first batch only, for progress. */
  total?: number
  /** Absent at the end. */
  next?: string
}

export interface Outcomes {
  rejected: number
  approved: number
}

export interface BacktestSample {
  subjectType: RuleKind
  subjectId: string
  outcome: keyof Outcomes
  decidedAt: string
  title?: string
  text: string
  found: ReviewReason['found']
}
