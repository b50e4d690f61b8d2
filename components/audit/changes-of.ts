/** One field before and after an act. */
export interface FieldChange {
  field: string
  before: string | undefined
  after: string | undefined
  isChanged: boolean
  /** `before` is what was removed from a list, `after` what was added. */
  isList?: boolean
}

type States = Record<string, unknown> | undefined

/** The fields of an entry, changed ones first; nested fields are named by their path. */
export function changesOf(before: States, after: States): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => changeOf(field, was.get(field), is.get(field)))
    .sort((one, other) => Number(other.isChanged) - Number(one.isChanged))
}

function changeOf(field: string, was: unknown, is: unknown): FieldChange {
  const [before, after] = [was, is].map((value) => (value === undefined ? undefined : toText(value)))
  const isChanged = before !== after
  if (!isChanged || !isPlainList(was) || !isPlainList(is)) return { field, before, after, isChanged }
  return { field, before: without(was, is), after: without(is, was), isChanged, isList: true }
}

/** What one list has and the other doesn't. */
function without(list: unknown[], other: unknown[]): string | undefined {
  const rest = list.filter((one) => !other.includes(one))
  return rest.length === 0 ? undefined : rest.map(toText).join(', ')
}

const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object')

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function fieldsOf(states: States): Map<string, unknown> {
  return new Map(states === undefined ? [] : flatten(states, ''))
}

function flatten(value: unknown, path: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path === '' ? name : `${path}.${name}`))
  }
  return [[path, value]]
}
