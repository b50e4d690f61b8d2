/** What a rule means, for people who don't write patterns; patterns are entered as they are. */
export type AllowMeaning = 'subdomains' | 'exact' | 'pattern'
export type BlockMeaning = 'word' | 'anywhere' | 'pattern'

const SUBDOMAINS = String.raw`(?:[\w-]+\.)*`
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g

const escaped = (text: string) => text.replace(SPECIAL, String.raw`\$&`)
const unescaped = (pattern: string) => pattern.replace(/\\(\W)/g, '$1')

/** The pattern for a typed site, with or without its scheme: `https://www.example.com/` is example.com. */
export function toAllowPattern(typed: string, meaning: AllowMeaning): string {
  if (meaning === 'pattern') return typed
  const site = typed
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/+$/, '')
  return `${meaning === 'subdomains' ? SUBDOMAINS : ''}${escaped(site)}`
}

/** Reverses `toAllowPattern`; any other pattern is returned as one. */
export function readAllowPattern(pattern: string): { shown: string; meaning: AllowMeaning } {
  const meaning = pattern.startsWith(SUBDOMAINS) ? 'subdomains' : 'exact'
  const shown = unescaped(meaning === 'subdomains' ? pattern.slice(SUBDOMAINS.length) : pattern)
  return toAllowPattern(shown, meaning) === pattern ? { shown, meaning } : { shown: pattern, meaning: 'pattern' }
}

export function toBlockPattern(typed: string, meaning: BlockMeaning): string {
  return meaning === 'pattern' ? typed : escaped(typed)
}

export function readBlockPattern(pattern: string, isMatchExactWord: boolean): { shown: string; meaning: BlockMeaning } {
  const shown = unescaped(pattern)
  if (escaped(shown) !== pattern) return { shown: pattern, meaning: 'pattern' }
  return { shown, meaning: isMatchExactWord ? 'word' : 'anywhere' }
}
