import { setImmediate } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import type { Scope } from '#server/modules/rules/conditions/facts.ts'
import { type Finding, metAt, metIf, toFound } from '#server/modules/rules/conditions/found.ts'
import { loadLanguages } from '#server/modules/rules/conditions/language.ts'
import { isLink, nameOf } from '#server/modules/rules/conditions/links.ts'
import { compilePattern } from '#server/modules/rules/conditions/pattern.ts'
import type { Reading } from '#server/modules/rules/conditions/reading.ts'
import type { Leaf, RateCondition } from '#server/modules/rules/conditions/schema.ts'
import {
  lettersOf,
  testCapitals,
  testDomains,
  testLength,
  testLinks,
  testScript,
} from '#server/modules/rules/conditions/text-tests.ts'

/** Says whether a condition is met, and where. */
export type Test = (reading: Reading) => Finding

/**
 * Fails with a message for the author of the rule where a pattern can't be used. Patterns and lists take up to milliseconds: each in a turn of the
 * process of its own.
 */
export async function compileLeaf(leaf: Leaf, scope: Scope): Promise<Test> {
  switch (leaf.kind) {
    case 'words':
      return (reading) => reading.words().get(leaf)
    case 'pattern': {
      await setImmediate()
      const find = compilePattern(leaf)
      return ({ texts, marking }) => metAt(find(texts, marking))
    }
    case 'links':
      return (reading) => testLinks(leaf, reading)
    case 'domains': {
      await setImmediate()
      const domains = new Set(leaf.domains.map(toAscii))
      return (reading) => testDomains(leaf, domains, reading)
    }
    case 'script': {
      const letters = lettersOf(leaf.scripts)
      return (reading) => testScript(leaf, letters, reading)
    }
    case 'language': {
      const languageOf = await loadLanguages()
      return ({ fullText }) => metIf(leaf.languages.includes(languageOf(fullText) ?? ''))
    }
    case 'length':
      return (reading) => testLength(leaf, reading)
    case 'capitals':
      return (reading) => testCapitals(leaf, reading)
    case 'mentions':
      return ({ mentions }) => metIf(mentions >= leaf.atLeast)
    case 'media':
      return ({ media }) => metIf(leaf.types.some((type) => media.includes(type)))
    case 'accountAge':
      return ({ author }) => metIf(author !== undefined && author.accountAgeDays < leaf.underDays)
    case 'contributions':
      return ({ author }) => metIf(author !== undefined && author.contributions < leaf.fewerThan)
    case 'decisions':
      return ({ author }) => metIf(author !== undefined && author[leaf.outcome] >= leaf.atLeast)
    case 'bans':
      return ({ author }) => metIf(author !== undefined && author.bans >= leaf.atLeast)
    case 'membership':
      return ({ author }) => metIf(author !== undefined && isOrExceeds(author.membership, leaf.is))
    case 'rate':
      return (reading) => testRate(leaf, rateScope(leaf, scope), reading)
    case 'similarity':
      return ({ rejected = [] }) =>
        metIf(
          rejected.some(
            (search) =>
              search.scope === scope &&
              search.withinDays === leaf.withinDays &&
              search.similarities.filter((similarity) => similarity >= leaf.similarAtLeast).length >= leaf.times,
          ),
        )
    case 'signal':
      return ({ signals = {} }) => metIf(isBetween(signals[leaf.name], leaf))
  }
}

/** The domain in ASCII, as those of links are. */
function toAscii(domain: string): string {
  const ascii = domainToASCII(domain)
  if (ascii === '') throw new Error(`${domain} isn’t a domain`)
  return ascii
}

/** What an author writes counts wherever it is. */
export const rateScope = ({ by }: RateCondition, scope: Scope): Scope => (by === 'author' ? 'network' : scope)

/** Met where the most frequent link is. */
function testRate(
  { by, withinMinutes, moreThan }: RateCondition,
  scope: Scope,
  { rates = [], links }: Reading,
): Finding {
  const rate = rates.find((rate) => rate.by === by && rate.withinMinutes === withinMinutes && rate.scope === scope)
  if (rate === undefined || rate.count <= moreThan) return undefined
  return by === 'author'
    ? []
    : links()
        .filter((link) => isLink(link) && nameOf(link, by) === rate.most)
        .map(toFound)
}

const isOrExceeds = (membership: string, asked: string) =>
  membership === asked || (asked === 'member' && membership === 'moderator')

function isBetween(
  score: number | undefined,
  { atLeast = 0, atMost = 1 }: { atLeast?: number | undefined; atMost?: number | undefined },
) {
  return score !== undefined && score >= atLeast && score <= atMost
}
