import type { ApiDocument, Schema } from '#server/rest/docs/api-document.ts'
import { escaped } from '#server/rest/docs/escaped.ts'

export interface Field {
  name: string
  isRequired: boolean
  schema: Schema
}

export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }))
}

/** The forms a value may take, without null, which has no meaning here. */
export function variantsOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [schema]).filter(({ type }) => type !== 'null')
}

export function nameOfShape({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '')
}

/** Describes a value in a few words of HTML: shapes are links. */
export function typeOf(schema: Schema): string {
  const variants = variantsOf(schema)
  if (variants.length !== 1 || variants[0] !== schema) {
    return [...new Set(variants.map(typeOf))].join(' or ') || 'nothing'
  }
  const name = nameOfShape(schema)
  if (name !== undefined) return `<a href="#shape-${escaped(name)}">${escaped(name)}</a>`
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}${limits(schema.minItems, schema.maxItems)}`
  if (schema.type === 'object' && schema.properties) {
    return `{ ${fieldsOf(schema)
      .map((field) => `${escaped(field.name)}${field.isRequired ? '' : '?'}: ${typeOf(field.schema)}`)
      .join('; ')} }`
  }
  return [kindOf(schema) + sizeOf(schema), defaultOf(schema)].filter(Boolean).join(', ')
}

const KINDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}

function kindOf({ type, format, enum: choices }: Schema): string {
  if (choices !== undefined) return choices.map((choice) => `<code>${escaped(String(choice))}</code>`).join(' or ')
  if (format === 'date-time') return 'time'
  return KINDS[String(type)] ?? 'anything'
}

function sizeOf({ minLength, maxLength, minimum, maximum }: Schema): string {
  return limits(minLength, maxLength, ' characters') || limits(minimum, maximum)
}

function limits(least: number | undefined, most: number | undefined, unit = ''): string {
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER
  if (least && isBounded) return `, ${least} to ${most}${unit}`
  if (isBounded) return `, up to ${most}${unit}`
  return least ? `, ${least} or more${unit}` : ''
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : `<code>${escaped(JSON.stringify(schema.default))}</code> by default`
}

/** A sample body: its required fields. */
export function sampleOf(document: ApiDocument, schema: Schema): unknown {
  const [variant = schema] = variantsOf(schema)
  const name = nameOfShape(variant)
  if (name !== undefined) return sampleOf(document, document.components.schemas[name] ?? {})
  if (variant.default !== undefined) return variant.default
  if (variant.enum !== undefined) return variant.enum[0]
  if (variant.type === 'array') return [sampleOf(document, variant.items ?? {})]
  if (variant.type === 'object') {
    const required = fieldsOf(variant).filter(({ isRequired }) => isRequired)
    return Object.fromEntries(required.map((field) => [field.name, sampleOf(document, field.schema)]))
  }
  return SAMPLES[String(variant.type)] ?? ''
}

const SAMPLES: Record<string, unknown> = { integer: 0, number: 0, boolean: false }
