import type { ApiDocument, Schema } from '#server/rest/docs/api-document.ts'
import { fieldsOf, nameOfShape, variantsOf } from '#server/rest/docs/shapes.ts'

/** A value at one of the limits of a schema, and whether it is valid. */
export interface Edge {
  /** The limit and the value: `userIds: 101 beside maxItems 100`. */
  what: string
  value: unknown
  isWithin: boolean
}

/** Both sides of every limit of a schema and of everything nested in it, each in an otherwise valid value. */
export function edgesOf(document: ApiDocument, schema: Schema, name: string): Edge[] {
  const meant = meaningOf(document, schema)
  if (meant.type === 'array') return edgesOfList(document, meant, name)
  if (meant.type === 'object') {
    return fieldsOf(meant).flatMap((field) =>
      edgesOf(document, field.schema, `${name}.${field.name}`).map((edge) => ({
        ...edge,
        value: { ...rightObject(document, meant), [field.name]: edge.value },
      })),
    )
  }
  if (meant.enum !== undefined || meant.pattern !== undefined || meant.format !== undefined) return []
  if (meant.type === 'string')
    return [
      ...limits(name, meant, ['minLength', 'maxLength'], (length) => sized(name, length)),
      ...astralLimits(name, meant),
      ...(isToken(name) ? [] : [{ what: `${name}: U+0000 within`, value: 'a\0b', isWithin: false }]),
    ]
  return limits(name, meant, ['minimum', 'maximum'], (number) => number)
}

function edgesOfList(document: ApiDocument, schema: Schema, name: string): Edge[] {
  const items = schema.items ?? {}
  const { enum: choices } = meaningOf(document, items)
  const listOf = (count: number) =>
    Array.from({ length: count }, (_, index) => choices?.[index % choices.length] ?? rightItem(document, items, index))
  // A list of enum values can't exceed their number: the schema doesn't say whether one may repeat.
  const own = limits(name, schema, ['minItems', 'maxItems'], listOf).filter(
    ({ value, isWithin }) => !isWithin || choices === undefined || [value].flat().length <= choices.length,
  )
  return [...own, ...edgesOf(document, items, `${name}[]`).map((edge) => ({ ...edge, value: [edge.value] }))]
}

type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems'

function limits(name: string, schema: Schema, [least, most]: [Limit, Limit], make: (size: number) => unknown): Edge[] {
  const edge = (limit: Limit, size: number, isWithin: boolean) => ({
    what: `${name}: ${size} beside ${limit} ${schema[limit]}`,
    value: make(size),
    isWithin,
  })
  const { [least]: min = Number.MIN_SAFE_INTEGER, [most]: max = Number.MAX_SAFE_INTEGER } = schema
  // Nothing is shorter than empty, and integers are bounded.
  const hasBelow = min > 0 || (least === 'minimum' && min > Number.MIN_SAFE_INTEGER)
  return [
    ...(min > Number.MIN_SAFE_INTEGER ? [edge(least, min, true)] : []),
    ...(hasBelow ? [edge(least, min - 1, false)] : []),
    ...(max < Number.MAX_SAFE_INTEGER ? [edge(most, max, true), edge(most, max + 1, false)] : []),
  ]
}

/** Lengths count UTF-16 units: a character outside the basic plane counts twice. A paging token contains none. */
function astralLimits(name: string, { maxLength }: Schema): Edge[] {
  if (maxLength === undefined || isToken(name)) return []
  const edge = (length: number, isWithin: boolean) => ({
    what: `${name}: ${length} units of astral characters beside maxLength ${maxLength}`,
    value: '𝒳'.repeat(Math.floor(length / 2)).padEnd(length, 'x'),
    isWithin,
  })
  return [edge(maxLength, true), edge(maxLength + 1, false), edge(maxLength + 2, false)]
}

/** A paging token has to decode too: base64 of JSON, in which whitespace is ignored. */
function sized(name: string, length: number): string {
  if (!isToken(name)) return 'x'.repeat(length)
  return Buffer.from('{"limit":1}'.padEnd(Math.floor((length * 3) / 4)))
    .toString('base64url')
    .padEnd(length, 'A')
}

function isToken(name: string): boolean {
  return /(^|\.)token$/.test(name)
}

/** Of the ways to write a value the most explicit one: a list rather than its only item, an object rather than its name. */
export function meaningOf(document: ApiDocument, schema: Schema): Schema {
  const name = nameOfShape(schema)
  if (name !== undefined) return meaningOf(document, document.components.schemas[name] ?? {})
  const variants = variantsOf(schema)
  if (variants.length === 1 && variants[0] === schema) return schema
  const meant = variants.map((variant) => meaningOf(document, variant))
  return { ...(meant.find(({ type }) => type === 'array' || type === 'object') ?? meant[0]), ...schema }
}

function rightObject(document: ApiDocument, schema: Schema): Record<string, unknown> {
  const required = fieldsOf(schema).filter(({ isRequired }) => isRequired)
  return Object.fromEntries(required.map((field) => [field.name, rightItem(document, field.schema, 0)]))
}

function rightItem(document: ApiDocument, schema: Schema, index: number): unknown {
  const meant = meaningOf(document, schema)
  if (meant.enum !== undefined) return meant.enum[0]
  if (meant.type === 'object') return rightObject(document, meant)
  if (meant.type === 'array') return [rightItem(document, meant.items ?? {}, 0)]
  if (meant.type === 'string') return `x${index}`
  return meant.minimum ?? 0
}
