/**
 * A value as PostgreSQL prints a jsonb column: the text signed before the insert equals the text read back. Accepts and leaves
 * out the same values as `JSON.stringify`.
 */
export function toJsonbText(value: unknown): string {
  return textOf(JSON.parse(JSON.stringify(value)))
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return decimal(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  const entries = Object.entries(value).map(([key, entry]) => ({ key: Buffer.from(key), entry }))
  entries.sort((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key))
  return `{${entries.map(({ key, entry }) => `${JSON.stringify(key.toString())}: ${textOf(entry)}`).join(', ')}}`
}

/** A number without an exponent, in its shortest digits. */
function decimal(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  if (exponent === undefined) return String(value)
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
