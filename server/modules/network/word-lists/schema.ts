import { z } from 'zod'
import { TOKEN_LENGTH } from '#server/core/paging.ts'
import { boundedString, text } from '#server/core/text.ts'
import { ListOptions, Paging } from '#server/core/wire/schema.ts'

export const ListKind = z.enum(['allow', 'block'])
export type ListKind = z.output<typeof ListKind>

/** What a rule applies to: what people write, or their profiles. */
export const ListCategory = z.enum(['content', 'user'])
export type ListCategory = z.output<typeof ListCategory>

/** An odd number of backslashes and a digit would be a back-reference: the one thing that no automaton can match in linear time. */
const BACK_REFERENCE = /(?<!\\)(?:\\\\)*\\[1-9]/

/** A regular expression in common syntax, without back-references. */
const Pattern = text({ min: 1, max: 500 }).refine(
  (pattern) => !BACK_REFERENCE.test(pattern),
  'must not contain back-references',
)

/** The most that all patterns of both lists have together, as `sizeOfPattern` counts: whatever is written is compared with each. */
export const PATTERN_CHARACTERS_LIMIT = 100_000
/** How the error begins where the lists would have more, as a client recognises it. */
export const LISTS_TOO_LARGE = `regexs: both lists can have at most ${PATTERN_CHARACTERS_LIMIT} characters together`

/** Body of docs/interface/network-settings.md#block-and-allow-lists. */
export const NewRules = z.object({
  regexs: z.array(Pattern).min(1).max(100),
  isMatchExactWord: z.boolean().default(false),
  category: ListCategory.default('content'),
})
export type NewRules = z.output<typeof NewRules>

export const ListRule = z
  .object({
    ruleId: z.string(),
    regex: z.string(),
    isMatchExactWord: z.boolean(),
    category: ListCategory,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ListRule' })
export type ListRule = z.output<typeof ListRule>

export const RulesQuery = z.object({ category: ListCategory.optional(), options: ListOptions })
export type RulesQuery = z.output<typeof RulesQuery>

export interface RulesPage {
  rules: ListRule[]
  paging: z.output<typeof Paging>
}

export const BlockLists = z.object({ blocklists: z.array(ListRule) }).meta({ id: 'BlockLists' })
export const BlockListsPage = BlockLists.extend({ paging: Paging }).meta({ id: 'BlockListsPage' })
export const AllowLists = z.object({ allowlists: z.array(ListRule) }).meta({ id: 'AllowLists' })
export const AllowListsPage = AllowLists.extend({ paging: Paging }).meta({ id: 'AllowListsPage' })

export const RuleParams = z.object({ ruleId: text({ min: 1, max: 100 }) })

/** Texts, or links, to check against a list: 1 to 10, each up to 500 characters. */
export const VerifyInput = z.object({
  data: z
    .array(text({ max: 500 }))
    .min(1)
    .max(10),
})

/** A page of a list at the desk: `cursor` is the `next` or `previous` of another page of that list. */
export const KeptRulesInput = z.object({ list: ListKind, cursor: boundedString({ max: TOKEN_LENGTH }).optional() })
export type KeptRulesInput = z.output<typeof KeptRulesInput>

/** A rule with who added it; absent where that was an admin token. */
export interface KeptRule extends ListRule {
  addedBy?: { userId: string; displayName: string }
}

export interface KeptRules {
  rules: KeptRule[]
  /** Of the whole list. */
  count: number
  next?: string
  previous?: string
}

export const AddRules = NewRules.extend({ list: ListKind })
export const RemoveRule = RuleParams.extend({ list: ListKind })

/** A text to test: up to 5,000 characters. */
export const TryText = z.object({ text: text({ min: 1, max: 5_000 }) })
export type TryText = z.output<typeof TryText>

export interface TextTried {
  isRefused: boolean
  /** The pattern of a rule that blocks it. */
  blockedBy?: string
  /** A link in it that is not on the allow-list, and whether that blocks it. */
  foreign?: { link: string; isRefused: boolean }
}
