import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'

/** The community whose rules are listed, or for which one is written; without it, the network's or the first. */
export const RULES_SEARCH = { communityId: parseAsString }
export type RulesSearch = inferParserType<typeof RULES_SEARCH>

/** The id of the comment or post that the rule is made from, if it is made from one, the words of it to choose from, if not all, and what the rule does, if it doesn't hold. */
export const NEW_RULE_SEARCH = {
  ...RULES_SEARCH,
  comment: parseAsString,
  post: parseAsString,
  words: parseAsString,
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
