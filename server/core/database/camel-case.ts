const camelCased = new Map<string, string>()

/** The name in the program of a column: `user_id` is read as `userId`. */
export function camelCase(column: string): string {
  const known = camelCased.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  camelCased.set(column, name)
  return name
}
