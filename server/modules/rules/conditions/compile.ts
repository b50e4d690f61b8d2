import { compileLeaf, type Test } from '#server/modules/rules/conditions/compile-leaf.ts'
import type { NeededFacts } from '#server/modules/rules/conditions/facts.ts'
import type { Finding } from '#server/modules/rules/conditions/found.ts'
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
    case 'all': {
      const tests = await Promise.all(condition.conditions.map(compile))
      return (reading) =>
        combine(
          tests.map((test) => test(reading)),
          'every',
        )
    }
    case 'any': {
      const tests = await Promise.all(condition.conditions.map(compile))
      return (reading) =>
        combine(
          tests.map((test) => test(reading)),
          'some',
        )
    }
    case 'not': {
      const test = await compile(condition.condition)
      return (reading) => (test(reading) === undefined ? [] : undefined)
    }
    default:
      return compileLeaf(condition)
  }
}

/** Marks every part that is met, not only the first. */
function combine(findings: Finding[], isMet: 'every' | 'some'): Finding {
  const met = findings.filter((finding) => finding !== undefined)
  return (isMet === 'every' ? met.length === findings.length : met.length > 0) ? met.flat() : undefined
}

function neededBy(leaves: Leaf[]): NeededFacts {
  const ofKind = <Kind extends Leaf['kind']>(kind: Kind) =>
    leaves.filter((leaf): leaf is Extract<Leaf, { kind: Kind }> => leaf.kind === kind)
  const rates = new Map(
    ofKind('rate').map(({ by, withinMinutes }) => [`${by} ${withinMinutes}`, { by, withinMinutes }]),
  )
  return {
    author: leaves.some(({ kind }) => ABOUT_AUTHORS.includes(kind)),
    similarity: ofKind('similarity').length > 0,
    rates: [...rates.values()],
    signals: [...new Set(ofKind('signal').map(({ name }) => name))],
  }
}

const ABOUT_AUTHORS: Leaf['kind'][] = ['accountAge', 'contributions', 'decisions', 'bans', 'membership']
