import { compileLeaf, rateScope, type Test } from '#server/modules/rules/conditions/compile-leaf.ts'
import {
  type AskedRate,
  AUTHOR_FACTS,
  type NeededFacts,
  type RejectedSearch,
  type Scope,
} from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { type Condition, type Leaf, leavesOf, type Words } from '#server/modules/rules/conditions/schema.ts'
import { indexWords, joinIndexes, type WordIndex } from '#server/modules/rules/conditions/word-index.ts'

/** A version of a rule. */
export interface Rule {
  ruleId: string
  version: number
  condition: Condition
  /** Null: a rule of the whole network. */
  communityId?: string | null
}

export interface CompiledRule extends Pick<Rule, 'ruleId' | 'version'> {
  test: Test
}

/** Rules that are ready to judge items, in their order. */
export interface CompiledRules {
  rules: CompiledRule[]
  wordIndex: WordIndex
  needed: NeededFacts
}

/**
 * Takes tens of milliseconds for thousands of words, in turns of a few, so that other requests of the process go on: once for a set of rules.
 * Fails with a message where a pattern can't be used.
 */
export async function compileRules(rules: Rule[]): Promise<CompiledRules> {
  const leaves = rules.flatMap((rule) => leavesOf(rule.condition).map((leaf) => ({ leaf, scope: scopeOf(rule) })))
  const compiled: CompiledRule[] = []
  for (const rule of rules) {
    const { ruleId, version, condition } = rule
    compiled.push({ ruleId, version, test: await compile(condition, scopeOf(rule)) })
  }
  return {
    rules: compiled,
    wordIndex: await indexWords(leaves.map(({ leaf }) => leaf).filter((leaf): leaf is Words => leaf.kind === 'words')),
    needed: neededBy(leaves),
  }
}

/** These rules, in their order, as if they had been compiled together. */
export function joinRules(compiled: CompiledRules[]): CompiledRules {
  const needed = compiled.map((rules) => rules.needed)
  return {
    rules: compiled.flatMap(({ rules }) => rules),
    wordIndex: joinIndexes(compiled.map(({ wordIndex }) => wordIndex)),
    needed: {
      author: AUTHOR_FACTS.filter((fact) => needed.some(({ author }) => author.includes(fact))),
      rejected: uniqueSearches(needed.flatMap(({ rejected }) => rejected)),
      rates: uniqueRates(needed.flatMap(({ rates }) => rates)),
      signals: [...new Set(needed.flatMap(({ signals }) => signals))],
    },
  }
}

const scopeOf = ({ communityId }: Rule): Scope => (communityId === null ? 'network' : 'community')

async function compile(condition: Condition, scope: Scope): Promise<Test> {
  switch (condition.kind) {
    case 'all':
      return meetsAll(condition.conditions, await compileEach(condition.conditions, scope))
    case 'any':
      return meetsAny(await compileEach(condition.conditions, scope))
    case 'not': {
      const test = await compile(condition.condition, scope)
      return (reading) => (test(reading) === undefined ? [] : undefined)
    }
    default:
      return compileLeaf(condition, scope)
  }
}

/** One after the other: those that take long begin in a turn of their own. */
async function compileEach(conditions: Condition[], scope: Scope): Promise<Test[]> {
  const tests: Test[] = []
  for (const condition of conditions) tests.push(await compile(condition, scope))
  return tests
}

/** Ends with the first that isn't met; marks in the order of the conditions. */
function meetsAll(conditions: Condition[], tests: Test[]): Test {
  const cheapFirst = [...tests.keys()].sort((one, other) => costOf(conditions[one]) - costOf(conditions[other]))
  return (reading) => {
    const found: Found[][] = []
    for (const place of cheapFirst) {
      const finding = tests[place]?.(reading)
      if (finding === undefined) return undefined
      found[place] = finding
    }
    return found.flat()
  }
}

/** Marks every part that is met, not only the first. */
function meetsAny(tests: Test[]): Test {
  return (reading) => {
    const met = tests.map((test) => test(reading)).filter((finding) => finding !== undefined)
    return met.length > 0 ? met.flat() : undefined
  }
}

/** The conditions that read the text by themselves; words and links are found once for all rules. */
const COSTLY: Condition['kind'][] = ['pattern', 'language', 'all', 'any', 'not']
const costOf = (condition: Condition | undefined) => (condition ? COSTLY.indexOf(condition.kind) : 0)

function neededBy(placed: { leaf: Leaf; scope: Scope }[]): NeededFacts {
  const leaves = placed.map(({ leaf }) => leaf)
  const ofKind = <Kind extends Leaf['kind']>(kind: Kind) =>
    leaves.filter((leaf): leaf is Extract<Leaf, { kind: Kind }> => leaf.kind === kind)
  const rates = placed.flatMap(({ leaf, scope }): AskedRate[] => {
    if (leaf.kind !== 'rate') return []
    const { by, withinMinutes, moreThan } = leaf
    return [{ by, withinMinutes, scope: rateScope(leaf, scope), upTo: moreThan }]
  })
  const rejected = placed.flatMap(({ leaf, scope }): RejectedSearch[] => {
    if (leaf.kind !== 'similarity') return []
    return [{ scope, withinDays: leaf.withinDays, similarAtLeast: leaf.similarAtLeast }]
  })
  return {
    author: AUTHOR_FACTS.filter((fact) => ofKind(fact).length > 0),
    rejected: uniqueSearches(rejected),
    rates: uniqueRates(rates),
    signals: [...new Set(ofKind('signal').map(({ name }) => name))],
  }
}

/** Each rate once, counted as far as any of them asks. */
function uniqueRates(rates: AskedRate[]): AskedRate[] {
  const unique = new Map<string, AskedRate>()
  for (const rate of rates) {
    const name = `${rate.by} ${rate.withinMinutes} ${rate.scope}`
    unique.set(name, { ...rate, upTo: Math.max(rate.upTo, unique.get(name)?.upTo ?? 0) })
  }
  return [...unique.values()]
}

/** Each search once, down to the lowest similarity that any of them asks for. */
function uniqueSearches(searches: RejectedSearch[]): RejectedSearch[] {
  const unique = new Map<string, RejectedSearch>()
  for (const search of searches) {
    const name = `${search.scope} ${search.withinDays}`
    const similarAtLeast = Math.min(search.similarAtLeast, unique.get(name)?.similarAtLeast ?? 1)
    unique.set(name, { ...search, similarAtLeast })
  }
  return [...unique.values()]
}
