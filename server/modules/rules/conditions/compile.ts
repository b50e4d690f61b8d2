import { compileLeaf, type Test } from '#server/modules/rules/conditions/compile-leaf.ts'
import { AUTHOR_FACTS, type NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import type { Found } from '#server/modules/rules/conditions/found.ts'
import { type Condition, type Leaf, leavesOf, type Words } from '#server/modules/rules/conditions/schema.ts'
import { indexWords, type WordIndex } from '#server/modules/rules/conditions/word-index.ts'

/** A version of a rule. */
export interface Rule {
  ruleId: string
  version: number
  condition: Condition
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

/** Takes tens of milliseconds for thousands of words: once for a set of rules. Fails with a message where a pattern can't be used. */
export async function compileRules(rules: Rule[]): Promise<CompiledRules> {
  const leaves = rules.flatMap(({ condition }) => leavesOf(condition))
  return {
    rules: await Promise.all(
      rules.map(async ({ ruleId, version, condition }) => ({ ruleId, version, test: await compile(condition) })),
    ),
    wordIndex: indexWords(leaves.filter((leaf): leaf is Words => leaf.kind === 'words')),
    needed: neededBy(leaves),
  }
}

async function compile(condition: Condition): Promise<Test> {
  switch (condition.kind) {
    case 'all':
      return meetsAll(condition.conditions, await Promise.all(condition.conditions.map(compile)))
    case 'any':
      return meetsAny(await Promise.all(condition.conditions.map(compile)))
    case 'not': {
      const test = await compile(condition.condition)
      return (reading) => (test(reading) === undefined ? [] : undefined)
    }
    default:
      return compileLeaf(condition)
  }
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

/** These read the text by themselves; words and links are found once for all rules. */
const COSTLY: Condition['kind'][] = ['pattern', 'language', 'all', 'any', 'not']
const costOf = (condition: Condition | undefined) => (condition ? COSTLY.indexOf(condition.kind) : 0)

function neededBy(leaves: Leaf[]): NeededFacts {
  const ofKind = <Kind extends Leaf['kind']>(kind: Kind) =>
    leaves.filter((leaf): leaf is Extract<Leaf, { kind: Kind }> => leaf.kind === kind)
  const rates = new Map(
    ofKind('rate').map(({ by, withinMinutes }) => [`${by} ${withinMinutes}`, { by, withinMinutes }]),
  )
  return {
    author: AUTHOR_FACTS.filter((fact) => ofKind(fact).length > 0),
    similarity: ofKind('similarity').length > 0,
    rates: [...rates.values()],
    signals: [...new Set(ofKind('signal').map(({ name }) => name))],
  }
}
