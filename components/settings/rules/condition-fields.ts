import type { Condition, Leaf } from '#server/modules/rules/conditions/schema.ts'

export type LeafKind = Leaf['kind']

/** How a field of a condition is edited, with the server's limits. Values are text while they are edited. */
type Editing =
  | { type: 'lines' | 'check' }
  | { type: 'text'; maxLength: number }
  | { type: 'number'; min: number; max: number; isOptional?: boolean; isFraction?: boolean }
  | { type: 'percent'; min: number }
  | { type: 'choice' | 'picks'; options: readonly string[] }
export type FieldSpec = { name: string; initial: string } & Editing
type Unnamed = Editing & { initial?: string }

const lines: Unnamed = { type: 'lines' }
const choice = (...options: string[]): Unnamed => ({ type: 'choice', options, initial: options[0] ?? '' })
const picks = (names: string): Unnamed => ({ type: 'picks', options: names.split(' ') })
const percent = (initial: string, min = 0): Unnamed => ({ type: 'percent', min, initial })
const count = (max: number, initial = '1'): Unnamed => ({ type: 'number', min: 1, max, initial })
const length: Unnamed = { type: 'number', min: 0, max: 100_000, isOptional: true }
const score: Unnamed = { type: 'number', min: 0, max: 1, isOptional: true, isFraction: true }

const LANGUAGES =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
const SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Georgian Greek Han Hangul Hebrew Hiragana Katakana Latin Tamil Thai'

/** Every kind of condition that the server has, in the order of the menu, with every field it has, in the order of the editor. */
const TABLE: { [Kind in LeafKind]: Record<Exclude<keyof Extract<Leaf, { kind: Kind }>, 'kind'>, Unnamed> } = {
  words: { words: lines, match: choice('word', 'part'), spelling: choice('similar', 'exact') },
  links: { atLeast: count(50) },
  domains: { domains: lines, isListed: choice('true', 'false') },
  pattern: { pattern: { type: 'text', maxLength: 500 }, isCaseSensitive: { type: 'check', initial: 'false' } },
  length: { atLeast: length, atMost: length },
  capitals: { shareAtLeast: percent('70'), letters: count(10_000, '10') },
  language: { languages: picks(LANGUAGES) },
  script: { scripts: picks(SCRIPTS), shareAtLeast: percent('50') },
  mentions: { atLeast: count(1_000, '5') },
  similarity: { similarAtLeast: percent('70', 60), withinDays: count(90, '30'), times: count(20) },
  media: { types: picks('image video audio file') },
  accountAge: { underDays: { type: 'number', min: 0.01, max: 3_650, isFraction: true, initial: '7' } },
  contributions: { fewerThan: count(1_000, '5') },
  decisions: { outcome: choice('rejected', 'approved'), atLeast: count(1_000) },
  bans: { atLeast: count(100) },
  membership: { is: choice('notMember', 'member', 'moderator') },
  rate: { by: choice('author', 'link', 'domain'), moreThan: count(1_000, '5'), withinMinutes: count(1_440, '10') },
  signal: { name: { type: 'text', maxLength: 50 }, atLeast: { ...score, initial: '0.8' }, atMost: score },
}

// Safe: entries lose the type of their keys.
export const LEAF_KINDS = Object.keys(TABLE) as LeafKind[]

/** The fields of a condition, in the order of the editor. */
export const fieldsOf = (kind: LeafKind): FieldSpec[] =>
  Object.entries<Unnamed>(TABLE[kind]).map(([name, field]) => ({ initial: '', ...field, name }))

export type Values = Record<string, string>

export const emptyValues = (kind: LeafKind): Values =>
  Object.fromEntries(fieldsOf(kind).map(({ name, initial }) => [name, initial]))

/** The lines of a field without blank ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export const picksOf = (text: string): string[] => text.split(' ').filter(Boolean)

/** The fields of a condition as the editor writes them. */
export function toValues(leaf: Leaf): Values {
  return Object.fromEntries(fieldsOf(leaf.kind).map((field) => [field.name, toText(field, Object(leaf)[field.name])]))
}

function toText({ type }: FieldSpec, value: unknown): string {
  if (Array.isArray(value)) return value.join(type === 'lines' ? '\n' : ' ')
  if (type === 'percent') return String(Math.round(Number(value) * 10_000) / 100)
  return String(value ?? '')
}

/** The condition that the fields describe; the server validates it. */
export function toLeaf(kind: LeafKind, values: Values): Condition {
  // A draft of an earlier version may lack a field.
  const fields = fieldsOf(kind).map((field) => [field.name, toValue(field, values[field.name] ?? field.initial)])
  // Safe: the fields of each kind are those of its condition.
  return { kind, ...Object.fromEntries(fields) } as Condition
}

function toValue({ type, name }: FieldSpec, text: string): unknown {
  switch (type) {
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
      return name === 'isListed' ? text === 'true' : text
    case 'text':
      return text
  }
}
