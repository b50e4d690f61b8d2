import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
} from '#components/ui/search-params/parsers.ts'

/** Rules for people in a hurry, in the order of the list. */
export const PRESET_IDS = ['slursEn', 'slursDe', 'slursAr', 'newLinks', 'raid', 'scams'] as const
export type PresetId = (typeof PRESET_IDS)[number]

/** The community whose rules are listed, or for which one is written; without it, the network's or the first. */
export const RULES_SEARCH = { communityId: parseAsString }
export type RulesSearch = inferParserType<typeof RULES_SEARCH>

/**
 * The id of the comment or post that the rule is made from, if it is made from one, the preset, and what the rule does, if it doesn't hold. `wave`: it is made
 * from the wave of that item, and the person still chooses its space, if there is a choice (`new`), or has (`placed`).
 */
export const NEW_RULE_SEARCH = {
  ...RULES_SEARCH,
  comment: parseAsString,
  post: parseAsString,
  wave: parseAsStringLiteral(['new', 'placed']),
  preset: parseAsStringLiteral(PRESET_IDS),
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
