import { z } from 'zod'
import { text } from '#server/core/text.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'

/** How far conditions nest, how many a rule has, how many words and domains in all of them, and how many characters (UTF-16 units) in these. */
export const CONDITION_LIMITS = { depth: 5, conditions: 50, words: 5_000, characters: 100_000 } as const

const share = z.number().min(0).max(1)
const atLeast = (max: number) => z.int().min(1).max(max)

/**
 * Any of these words or phrases. `match`: a whole word (in scripts without spaces between words, a part) or any part of one. `spelling`:
 * `exact` ignores case, width and invisible characters; `similar` also finds letters that look alike, digits and signs as letters, accents,
 * letters written three times or more, and single letters with something between them.
 */
export const WordsCondition = z.object({
  kind: z.literal('words'),
  words: z
    .array(text({ min: 1, max: 100 }).regex(/[^\s\p{C}]/u, 'must contain a visible character'))
    .min(1)
    .max(CONDITION_LIMITS.words),
  match: z.enum(['word', 'part']).default('word'),
  spelling: z.enum(['exact', 'similar']).default('similar'),
})

export type Words = z.output<typeof WordsCondition>

/**
 * A regular expression in the syntax of RE2, which takes linear time. It sees the first 4,000 characters of a text, and 1,000 of a title. The
 * patterns of a rule have at most 200 of RE2's instructions together (docs/decisions/0258).
 */
export const PatternCondition = z.object({
  kind: z.literal('pattern'),
  pattern: text({ min: 1, max: 500 }),
  isCaseSensitive: z.boolean().default(false),
})

export type Pattern = z.output<typeof PatternCondition>

/** At least so many links. */
const LinksCondition = z.object({ kind: z.literal('links'), atLeast: atLeast(50).default(1) })

/** Letters of any script, or of ASCII as addresses have them (`xn--`). */
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const DOMAIN = new RegExp(String.raw`^(?:${LABEL}\.)+(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{1,59})$`, 'u')
const Domain = text({ max: 253 }).toLowerCase().regex(DOMAIN, 'must be a domain, such as example.com')

/** A link to one of these domains or their subdomains; or, with `isListed` false, to any other domain. */
const DomainsCondition = z.object({
  kind: z.literal('domains'),
  domains: z.array(Domain).min(1).max(1_000),
  isListed: z.boolean().default(true),
})

export const Script = z.enum([
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Georgian',
  'Greek',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Katakana',
  'Latin',
  'Tamil',
  'Thai',
])
export type Script = z.output<typeof Script>

/** At least this share of the letters, from 0 to 1, is in one of these scripts. */
const ScriptCondition = z.object({
  kind: z.literal('script'),
  scripts: z.array(Script).min(1),
  shareAtLeast: share.default(0.5),
})

/** Written in one of these languages (ISO 639-1). False where a text is too short to tell. */
const LanguageCondition = z.object({
  kind: z.literal('language'),
  languages: z
    .array(z.string().regex(/^[a-z]{2}$/, 'must be a language code of two letters'))
    .min(1)
    .max(60),
})

/** The length of all texts together, in characters (code points). */
const LengthCondition = z
  .object({
    kind: z.literal('length'),
    atLeast: z.int().min(0).max(100_000).optional(),
    atMost: z.int().min(0).max(100_000).optional(),
  })
  .refine(hasBound, 'must have atLeast or atMost')

/** At least this share of the letters that have a case, from 0 to 1, are capitals, among at least `letters` of them. */
const CapitalsCondition = z.object({
  kind: z.literal('capitals'),
  shareAtLeast: share.default(0.7),
  letters: z.int().min(1).max(10_000).default(10),
})

/** At least so many people are mentioned. */
const MentionsCondition = z.object({ kind: z.literal('mentions'), atLeast: atLeast(1_000).default(1) })

export const MediaType = z.enum(['image', 'video', 'audio', 'file'])
export type MediaType = z.output<typeof MediaType>

/** One of these media is attached. */
const MediaCondition = z.object({ kind: z.literal('media'), types: z.array(MediaType).min(1) })

/** The author's account is younger than this. */
const AccountAgeCondition = z.object({
  kind: z.literal('accountAge'),
  underDays: z.number().positive().max(3_650),
})

/** The author has written fewer than this before, in this community; outside communities, anywhere. */
const ContributionsCondition = z.object({ kind: z.literal('contributions'), fewerThan: atLeast(1_000) })

/** At least so many of the author's contributions were decided this way. */
const DecisionsCondition = z.object({
  kind: z.literal('decisions'),
  outcome: z.enum(['approved', 'rejected']),
  atLeast: atLeast(1_000).default(1),
})

/** The author was banned at least so often. */
const BansCondition = z.object({ kind: z.literal('bans'), atLeast: atLeast(100).default(1) })

export const Membership = z.enum(['member', 'notMember', 'moderator'])
export type Membership = z.output<typeof Membership>

/** What the author is in the community. A moderator is a member too. */
const MembershipCondition = z.object({ kind: z.literal('membership'), is: Membership })

