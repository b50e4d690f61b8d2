import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { CallExpression, Identifier, Node, SourceFile, TypeNode } from 'typescript-native/unstable/ast'
import {
  isAwaitExpression,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isTypeAliasDeclaration,
} from 'typescript-native/unstable/ast/is'
import { API, type Project, SymbolFlags, type Type } from 'typescript-native/unstable/sync'

/** A call that reads rows as a type: its type argument, or what its result is used as. */
export interface RowRead {
  call: CallExpression
  /** `server/core/x.ts:12:3`. */
  place: string
  /** The places that stacks may name. */
  places: string[]
}

interface Field {
  name: string
  type: Type
  isOptional: boolean
}

export interface RowReads {
  checker: Project['checker']
  /** All calls of functions that read rows. */
  all: RowRead[]
  /** Undefined where no rows are read. */
  rowTypeAt(place: string): Type | undefined
  fieldsOf(type: Type): Field[]
  withoutNull(type: Type): Type
  /** Of an array. */
  elementOf(type: Type): Type | undefined
  /** Whether a value of the one type, one of the texts that the program was opened with, may be read as the other. */
  fits(text: string, type: Type): boolean
  close(): void
}

/** Functions that read rows of the type they are called with, which is their first type argument. */
export const READERS = /^(query|queryOne|rowsOfJson|listPage|lockContent|readColumns|readLockedPerson)$/

/** Opens these files, and types of these texts beside them, in the compiler. */
export function openRowReads(files: string[], texts: Iterable<string>): RowReads {
  const numbers = new Map([...texts].map((text, number) => [text, number]))
  const folder = mkdtempSync('.docket/test/types-')
  const typesFile = resolve(folder, 'types.ts')
  const config = resolve(folder, 'tsconfig.json')
  writeFileSync(typesFile, [...numbers].map(([text, number]) => `export type T${number} = ${text}\n`).join(''))
  const options = { extends: resolve('tsconfig.json'), compilerOptions: { incremental: false }, include: [] }
  writeFileSync(config, JSON.stringify({ ...options, files: [...files, typesFile].map((file) => resolve(file)) }))
  const api = new API()
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  const close = () => {
    api.close()
    rmSync(folder, { recursive: true })
  }
  if (project === undefined) throw new Error(`the compiler has no project of ${config}`)
  const { checker, program } = project
  const sourceOf = (file: string) => program.getSourceFile(resolve(file)) ?? missing(file)
  const types = aliasesOf(sourceOf(typesFile)).map((node) => checker.getTypeFromTypeNode(node) ?? missing(typesFile))
  const calls = files.flatMap((file) => callsIn(sourceOf(file), file))
  const byPlace = new Map(calls.flatMap((read) => read.places.map((place) => [place, read.call] as const)))
  const elementOf = (type: Type) =>
    type.isTypeReference() && checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : undefined
  return {
    checker,
    all: calls,
    rowTypeAt: (place) => {
      const call = byPlace.get(place)
      return call && rowTypeOf(checker, call)
    },
    fieldsOf: (type) => {
      const fields = checker.getPropertiesOfType(type)
      return checker.getTypeOfSymbol(fields).flatMap((type, at) => {
        const { name = '', flags = 0 } = fields[at] ?? {}
        return type === undefined ? [] : [{ name, type, isOptional: (flags & SymbolFlags.Optional) !== 0 }]
      })
    },
    withoutNull: (type) => checker.getNonNullableType(type) ?? type,
    elementOf,
    fits: (text, type) => checker.isTypeAssignableTo(types[numbers.get(text) ?? -1] ?? missing(text), type),
    close,
  }
}

function rowTypeOf(checker: Project['checker'], call: CallExpression): Type | undefined {
  const [argument] = call.typeArguments ?? []
  if (argument !== undefined) return checker.getTypeFromTypeNode(argument)
  let type = checker.getTypeAtLocation(call)
  while (type?.isTypeReference() && /^(Promise|Array)$/.test(type.getSymbol()?.name ?? ''))
    [type] = checker.getTypeArguments(type)
  return type && checker.getNonNullableType(type)
}

function aliasesOf(file: SourceFile): TypeNode[] {
  return [...file.statements].filter(isTypeAliasDeclaration).map(({ type }) => type)
}

/** A stack names the place of the function's name or, when it is awaited, of the `await`. */
function callsIn(file: SourceFile, path: string): RowRead[] {
  const placeOf = toPlaces(path)
  const reads: RowRead[] = []
  const visit = (node: Node): void => {
    const name = isCallExpression(node) ? nameOf(node) : undefined
    // A method is the driver's, which takes what its rows are read as only if that is named.
    const isRead = isCallExpression(node) && name !== undefined && READERS.test(name.text)
    if (isRead && (node.typeArguments !== undefined || name === node.expression)) {
      const starts = [name, ...(isAwaitExpression(node.parent) ? [node.parent] : [])].map((at) => at.getStart())
      reads.push({ call: node, place: placeOf(name.getStart()), places: starts.map(placeOf) })
    }
    node.forEachChild(visit)
  }
  visit(file)
  return reads
}

function nameOf({ expression }: CallExpression): Identifier | undefined {
  if (isIdentifier(expression)) return expression
  return isPropertyAccessExpression(expression) && isIdentifier(expression.name) ? expression.name : undefined
}

function toPlaces(path: string): (position: number) => string {
  const text = readFileSync(path, 'utf8')
  return (position) => {
    const before = text.slice(0, position).split('\n')
    return `${relative('.', path)}:${before.length}:${(before.at(-1) ?? '').length + 1}`
  }
}

function missing(what: string): never {
  throw new Error(`the compiler does not know ${what}`)
}
