/** Words may be of a type that allows some words only; ids and what people write are of none. */
const WORD = /^[A-Za-z][A-Za-z_.:-]{0,40}$/

/** The type of a value as TypeScript writes it, as narrow as types are where rows are read. */
export function typeText(value: unknown): string {
  if (typeof value === 'string') return WORD.test(value) ? JSON.stringify(value) : 'string'
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return arrayText(value.map(typeText))
  if (value.constructor !== Object) return value.constructor.name
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${typeText(field)}`)
  return `{ ${fields.join('; ')} }`
}

/** Few values with numbers among them, such as those of a map's entry, may be read one by one. */
function arrayText(types: string[]): string {
  const distinct = [...new Set(types)]
  const isTuple = types.length <= 4 && distinct.includes('number')
  return isTuple ? `[${types.join(', ')}]` : `(${distinct.join(' | ') || 'never'})[]`
}