/**
 * The author has written more than this in so many minutes, anywhere; or one of the links, or its domain, was in more than this of what anybody wrote:
 * in the community of the rule, or in the whole network for a rule of the network (docs/decisions/0243). This item counts too.
 */
export const RateCondition = z.object({
  kind: z.literal('rate'),
  by: z.enum(['author', 'link', 'domain']),
  moreThan: atLeast(1_000),
  withinMinutes: z.int().min(1).max(1_440),
})
export type RateCondition = z.output<typeof RateCondition>

/**
 * At least so many texts that people rejected in these days are at least this similar, from 0 to 1 (docs/decisions/0242): in the community of the
 * rule, or in the whole network for a rule of the network. Less similar texts aren't found reliably.
 */
const SimilarityCondition = z.object({
  kind: z.literal('similarity'),
  similarAtLeast: z.number().min(0.6).max(1).default(0.7),
  withinDays: z.int().min(1).max(90).default(30),
  times: atLeast(20).default(1),
})
export type SimilarityCondition = z.output<typeof SimilarityCondition>

export const SignalName = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,49}$/, RULE_PROBLEMS.signalName)
  .describe('What is measured, such as `toxicity` or `spam.links`')

/** The newest score of a signal that was measured on this text lies between these bounds, both included. False while there is no score. */
const SignalCondition = z
  .object({ kind: z.literal('signal'), name: SignalName, atLeast: share.optional(), atMost: share.optional() })
  .refine(hasBound, 'must have atLeast or atMost')

function hasBound({ atLeast, atMost }: { atLeast?: number | undefined; atMost?: number | undefined }): boolean {
  return atLeast !== undefined || atMost !== undefined
}

const LEAVES = [
  WordsCondition,
  PatternCondition,
  LinksCondition,
  DomainsCondition,
  ScriptCondition,
  LanguageCondition,
  LengthCondition,
  CapitalsCondition,
  MentionsCondition,
  MediaCondition,
  AccountAgeCondition,
  ContributionsCondition,
  DecisionsCondition,
  BansCondition,
  MembershipCondition,
  RateCondition,
  SimilarityCondition,
  SignalCondition,
] as const
/** A condition that isn't a combination of others. */
export type Leaf = z.output<(typeof LEAVES)[number]>

const All = z.object({
  kind: z.literal('all'),
  get conditions() {
    return Several
  },
})
const AnyOf = z.object({
  kind: z.literal('any'),
  get conditions() {
    return Several
  },
})
const Not = z.object({
  kind: z.literal('not'),
  get condition() {
    return Tree
  },
})
const Tree = z.discriminatedUnion('kind', [...LEAVES, All, AnyOf, Not])
const Several = z.array(Tree).min(1).max(CONDITION_LIMITS.conditions)

/** A condition, or several combined by all, any and not. */
export type Condition = z.output<typeof Tree>

/** The conditions of a rule, within the limits of {@link CONDITION_LIMITS}. */
export const Conditions = z
  .unknown()
  // Before it is parsed, as a parser goes as deep as its input.
  .refine((input) => isWithin(input, CONDITION_LIMITS.depth), {
    error: `must nest at most ${CONDITION_LIMITS.depth} deep`,
    abort: true,
  })
  .pipe(Tree)
  .superRefine((condition, { addIssue }) => {
    const leaves = leavesOf(condition)
    if (leaves.length > CONDITION_LIMITS.conditions)
      addIssue(`must have at most ${CONDITION_LIMITS.conditions} conditions`)
    const { words, characters } = countWords(condition)
    if (words > CONDITION_LIMITS.words) addIssue(`must have at most ${CONDITION_LIMITS.words} words and domains`)
    if (characters > CONDITION_LIMITS.characters)
      addIssue(`must have at most ${CONDITION_LIMITS.characters} characters in its words and domains`)
  })

function isWithin(input: unknown, depth: number): boolean {
  if (typeof input !== 'object' || input === null) return true
  const { condition, conditions } = input as { condition?: unknown; conditions?: unknown }
  const inner = [condition, ...(Array.isArray(conditions) ? conditions : [])].filter(Boolean)
  return depth > 0 && inner.every((condition) => isWithin(condition, depth - 1))
}

/** The conditions that are not combinations of others, in the order in which they are written. */
export function leavesOf(condition: Condition): Leaf[] {
  if (condition.kind === 'not') return leavesOf(condition.condition)
  return condition.kind === 'all' || condition.kind === 'any' ? condition.conditions.flatMap(leavesOf) : [condition]
}

/** How many words and domains there are in all of the conditions, and how many characters (UTF-16 units) they have: both cost memory and time. */
export function countWords(condition: Condition): { words: number; characters: number } {
  const words = leavesOf(condition).flatMap(wordsOf)
  return { words: words.length, characters: words.reduce((sum, word) => sum + word.length, 0) }
}

function wordsOf(leaf: Leaf): string[] {
  if (leaf.kind === 'words') return leaf.words
  return leaf.kind === 'domains' ? leaf.domains : []
}
