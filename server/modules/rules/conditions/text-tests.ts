import { type Finding, metAt, metIf, toFound } from '#server/modules/rules/conditions/found.ts'
import { isLink } from '#server/modules/rules/conditions/links.ts'
import type { Reading } from '#server/modules/rules/conditions/reading.ts'
import type { Leaf, Script } from '#server/modules/rules/conditions/schema.ts'

type LeafOf<Kind extends Leaf['kind']> = Extract<Leaf, { kind: Kind }>

const LETTER = /\p{L}/gu
const CAPITAL = /\p{Lu}/gu
const SMALL = /\p{Ll}/gu

export function testLinks({ atLeast }: LeafOf<'links'>, reading: Reading): Finding {
  const links = reading.links().filter(isLink)
  return links.length >= atLeast ? links.map(toFound) : undefined
}

export function testDomains({ isListed }: LeafOf<'domains'>, domains: ReadonlySet<string>, reading: Reading): Finding {
  const links = reading
    .links()
    .filter((link) => isListed || isLink(link))
    .filter(({ domain }) => withParents(domain).some((part) => domains.has(part)) === isListed)
  return metAt(links.map(toFound))
}

/** A domain and all that it belongs to: a.b.example, b.example, example. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, from) => labels.slice(from).join('.'))
}

export function testScript({ shareAtLeast }: LeafOf<'script'>, inScripts: RegExp, { fullText }: Reading): Finding {
  const letters = count(fullText, LETTER)
  return metIf(letters > 0 && count(fullText, inScripts) / letters >= shareAtLeast)
}

/** Matches each letter of these scripts. */
export function lettersOf(scripts: Script[]): RegExp {
  const classes = scripts.map((script) => String.raw`\p{Script=${script}}`)
  return new RegExp(String.raw`(?=\p{L})[${classes.join('')}]`, 'gu')
}

export function testLength(
  { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: LeafOf<'length'>,
  reading: Reading,
): Finding {
  const length = reading.length()
  return metIf(length >= atLeast && length <= atMost)
}

export function testCapitals({ shareAtLeast, letters }: LeafOf<'capitals'>, { fullText }: Reading): Finding {
  const capitals = count(fullText, CAPITAL)
  const withCase = capitals + count(fullText, SMALL)
  return metIf(withCase >= letters && capitals / withCase >= shareAtLeast)
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
