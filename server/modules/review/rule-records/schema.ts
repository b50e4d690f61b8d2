import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString } from '#server/core/text.ts'
import type { FoundText } from '#server/modules/rules/judging/found-text.ts'
import { type RuleKind, RuleParams, RuleSpace } from '#server/modules/rules/registry/schema.ts'

/** The counts of a rule's record cover its latest items, as far as this. */
export const COUNTED_ITEMS = 1_000

/** `cursor`: the `next` of the page before. */
const Page = {
  cursor: boundedString({ max: TOKEN_LENGTH }).optional(),
  limit: z.int().min(1).max(50).default(10),
}

export const RuleRecordInput = RuleParams.extend(Page)
export type RuleRecordInput = z.output<typeof RuleRecordInput>

export const RejectedByRulesInput = RuleSpace.extend(Page)
export type RejectedByRulesInput = z.output<typeof RejectedByRulesInput>

/** Newest first. */
export interface RejectedByRules {
  items: RecordedItem[]
  /** Absent at the end. */
  next?: string
}

/** What a rule held while live, and would have held in shadow, in all of its versions. */
export interface RuleRecord {
  /** Of the latest `COUNTED_ITEMS` items. In the first page only. */
  counts?: { live: DecidedCounts; shadow: DecidedCounts; isPartial: boolean }
  /** Newest first. */
  items: RecordedItem[]
  /** Absent at the end. */
  next?: string
}

/** Items, and what people decided on them. */
export interface DecidedCounts {
  items: number
  rejected: number
  approved: number
}

export interface RecordedItem {
  ruleId: string
  /** Its current one. */
  ruleName: string
  subjectType: RuleKind
  subjectId: string
  version: number
  /** Whether the rule held it; in shadow it would have. */
  isLive: boolean
  at: string
  /** Absent while nobody has decided. */
  outcome?: 'approved' | 'rejected'
  /** Absent where it is gone, or not the caller's to review. */
  content?: FoundText & { authorName: string }
}
