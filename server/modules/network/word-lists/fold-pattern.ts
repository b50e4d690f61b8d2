import { CLUSTERS, fold } from '#server/core/folding/fold.ts'

/** Parts of a regular expression of PostgreSQL: a class, a character by its code, any other escape, a quantifier, another operator, spaces, a character. */
const PARTS = new RegExp(
  [
    String.raw`(?<set>\[\^?\]?(?:\\.|\[[:.=].*?[:.=]\]|[^\]\\])*\])`,
    String.raw`\\u(?<code>[0-9a-fA-F]{4})|\\U(?<longCode>[0-9a-fA-F]{8})`,
    String.raw`\\(?<escaped>[^\u0000-\u007f])`,
    String.raw`(?<escape>\\.)`,
    String.raw`(?<quantifier>[*+?]|\{[0-9,]*\})`,
    String.raw`(?<operator>[(){}|^$.[\]\\])`,
    String.raw`(?<spaces>[\s\p{Z}]+)`,
    `(?<literal>${CLUSTERS.source})`,
  ].join('|'),
  'gsu',
)
const OPERATOR = /[\\^$.*+?()[\]{}|]/g
/** What a class can have as it is, at any place of it. */
const PLAIN = /^[\p{L}\p{N}']$/u

interface Part {
  written: string
  /** The character that is meant, whatever operators do with it. */
  literal: string | undefined
  kind: 'literal' | 'spaces' | 'set' | 'quantifier' | 'other'
}

/**
 * A pattern of the block list as texts are read: its characters folded as theirs, with everything that is no character left as it is. ASCII keeps its
 * case, which never counts. A class has the folded characters beside its own; its ranges stay, and match a text as it is written.
 */
export function foldPattern(pattern: string): string {
  const parts = [...pattern.matchAll(PARTS)].map(toPart)
  return parts.map((part, at) => foldPart(part, parts[at - 1], parts.slice(at + 1, at + 3))).join('')
}

function toPart({ 0: written, groups = {} }: RegExpExecArray): Part {
  const { set, code, longCode, escaped, quantifier, spaces, literal } = groups
  if (set !== undefined) return { written, literal: undefined, kind: 'set' }
  if (quantifier !== undefined) return { written, literal: undefined, kind: 'quantifier' }
  if (spaces !== undefined) return { written, literal: undefined, kind: 'spaces' }
  const character = escaped ?? literal ?? characterOf(code ?? longCode)
  return { written, literal: character, kind: character === undefined ? 'other' : 'literal' }
}

function characterOf(code: string | undefined): string | undefined {
  const point = code === undefined ? 0 : Number.parseInt(code, 16)
  const isCharacter = point > 0 && point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : undefined
}

function foldPart(part: Part, before: Part | undefined, [next, afterNext]: Part[]): string {
  const isRepeated = next?.kind === 'quantifier'
  if (part.kind === 'set') return foldSet(part.written)
  // A quantifier is about the last space only.
  if (part.kind === 'spaces') return isRepeated && part.written.length > 1 ? part.written : ' '
  if (part.literal === undefined) return part.written

  const folded = foldCharacter(part.literal)
  if (folded === part.literal) return part.written
  if (folded === '') {
    // Without a character that is surely there, what is left could match nothing, and with that every text.
    const isBeside = before?.kind === 'literal' || (next?.kind === 'literal' && afterNext?.kind !== 'quantifier')
    return isBeside && !isRepeated ? '' : part.written
  }
  const escaped = folded.replaceAll(OPERATOR, String.raw`\$&`)
  return isRepeated && [...folded].length > 1 ? `(?:${escaped})` : escaped
}

/** Folds one character. Of ASCII only the grave accent becomes another one, as texts have it for an apostrophe. */
function foldCharacter(character: string): string {
  const isAscii = character.length === 1 && character < '\u0080'
  return isAscii && character !== '`' ? character : fold(character).text
}

/** Adds to a class what its single characters are folded to, where that is one character: several would each be in the class. */
function foldSet(set: string): string {
  return set.replaceAll(/\\.|\[[:.=].*?[:.=]\]|[^\\]-[^\]]|./gsu, (member) => {
    const folded = [...member].length === 1 ? foldCharacter(member) : member
    return folded !== member && PLAIN.test(folded) ? `${member}${folded}` : member
  })
}
