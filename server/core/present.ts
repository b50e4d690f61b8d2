type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The fields that have a value: absent means absent, never null (docs/interface/conventions.md#absent-fields). */
export function present<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  // `fromEntries` loses the types: the names and values are those of the fields.
  return Object.fromEntries(entries) as Present<Fields>
}
