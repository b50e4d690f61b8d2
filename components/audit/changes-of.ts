/** One field before and after an act. */
export interface FieldChange {
  field: string
  before: string | undefined
  after: string | undefined
  isChanged: boolean
}

type States = Record<string, unknown> | undefined

/** The fields of an entry, changed ones first; nested fields are named by their path. */
export function changesOf(before: States, after: States): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => {
      const [before, after] = [was.get(field), is.get(field)]
      return { field, before, after, isChanged: before !== after }
    })
    .sort((one, other) => Number(other.isChanged) - Number(one.isChanged))
}

function fieldsOf(states: States): Map<string, string> {
  return new Map(states === undefined ? [] : flatten(states, ''))
}

function flatten(value: unknown, path: string): [string, string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path === '' ? name : `${path}.${name}`))
  }
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
}
