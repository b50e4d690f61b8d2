import { createHash } from 'node:crypto'
import { raw, type Sql } from 'sql-template-tag'

/**
 * Placed beside a condition whose value decides which plan is good, such as one post of many or some words. A statement that contains it is
 * planned for its values on each call; all others reuse the plan of their connection. With a million held comments, a plan for the average
 * post took 60 ms for one page; planning each time costs about 1 ms per page.
 */
export const NO_PREPARE = raw('/* planned anew */')

/** A statement as it is sent. */
interface Named {
  name: string
  text: string
}

const statementNames = new Map<string, string>()
/** By the number of their pieces: the text between the parameters. */
const namedByLength = new Map<number, (Named & Pick<Sql, 'strings'>)[]>()
const STATEMENT_NAMES_KEPT = 1_000
/** Part of each name: statements that were prepared under another one are not used again. */
let generation = 0

/** A migration beside this process changed the columns of a statement: under its name, each connection would go on rejecting it. */
export function forgetStatements(): void {
  generation += 1
  statementNames.clear()
  namedByLength.clear()
}

/** PostgreSQL stores no plan for it. */
export const UNNAMED = ''

export function statementName(text: string): string {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  if (text.includes(NO_PREPARE.sql)) return UNNAMED
  const name = `s${generation}_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`
  if (statementNames.size < STATEMENT_NAMES_KEPT) statementNames.set(text, name)
  return name
}

/**
 * A statement's text and its name, found by its pieces: most are the same strings at every call, so that comparing them costs a fifth of
 * putting the text together and hashing its ten thousand characters.
 */
export function namedStatement(statement: Pick<Sql, 'strings' | 'text'>): Named {
  const { strings } = statement
  const alike = namedByLength.get(strings.length)
  const known = alike?.find((one) => one.strings.every((piece, at) => piece === strings[at]))
  if (known !== undefined) return known
  const { text } = statement
  const named = { name: statementName(text), text, strings }
  // With its name: neither grows further than the names do.
  if (statementNames.has(text)) namedByLength.set(strings.length, [...(alike ?? []), named])
  return named
}
