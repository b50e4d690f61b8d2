import type { Leaf, MediaType, Membership, RateCondition } from '#server/modules/rules/conditions/schema.ts'

/** Of each text, rules judge so much, in UTF-16 units; far more than people write. */
export const JUDGED_LENGTH = 10_000

/** A text that somebody wrote, by its field. */
export interface Text {
  field: 'title' | 'text'
  text: string
}

/** What is known of the author, as of the moment of writing. */
export interface Author {
  accountAgeDays: number
  /** Written before, in this community; outside communities, anywhere. */
  contributions: number
  approved: number
  rejected: number
  bans: number
  membership: Membership
}

/** Who wrote how much, or how often the most frequent of the links was written, with this item. */
export type Rate = Pick<RateCondition, 'by' | 'withinMinutes'>

/** What a rule judges. A fact that isn't known makes the conditions on it false. */
export interface Facts {
  texts: Text[]
  /** People mentioned. */
  mentions: number
  media: MediaType[]
  author?: Author | undefined
  rates?: (Rate & { count: number })[]
  /** To what is most similar among the rejected, from 0 to 1. */
  similarity?: number | undefined
  /** The newest score of each signal, from 0 to 1. */
  signals?: Readonly<Record<string, number>>
}

/** The conditions that ask for what is known of the author. */
export const AUTHOR_FACTS = [
  'accountAge',
  'contributions',
  'decisions',
  'bans',
  'membership',
] as const satisfies Leaf['kind'][]
export type AuthorFact = (typeof AUTHOR_FACTS)[number]

/** The facts that a set of rules asks for, besides what is in the item itself: a caller reads no others. */
export interface NeededFacts {
  author: AuthorFact[]
  similarity: boolean
  rates: Rate[]
  signals: string[]
}
