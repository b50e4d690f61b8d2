import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'

export type LeafKind = Leaf['kind']

/** One field of a condition. Values are text while they are edited. */
export type FieldSpec = { name: string; initial?: string } & (
  | { type: 'lines' | 'check' }
  | { type: 'text'; maxLength: number }
  | { type: 'number'; min: number; max: number; isOptional?: boolean; isFraction?: boolean }
  | { type: 'percent'; min?: number }
  | { type: 'choice'; options: readonly string[] }
  | { type: 'picks'; options: readonly string[] }
)

const LANGUAGES =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  )
const SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Georgian Greek Han Hangul Hebrew Hiragana Katakana Latin Tamil Thai'.split(
    ' ',
  )
const MEDIA = ['image', 'video', 'audio', 'file']

const atLeast = (max: number, initial = '1'): FieldSpec => ({ name: 'atLeast', type: 'number', min: 1, max, initial })

/** The fields of each condition, in the order of the editor, with the server's limits. */
export const FIELDS: Record<LeafKind, readonly FieldSpec[]> = {
  words: [
    { name: 'words', type: 'lines' },
    { name: 'match', type: 'choice', options: ['word', 'part'] },
    { name: 'spelling', type: 'choice', options: ['similar', 'exact'] },
  ],
  links: [atLeast(50)],
  domains: [
    { name: 'domains', type: 'lines' },
    { name: 'isListed', type: 'choice', options: ['true', 'false'] },
  ],
  pattern: [
    { name: 'pattern', type: 'text', maxLength: 500 },
    { name: 'isCaseSensitive', type: 'check', initial: 'false' },
  ],
  length: [
    { name: 'atLeast', type: 'number', min: 0, max: 100_000, isOptional: true },
    { name: 'atMost', type: 'number', min: 0, max: 100_000, isOptional: true },
  ],
  capitals: [
    { name: 'shareAtLeast', type: 'percent', initial: '70' },
    { name: 'letters', type: 'number', min: 1, max: 10_000, initial: '10' },
  ],
  language: [{ name: 'languages', type: 'picks', options: LANGUAGES }],
  script: [
    { name: 'scripts', type: 'picks', options: SCRIPTS },
    { name: 'shareAtLeast', type: 'percent', initial: '50' },
  ],
  mentions: [atLeast(1_000, '5')],
  similarity: [
    { name: 'similarAtLeast', type: 'percent', min: 60, initial: '70' },
    { name: 'withinDays', type: 'number', min: 1, max: 90, initial: '30' },
    { name: 'times', type: 'number', min: 1, max: 20, initial: '1' },
  ],
  media: [{ name: 'types', type: 'picks', options: MEDIA }],
  accountAge: [{ name: 'underDays', type: 'number', min: 0.01, max: 3_650, isFraction: true, initial: '7' }],
  contributions: [{ name: 'fewerThan', type: 'number', min: 1, max: 1_000, initial: '5' }],
  decisions: [{ name: 'outcome', type: 'choice', options: ['rejected', 'approved'] }, atLeast(1_000)],
  bans: [atLeast(100)],
  membership: [{ name: 'is', type: 'choice', options: ['notMember', 'member', 'moderator'] }],
  rate: [
    { name: 'by', type: 'choice', options: ['author', 'link', 'domain'] },
    { name: 'moreThan', type: 'number', min: 1, max: 1_000, initial: '5' },
    { name: 'withinMinutes', type: 'number', min: 1, max: 1_440, initial: '10' },
  ],
  signal: [
    { name: 'name', type: 'text', maxLength: 50 },
    { name: 'atLeast', type: 'number', min: 0, max: 1, isOptional: true, isFraction: true, initial: '0.8' },
    { name: 'atMost', type: 'number', min: 0, max: 1, isOptional: true, isFraction: true },
  ],
}

/** The kinds by what they are about, in the order of the menu. */
export const LEAF_KINDS = Object.keys(FIELDS) as LeafKind[]

export type Values = Record<string, string>

export function emptyValues(kind: LeafKind): Values {
  return Object.fromEntries(FIELDS[kind].map((field) => [field.name, initialOf(field)]))
}

function initialOf(field: FieldSpec): string {
  return field.initial ?? (field.type === 'choice' ? (field.options[0] ?? '') : '')
}

/** A field's value as the editor writes it. */
export function toText(field: FieldSpec, value: unknown): string {
  if (field.type === 'lines') return (value as string[]).join('\n')
  if (field.type === 'picks') return (value as string[]).join(' ')
  if (field.type === 'percent') return String(Math.round((value as number) * 10_000) / 100)
  return value === undefined ? '' : String(value)
}

/** The lines of a field without blank ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export const picksOf = (text: string): string[] => text.split(' ').filter(Boolean)

function toValue(field: FieldSpec, text: string): unknown {
  switch (field.type) {
    case 'lines':
      return linesOf(text)
    case 'picks':
      return picksOf(text)
    case 'percent':
      return Number(text) / 100
    case 'number':
      return text === '' ? undefined : Number(text)
    case 'check':
      return text === 'true'
    case 'choice':
      return field.name === 'isListed' ? text === 'true' : text
    case 'text':
      return text
  }
}

/** The condition that the fields describe; the server validates it. */
export function toLeaf(kind: LeafKind, values: Values): Condition {
  // A draft of an earlier version may lack a field.
  const fields = FIELDS[kind].map((field) => [field.name, toValue(field, values[field.name] ?? initialOf(field))])
  // Safe: the fields of each kind are those of its condition.
  return { kind, ...Object.fromEntries(fields) } as Condition
}
