import { z } from 'zod'
import { ResourceId, text } from '#server/core/text.ts'
import { PolicyId } from '#server/modules/network/policies/schema.ts'
import { type Condition, Conditions } from '#server/modules/rules/conditions/schema.ts'
import type { Severity } from '#server/modules/rules/severity/schema.ts'
import { CommunityId } from '#server/modules/spaces/communities/schema.ts'

/** The most rules of one space that aren't archived. */
export const RULES_LIMIT = 200

/** The content that a rule judges: messages are those of channels, never of conversations. */
export const RuleKind = z.enum(['comment', 'post', 'message'])
export type RuleKind = z.output<typeof RuleKind>

/** The kinds that people decide on before they are public: rules on them are tested on past decisions. */
export const ReviewedKind = RuleKind.exclude(['message'])
export type ReviewedKind = z.output<typeof ReviewedKind>

/** Five minutes to thirty days. */
const MUTE_MINUTES = { least: 5, most: 30 * 24 * 60 }

/** Shown at each item that the rule finds. */
export const RuleLabel = text({ max: 40 }).trim().refine(isWritten, 'must not be blank')

export const RuleSeverity = z.enum(['low', 'medium', 'high'] satisfies Severity[])

/**
 * `hold`: it waits for review. `reject`: it is rejected at once, until a reviewer restores it (docs/rules.md#rejecting). `flag`: it is reported
 * (docs/rules.md#reporting). `highlight`: nothing happens to it, and reviewers see where the rule fired (docs/rules.md#watched-words). Only what
 * is held has a severity.
 */
export const RuleAction = z.object({
  type: z.enum(['hold', 'reject', 'flag', 'highlight']),
  severity: RuleSeverity.default('medium'),
  label: RuleLabel.optional(),
  /** The named queue that what it holds is in; one that was deleted means nothing. */
  queueId: ResourceId.optional(),
  /** The policy that what it finds breaks. */
  policyId: PolicyId.optional(),
  /** What is held or rejected also mutes its author in the community for so long (docs/rules.md#muting). */
  muteMinutes: z.int().min(MUTE_MINUTES.least).max(MUTE_MINUTES.most).optional(),
})
export type RuleAction = z.output<typeof RuleAction>

/** `shadow`: it records what it would do. `live`: it does it. */
export const RuleState = z.enum(['draft', 'shadow', 'live', 'paused'])
export type RuleState = z.output<typeof RuleState>

/** A community, or with null the whole network. */
export const RuleSpace = z.object({ communityId: CommunityId.nullable() })
export type RuleSpace = z.output<typeof RuleSpace>

const RuleFields = {
  name: text({ max: 80 }).trim().refine(isWritten, 'must not be blank'),
  kinds: z.array(RuleKind).min(1).max(RuleKind.options.length).transform(withoutRepetition),
  condition: Conditions,
  action: RuleAction,
  maxOverturned: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'It goes back to shadow by itself if people approve a larger share of what it holds, rejects or reports; null: never',
    ),
}

export const NewRule = RuleSpace.extend({
  ...RuleFields,
  action: RuleAction.prefault({ type: 'hold' }),
  maxOverturned: RuleFields.maxOverturned.default(0.5),
})
export type NewRule = z.output<typeof NewRule>

export const CommunityRules = z.object({ communityId: CommunityId })
export type CommunityRules = z.output<typeof CommunityRules>

export const RuleParams = z.object({ ruleId: ResourceId })
export type RuleParams = z.output<typeof RuleParams>

/** `revision` as it was read: a change to anything else than that fails. */
export const RuleRevision = RuleParams.extend({ revision: z.int().min(1).max(2_147_483_647) })
export type RuleRevision = z.output<typeof RuleRevision>

/** What is left out stays as it is. */
export const RuleChange = RuleRevision.extend(z.object(RuleFields).partial().shape)
export type RuleChange = z.output<typeof RuleChange>

/** `communityId`: where, for a rule of the network; else the rule's. */
export const RuleApplication = RuleRevision.extend({ communityId: CommunityId })
export type RuleApplication = z.output<typeof RuleApplication>

export const RuleStateChange = RuleRevision.extend({ state: RuleState })
export type RuleStateChange = z.output<typeof RuleStateChange>

/** All rules of the space, in their new order. */
export const RuleOrder = RuleSpace.extend({ ruleIds: z.array(ResourceId).max(RULES_LIMIT) })
export type RuleOrder = z.output<typeof RuleOrder>

/** `communityId`: a community to include even if it has no rules. */
export const ManagedSpacesInput = z.object({ communityId: CommunityId.optional() })
export type ManagedSpacesInput = z.output<typeof ManagedSpacesInput>

/** A space whose rules the caller may manage; the network has neither id nor name. */
export interface ManagedSpace {
  communityId?: string
  displayName: string
  /** Rules that aren't archived. */
  rules: number
}

/** Why a rule is paused: by whom, or because it failed. */
export interface Paused {
  at: string
  by?: string
  /** Set if Docket paused it: it threw, or took too long. */
  reason?: 'error' | 'slow'
}

/** Why a live rule went back to shadow by itself: what became of the latest items that it held, rejected or reported. */
export interface Overturned {
  at: string
  decided: number
  approved: number
}

/** A rule as lists show it. */
export interface ListedRule {
  ruleId: string
  /** Absent: it applies to the whole network. */
  communityId?: string
  name: string
  state: RuleState
  version: number
  revision: number
  kinds: RuleKind[]
  action: RuleAction
  owner: { userId?: string; displayName: string }
  createdAt: string
  updatedAt: string
  /** From 0 to 1: it goes back to shadow by itself if people approve a larger share of what it holds, rejects or reports. Null: never. */
  maxOverturned: number | null
  /** Set while it is paused. */
  paused?: Paused
  /** Set while it is in shadow because it went back by itself. */
  overturned?: Overturned
  /** Whether the caller may do by hand what the rule does: only then may they make it live. Anybody who manages it may flag and highlight. */
  mayMakeLive: boolean
  /** Whether it judges comments or posts, and the caller reviews these, so that they may test it on past decisions. */
  mayTest: boolean
}

/** A live rule of the network, as those see it who manage the rules of one community. */
export interface ApplyingRule {
  ruleId: string
  name: string
  does: RuleAction['type']
  /** Whether the caller may open it. */
  mayManage: boolean
}

/** A rule in full; its versions newest first, at most a hundred. */
export interface Rule extends ListedRule {
  condition: Condition
  versions: RuleVersion[]
}

/** What a rule does. Once it was used, a version never changes. */
export interface RuleVersion {
  version: number
  kinds: RuleKind[]
  condition: Condition
  action: RuleAction
  createdAt: string
  /** Since when it judges content, in shadow or live; absent if it never did. */
  usedAt?: string
}

function isWritten(words: string): boolean {
  return words !== ''
}

function withoutRepetition(kinds: RuleKind[]): RuleKind[] {
  return RuleKind.options.filter((kind) => kinds.includes(kind))
}
