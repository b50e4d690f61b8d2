/** How a value is written in a URL's query. */
interface Codec<Value> {
  /** Null if the text is not a valid value. */
  parse: (text: string) => Value | null
  serialize: (value: Value) => string
}

/** A codec, and the value of a parameter that is absent or invalid. */
export interface Parser<Value, Default extends Value | null = Value | null> extends Codec<Value> {
  defaultValue: Default
}

interface AnyParser {
  parse(text: string): unknown
  // A method, so that a parser of any type fits: each is only given values of its own.
  serialize(value: unknown): string
  defaultValue: unknown
}

export type Parsers = Record<string, AnyParser>
export type inferParserType<Map extends Parsers> = {
  [Key in keyof Map]: Map[Key] extends Parser<infer Value, infer Default> ? Value | Default : never
}

export function createParser<Value>(codec: Codec<Value>) {
  return {
    ...codec,
    defaultValue: null,
    withDefault: (defaultValue: Value): Parser<Value, Value> => ({ ...codec, defaultValue }),
  }
}

export const parseAsString = createParser({ parse: String, serialize: String })

export const parseAsInteger = createParser({
  parse: (digits) => (Number.isNaN(Number.parseInt(digits, 10)) ? null : Number.parseInt(digits, 10)),
  serialize: String,
})

export function parseAsStringLiteral<const Literal extends string>(literals: readonly Literal[]) {
  return createParser<Literal>({
    parse: (text) => literals.find((literal) => literal === text) ?? null,
    serialize: String,
  })
}

/** Values separated by commas; a comma in one of them is encoded. Invalid ones are left out. */
export function parseAsArrayOf<Value>({ parse, serialize }: Codec<Value>) {
  return createParser<Value[]>({
    parse: (text) => (text === '' ? [] : text.split(',').flatMap((part) => parse(part.replaceAll('%2C', ',')) ?? [])),
    serialize: (values) => values.map((value) => serialize(value).replaceAll(',', '%2C')).join(','),
  })
}

/** The values of a URL's query, or of a page's search parameters. */
export function createLoader<Map extends Parsers>(parsers: Map) {
  return (source: string | URL | Record<string, string | string[] | undefined>): inferParserType<Map> => {
    const read = readerOf(source)
    return parseAll(parsers, (key) => read(key) ?? null)
  }
}

function readerOf(source: string | URL | Record<string, string | string[] | undefined>) {
  if (typeof source === 'object' && !(source instanceof URL)) return (key: string) => [source[key]].flat()[0]
  const params = new URLSearchParams(typeof source === 'string' ? source : source.search)
  return (key: string) => params.get(key)
}

export function parseAll<Map extends Parsers>(
  parsers: Map,
  read: (key: string) => string | null,
): inferParserType<Map> {
  const values = Object.entries(parsers).map(([key, { parse, defaultValue }]) => {
    const text = read(key)
    return [key, (text === null ? null : parse(text)) ?? defaultValue]
  })
  return Object.fromEntries(values)
}

/** Some values; null removes one from the URL. */
export type Change<Map extends Parsers> = Partial<{ [Key in keyof Map]: inferParserType<Map>[Key] | null }>

/** Parameters as in a URL; null for one that is absent. */
export type Texts = Record<string, string | null>

/** Each value that is set, as in a URL; null for the default, which URLs leave out. */
export function serializeAll<Map extends Parsers>(parsers: Map, values: Change<Map>): Texts {
  const entries = Object.entries(parsers).flatMap(([key, { serialize, defaultValue }]) => {
    const value = values[key]
    if (value === undefined) return []
    const text = value === null ? null : serialize(value)
    return [[key, defaultValue !== null && text === serialize(defaultValue) ? null : text] as const]
  })
  return Object.fromEntries(entries)
}

/** Writes values to a path. */
export function createSerializer<Map extends Parsers>(parsers: Map) {
  return (path: string, values: Partial<inferParserType<Map>>): string =>
    path + toQuery(withTexts(new URLSearchParams(), serializeAll(parsers, values)))
}

/** Sets parameters, and removes those that are null. */
export function withTexts(params: URLSearchParams, texts: Texts): URLSearchParams {
  for (const [key, text] of Object.entries(texts)) {
    if (text === null) params.delete(key)
    else params.set(key, text)
  }
  return params
}

/** Empty, or with its question mark. What needs no encoding in a query isn't encoded, as people read and share URLs. */
export function toQuery(params: URLSearchParams): string {
  const query = String(params).replace(/%(2C|2F|3A|40)/g, decodeURIComponent)
  return query && `?${query}`
}
