import { z } from 'zod'
import { ResourceId, text, visibleText, webAddress } from '#server/core/text.ts'
import type { ChosenPreferences } from '#server/modules/accounts/preferences/schema.ts'

/** The most policies of the network, archived ones included. */
export const POLICIES_LIMIT = 200
export const POLICY_LENGTHS = { title: 200, text: 2_000, legalReference: 500, url: 2_000, reportReason: 300 }
export const WEIGHT_LIMIT = 10
/** For how many days a strike counts. */
export const STRIKE_DAYS = 90
/** The most characters that a warning says in its maker's words. */
export const WARNING_LENGTH = 1_000
/** The most characters of an appeal, and of the answer to it. */
export const APPEAL_LENGTH = 2_000
/** The most reasons for reports of one policy. */
export const REPORT_REASONS_LIMIT = 20

export type PolicyLanguage = NonNullable<ChosenPreferences['language']>
/** The languages in which a policy can be written. */
export const POLICY_LANGUAGES = ['en', 'de', 'ar'] as const satisfies PolicyLanguage[]

/** `terms`: the network's own rules forbid it. `law`: it is illegal. */
export const POLICY_GROUNDS = ['terms', 'law'] as const
export type PolicyGround = (typeof POLICY_GROUNDS)[number]

/**
 * The categories of the Commission's database for statements of reasons, which has them with STATEMENT_CATEGORY_ in front
 * (https://transparency.dsa.ec.europa.eu/page/api-documentation).
 */
export const POLICY_CATEGORIES = [
  'ANIMAL_WELFARE',
  'CONSUMER_INFORMATION',
  'CYBER_VIOLENCE',
  'CYBER_VIOLENCE_AGAINST_WOMEN',
  'DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
  'ILLEGAL_OR_HARMFUL_SPEECH',
  'INTELLECTUAL_PROPERTY_INFRINGEMENTS',
  'NEGATIVE_EFFECTS_ON_CIVIC_DISCOURSE_OR_ELECTIONS',
  'NOT_SPECIFIED_NOTICE',
  'OTHER_VIOLATION_TC',
  'PROTECTION_OF_MINORS',
  'RISK_FOR_PUBLIC_SECURITY',
  'SCAMS_AND_FRAUD',
  'SELF_HARM',
  'UNSAFE_AND_PROHIBITED_PRODUCTS',
  'VIOLENCE',
] as const
export type PolicyCategory = (typeof POLICY_CATEGORIES)[number]

/** Title and text in one language: up to 200 and 2,000 characters. */
export const PolicyText = z.object({
  title: visibleText({ max: POLICY_LENGTHS.title }),
  text: visibleText({ max: POLICY_LENGTHS.text }),
})
export type PolicyText = z.output<typeof PolicyText>

const PolicyTexts = z
  .partialRecord(z.enum(POLICY_LANGUAGES), PolicyText)
  .refine((texts) => Object.keys(texts).length > 0, 'must have a title and a text in at least one language')
export type PolicyTexts = z.output<typeof PolicyTexts>

const FIELDS = {
  texts: PolicyTexts,
  ground: z.enum(POLICY_GROUNDS),
  /** The law and its section; required where the ground is the law. */
  legalReference: visibleText({ max: POLICY_LENGTHS.legalReference }).optional(),
  /** Where the rules are published. */
  url: webAddress({ max: POLICY_LENGTHS.url }).optional(),
  /** How many strikes a violation counts for, from 0 to 10. */
  weight: z.int().min(0).max(WEIGHT_LIMIT),
  category: z.enum(POLICY_CATEGORIES),
  /** The reasons that people give in reports and that stand for this policy, exactly as apps send them. */
  reportReasons: z
    .array(visibleText({ max: POLICY_LENGTHS.reportReason }))
    .max(REPORT_REASONS_LIMIT)
    .transform((reasons) => [...new Set(reasons)])
    .default([]),
}

function namesItsLaw({ ground, legalReference }: { ground: PolicyGround; legalReference?: string | undefined }) {
  return ground !== 'law' || legalReference !== undefined
}
const NAMES_NO_LAW = { message: 'must be given where the ground is the law', path: ['legalReference'] }

/** What a version of a policy says. */
export const PolicyFields = z.object(FIELDS).refine(namesItsLaw, NAMES_NO_LAW)
export type PolicyFields = z.output<typeof PolicyFields>

export const PolicyParams = z.object({ policyId: ResourceId })
export type PolicyParams = z.output<typeof PolicyParams>

/** `version` as it was read: a change to anything else than that fails. */
const VERSION = { ...PolicyParams.shape, version: z.int().min(1).max(2_147_483_647) }
export const PolicyAtVersion = z.object(VERSION)
export type PolicyAtVersion = z.output<typeof PolicyAtVersion>

export const PolicyChange = z.object({ ...VERSION, ...FIELDS }).refine(namesItsLaw, NAMES_NO_LAW)
export type PolicyChange = z.output<typeof PolicyChange>

/** Set where something points to a policy. */
export const PolicyId = text({ min: 1, max: 100 })

/** What points to a policy now. */
export interface PolicyUses {
  reasons: number
  /** Rules that aren't archived. */
  rules: number
  /** In force. */
  bans: number
  /** In force, made by people. */
  mutes: number
}

/** A policy with its current version. */
export interface Policy extends PolicyFields {
  policyId: string
  version: number
  isArchived: boolean
  /** When and by whom the current version was made. */
  changedAt: string
  changedBy: string
  uses: PolicyUses
}

/** An earlier or the current version: it never changes. */
export interface PolicyVersion extends PolicyFields {
  version: number
  createdAt: string
  createdBy: string
}

/** Policies, for those who manage them. */
export interface Policies {
  policies: Policy[]
  /** Whether a policy of the starter set was never added. */
  hasMoreStarters: boolean
}

/** A policy as those see it who choose one, or see what points to it. */
export interface PolicyChoice {
  policyId: string
  titles: Partial<Record<PolicyLanguage, string>>
  /** Archived: no longer to be chosen. */
  isArchived: boolean
  reportReasons: string[]
}
