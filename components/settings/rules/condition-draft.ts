import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import { emptyValues, type LeafKind, linesOf, toLeaf, toValues, type Values } from './condition-fields.ts'

/** Conditions while they are edited: groups of conditions and groups, each of which can be negated. */
export interface GroupDraft {
  id: string
  isNot: boolean
  of: 'all' | 'any'
  parts: PartDraft[]
}
export interface LeafDraft {
  id: string
  isNot: boolean
  kind: LeafKind
  values: Values
}
export type PartDraft = GroupDraft | LeafDraft

export const isGroup = (part: PartDraft): part is GroupDraft => 'parts' in part

/** The server's limits: how far conditions nest, and how many a rule has. */
export const DEPTH_LIMIT = 5
export const CONDITIONS_LIMIT = 50

/** Names a new part; names are only compared within one rule. */
const newId = () => crypto.randomUUID()

export const newLeaf = (kind: LeafKind): LeafDraft => ({ id: newId(), isNot: false, kind, values: emptyValues(kind) })
export const newGroup = (of: GroupDraft['of'], parts: PartDraft[] = []): GroupDraft => ({
  id: newId(),
  isNot: false,
  of,
  parts,
})

/** The outermost part is always a group, so that a condition can be added. */
export function toDraft(condition: Condition): GroupDraft {
  const part = toPart(condition)
  return isGroup(part) && !part.isNot ? part : newGroup('all', [part])
}

function toPart(condition: Condition): PartDraft {
  switch (condition.kind) {
    case 'not': {
      const part = toPart(condition.condition)
      return { ...part, isNot: !part.isNot }
    }
    case 'all':
    case 'any':
      return newGroup(condition.kind, condition.conditions.map(toPart))
    default:
      return { ...newLeaf(condition.kind), values: toValues(condition) }
  }
}

/** A group of one is that one. */
export function toCondition(part: PartDraft): Condition {
  const condition = toPlainCondition(part)
  return part.isNot ? { kind: 'not', condition } : condition
}

function toPlainCondition(part: PartDraft): Condition {
  if (!isGroup(part)) return toLeaf(part.kind, part.values)
  const [first, ...others] = part.parts
  if (first && others.length === 0) return toCondition(first)
  return { kind: part.of, conditions: part.parts.map(toCondition) }
}

/** Replaces a part, or removes it. */
export function replacePart(group: GroupDraft, id: string, replaced: PartDraft | undefined): GroupDraft {
  const parts = group.parts.flatMap((part) => {
    if (part.id === id) return replaced ?? []
    return isGroup(part) ? replacePart(part, id, replaced) : part
  })
  return { ...group, parts }
}

export function countLeaves(part: PartDraft): number {
  return isGroup(part) ? part.parts.reduce((sum, inner) => sum + countLeaves(inner), 0) : 1
}

/** What is wrong with a part, by its id; '' for what is about none of them. */
export type Problems = Record<string, Problem>
export interface Problem {
  /** The field it is about. */
  field?: string
  /** The word or domain it is about. */
  entry?: string
  /** As the server says it; empty for what is missing. */
  text: string
}

/** The server's problems, by the parts of the conditions that were sent. */
export function problemsOf(detail: string[], root: GroupDraft): Problems {
  return Object.fromEntries(
    readProblems(detail).map(({ path, text }) => {
      const { part, rest } = partAt(root, stepsOf(path))
      const [field, index] = rest
      if (part === undefined || isGroup(part)) return [part?.id ?? '', { text, ...(field && { field }) }]
      const entry = index === undefined ? undefined : linesOf(part.values[field ?? ''] ?? '')[Number(index)]
      return [part.id, { text, ...(field && { field }), ...(entry && { entry }) }]
    }),
  )
}

/** Either `path: text` in a line, or `✖ text` and `→ at path` in two. */
export function readProblems(detail: string[]): { path: string; text: string }[] {
  return detail.flatMap((line, index) => {
    if (line.trimStart().startsWith('→ at ')) return []
    if (line.startsWith('✖ ')) {
      const path = detail[index + 1]?.match(/→ at (.*)$/)?.[1] ?? ''
      return [{ path, text: line.slice(2) }]
    }
    const [, path = '', text = line] = line.match(/^([\w.[\]]+): (.*)$/) ?? []
    return [{ path, text }]
  })
}

const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean)

/** Follows a path of the condition through the draft it was made from. */
function partAt(root: GroupDraft, [first, ...steps]: string[]): { part?: PartDraft; rest: string[] } {
  if (first === 'condition') return follow(root, steps)
  return { rest: first === undefined ? [] : [first] }
}

function follow(part: PartDraft, steps: string[]): { part: PartDraft; rest: string[] } {
  const rest = part.isNot && steps[0] === 'condition' ? steps.slice(1) : steps
  if (!isGroup(part)) return { part, rest }
  const [only, ...others] = part.parts
  if (only && others.length === 0) return follow(only, rest)
  const inner = rest[0] === 'conditions' ? part.parts[Number(rest[1])] : undefined
  return inner ? follow(inner, rest.slice(2)) : { part, rest }
}
