import type {
  Leaf,
  MediaType,
  Membership,
  RateCondition,
  SimilarityCondition,
} from '#server/modules/rules/conditions/schema.ts'

/** How much of each text rules judge, in UTF-16 units: all of what may be written. */
export const JUDGED_LENGTH = 20_000

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

/** How much the author wrote, or how often the most frequent of the links was written, with this item. */
export interface Rate extends Pick<RateCondition, 'by' | 'withinMinutes'> {
  /** Of an author, anywhere. */
  scope: Scope
}

export interface CountedRate extends Rate {
  count: number
  /** The most frequent link, or domain. */
  most?: string | undefined
}

/** A rate that conditions ask for: one that is higher than all of them need not be counted to its end. */
export interface AskedRate extends Rate {
  upTo: number
}

/** Where a rule looks for what others wrote: in its community, or in the whole network if that is where it applies. */
export type Scope = 'community' | 'network'

/** Texts that people rejected, as far as they are at least this similar: others need not be found. */
export interface RejectedSearch extends Pick<SimilarityCondition, 'withinDays' | 'similarAtLeast'> {
  scope: Scope
}

/** What a rule judges. A fact that isn't known makes the conditions on it false. */
export interface Facts {
  texts: Text[]
  /** People mentioned. */
  mentions: number
  media: MediaType[]
  author?: Author | undefined
  rates?: CountedRate[]
  /** How similar the text is to those that were rejected, each from 0 to 1. */
  rejected?: (Pick<RejectedSearch, 'scope' | 'withinDays'> & { similarities: number[] })[]
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
  rejected: RejectedSearch[]
  rates: AskedRate[]
  signals: string[]
}
