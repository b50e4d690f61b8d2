import { type Type, TypeFlags } from 'typescript-native/unstable/sync'
import { READ_TYPES } from '#server/core/database/read-values.ts'
import { rowMaker } from '#server/core/database/row-maker.ts'
import type { Answer } from '#server/testing/row-types/answers.ts'
import type { Catalogue } from '#server/testing/row-types/catalogue.ts'
import { openRowReads, type RowReads } from '#server/testing/row-types/row-reads.ts'
import { typeText } from '#server/testing/row-types/type-text.ts'

interface Given {
  answers: Answer[]
  catalogue: Catalogue
  /** Where rows are read. */
  files: string[]
}

/** A column's type and name, or those of a joined row. */
type Described = { [name: string]: Described | DescribedColumn }
interface DescribedColumn {
  type: string
  /** The column of a table that it may be null by. */
  nullable: string | undefined
}

export interface Comparison {
  findings: Finding[]
  /** Where rows are read that no answer belongs to. */
  unreached: string[]
}

export interface Finding {
  place: string
  field: string
  problem: string
}

/**
 * Compares the types that rows are read as with what PostgreSQL described and with the values that came. A column is nullable if its table's is, and
 * an expression or an outer join's column if a null came.
 */
export function compareAnswers({ answers, catalogue, files }: Given): Comparison {
  const merged = mergeByCallers(answers)
  const described = answers.flatMap(({ columns }) =>
    columns.map(({ dataTypeID }) => typeOfColumn(catalogue, dataTypeID)),
  )
  const seen = merged.flatMap((answer) => Object.values(answer.seen).map(unionOf))
  const reads = openRowReads(files, new Set([...described.flatMap(withElements), ...seen, 'null', 'never']))
  try {
    const reached = new Set<string>()
    const findings = merged.flatMap((answer) => {
      const read = readBy(reads, answer.callers)
      if (read === undefined) return []
      for (const place of read.places) reached.add(place)
      const problems = new Map([
        ...answer.described.flatMap((one) => compareDescribed(reads, describe(catalogue, one), read.type)),
        ...compareSeen(reads, answer.seen, read.type),
      ])
      return [...problems].map(([field, problem]) => ({ place: read.places.at(-1) ?? '', field, problem }))
    })
    const unreached = reads.all
      .filter(({ places }) => !places.some((place) => reached.has(place)))
      .map(({ place }) => place)
    return { findings, unreached }
  } finally {
    reads.close()
  }
}

interface Merged {
  callers: string[]
  described: Answer[]
  seen: Record<string, string[]>
}

function mergeByCallers(answers: Answer[]): Merged[] {
  const groups = Map.groupBy(answers, ({ callers }) => callers.join())
  return [...groups.values()].map((group) => {
    const names = new Set(group.flatMap(({ seen }) => Object.keys(seen)))
    return {
      callers: group[0]?.callers ?? [],
      described: group.filter(({ columns }) => columns.length > 0),
      seen: Object.fromEntries([...names].map((name) => [name, group.flatMap(({ seen }) => seen[name] ?? [])])),
    }
  })
}

function unionOf(types: string[]): string {
  return [...new Set(types)].sort().join(' | ')
}

/** The row type of a read. That of a function with a type parameter for it is named by its caller. */
function readBy(reads: RowReads, callers: string[]): { places: string[]; type: Type } | undefined {
  for (const [depth, caller] of callers.entries()) {
    const type = reads.rowTypeAt(caller)
    if (type === undefined) return undefined
    if (!(type.flags & TypeFlags.TypeParameter)) return { places: callers.slice(0, depth + 1), type }
  }
  return undefined
}

function describe(catalogue: Catalogue, { columns, isRaw }: Answer): Described {
  const described = columns.map(
    ({ dataTypeID, tableID, columnID }): DescribedColumn => ({
      type: typeOfColumn(catalogue, dataTypeID),
      nullable: catalogue.nullable[`${tableID}.${columnID}`],
    }),
  )
  const names = columns.map(({ name }) => name)
  if (!isRaw) return rowMaker(names)(described) as Described
  return Object.fromEntries(described.map((column, at) => [names[at], column]))
}

/** In what order of a kind of type a sample is written, which the driver is given to read; others as a number. */
const SAMPLES: Record<string, string> = { B: 't', D: '2026-01-31 09:05:07+00' }

/** The type of what the driver makes of a column's values. */
function typeOfColumn(catalogue: Catalogue, id: number): string {
  const type = catalogue.types[id]
  // Of a database that is no clone of the template.
  if (type === undefined) return 'any'
  if (type.labels.length > 0) return type.labels.map((label) => JSON.stringify(label)).join(' | ')
  if (/^jsonb?$/.test(type.name)) return 'any'
  const read: (text: string) => unknown = READ_TYPES.getTypeParser(id, 'text')
  if (type.category !== 'A') return typeText(read(SAMPLES[type.category] ?? '1')).replace('true', 'boolean')
  return Array.isArray(read('{}')) ? `(${typeOfColumn(catalogue, type.element)})[]` : 'string'
}

function elementOf(type: string): string | undefined {
  return /^\((.*)\)\[\]$/.exec(type)?.[1]
}

function withElements(type: string): string[] {
  const element = elementOf(type)
  return element === undefined ? [type] : [type, ...withElements(element)]
}

/** A field, and what is wrong with it. */
type Problem = [field: string, problem: string]

function compareDescribed(reads: RowReads, described: Described, type: Type, path = ''): Problem[] {
  return reads.fieldsOf(type).flatMap(({ name, type, isOptional }): Problem[] => {
    const [field, column] = [`${path}${name}`, described[name]]
    const problem = (isWhat: string): Problem[] => [
      [field, `is read as ${reads.checker.typeToString(type)}, and ${isWhat}`],
    ]
    if (column === undefined) return isOptional ? [] : problem('is no column')
    if (!isColumn(column)) return compareDescribed(reads, column, reads.withoutNull(type), `${field}.`)
    if (!fits(reads, column.type, type)) return problem(`is ${column.type}`)
    const isNullable = column.nullable !== undefined && !reads.fits('null', type)
    return isNullable ? problem(`may be null as ${column.nullable}`) : []
  })
}

function isColumn(described: Described | DescribedColumn): described is DescribedColumn {
  return typeof described.type === 'string'
}

/** A text may be read as certain words: whether others came is seen in the values. */
function fits(reads: RowReads, text: string, type: Type): boolean {
  const widened = text.startsWith('"') ? type : reads.checker.getBaseTypeOfLiteralType(type)
  if (reads.fits(text, widened ?? type)) return true
  const [element, readAs] = [elementOf(text), reads.elementOf(reads.withoutNull(type))]
  return element !== undefined && readAs !== undefined && fits(reads, element, readAs)
}

function compareSeen(reads: RowReads, seen: Merged['seen'], type: Type): Problem[] {
  return reads.fieldsOf(type).flatMap(({ name, type }): Problem[] => {
    const types = unionOf(seen[name] ?? ['never'])
    return reads.fits(types, type) ? [] : [[name, `is read as ${reads.checker.typeToString(type)}, and was ${types}`]]
  })
}
