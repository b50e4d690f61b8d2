import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, ResourceId } from '#server/core/text.ts'
import type { BacktestSample } from '#server/modules/review/backtests/samples/schema.ts'
import { HeldSubject } from '#server/modules/review/bulk/schema.ts'
import { NewRule } from '#server/modules/rules/registry/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** The most rules that are tested at once. */
export const TESTED_RULES_LIMIT = 50

/**
 * `communityId`: whose history, for rules of the network. `cursor`: the `next` of the batch before. `samples`: at most so many of each rule and
 * outcome, each with another text.
 */
export const BacktestInput = z.object({
  ruleIds: z.array(ResourceId).min(1).max(TESTED_RULES_LIMIT).refine(areDifferent, 'must not repeat a rule'),
  communityId: CommunityId.optional(),
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(1_000).default(200),
  samples: z.int().min(0).max(5).default(5),
})
export type BacktestInput = z.output<typeof BacktestInput>

/**
 * A rule that is being written, tested before it is stored; the other fields are those of `BacktestInput`. `source`: the item that it is made from, or
 * with `isWave` any item of its wave.
 */
export const DraftTestInput = BacktestInput.omit({ ruleIds: true }).extend({
  draft: NewRule.pick({ communityId: true, kinds: true, condition: true }),
  source: z.object({ subject: HeldSubject, isWave: z.boolean() }).optional(),
})
export type DraftTestInput = z.output<typeof DraftTestInput>

/** One batch of the test of a draft. Items are named as `comment:ID`. */
export interface DraftTestBatch extends Pick<BacktestBatch, 'together' | 'missing' | 'total' | 'next'> {
  samples: BacktestSample[]
  /** How often it threw or was too slow. */
  failed: number
  /** What was caught in this batch. */
  caught: string[]
  /** Of what the draft is made from, as far as it is in this community: in the first batch only. */
  source?: { total: number; caught: string[] }
}

/** What the current versions of rules say of one batch of items: of what is pending, newest first, then of what was decided, newest decisions first. */
export interface BacktestBatch {
  /** In the order they were asked for. */
  rules: TestedRule[]
  /** All of them as one: what at least one of them judges, and would have caught. `costMs` is what they take together. */
  together: Tested
  /** Items whose content is gone. */
  missing: number
  /** Pending and decided items there are; in the first batch only, for progress. */
  total?: number
  /** Absent at the end. */
  next?: string
}

export interface Tested {
  /** Items that were judged, by what people decided on them. */
  judged: Outcomes
  /** What would have been caught: of the rejected rightly, of the approved by mistake, of the pending now. */
  caught: Outcomes
  /** How long it took for all items of the batch, in milliseconds, without what it needed to read. */
  costMs: number
}

/** A rule as it was tested. Its `costMs` is what it adds to what all rules share: finding words in a text. */
export interface TestedRule extends Tested {
  ruleId: string
  version: number
  /** How often it threw or was too slow. */
  failed: number
  samples: BacktestSample[]
}

export interface Outcomes {
  rejected: number
  approved: number
  pending: number
}

function areDifferent(ruleIds: string[]): boolean {
  return new Set(ruleIds).size === ruleIds.length
}
