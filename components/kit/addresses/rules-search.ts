import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'

/** The community whose rules are listed, or for which one is written; without it, the network's or the first. */
export const RULES_SEARCH = { communityId: parseAsString }
export type RulesSearch = inferParserType<typeof RULES_SEARCH>

/**
 * The id of the comment or post that the rule is made from, if it is made from one, and what the rule does, if it doesn't hold. If it is made from a
 * wave: the words and domains of that, with a space between two, and in how many communities it is, until the rule's space is chosen.
 */
export const NEW_RULE_SEARCH = {
  ...RULES_SEARCH,
  comment: parseAsString,
  post: parseAsString,
  words: parseAsString,
  domains: parseAsString,
  communities: parseAsInteger,
  action: parseAsStringLiteral(['highlight']),
}
export type NewRuleSearch = inferParserType<typeof NEW_RULE_SEARCH>

export const loadRulesSearch = createLoader(RULES_SEARCH)
export const loadNewRuleSearch = createLoader(NEW_RULE_SEARCH)

const serializeRules = createSerializer(RULES_SEARCH)
const serializeNewRule = createSerializer(NEW_RULE_SEARCH)
export const toRulesPath = (search: Partial<RulesSearch>): string => serializeRules('/settings/rules', search)
export const toNewRulePath = (search: Partial<NewRuleSearch>): string => serializeNewRule('/settings/rules/new', search)
export const toRulePath = (ruleId: string): string => `/settings/rules/${encodeURIComponent(ruleId)}`
