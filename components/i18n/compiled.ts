import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import { en } from './messages/en.ts'

export interface CompiledCatalogue {
  [key: string]: CompiledMessage | CompiledCatalogue
}

/** The catalogue as pages take it: read by the server, so that no browser loads what reads it. */
export const COMPILED = compileAll(en)

interface Catalogue {
  [key: string]: string | Catalogue
}

function compileAll(catalogue: Catalogue): CompiledCatalogue {
  const entries = Object.entries(catalogue).map(([key, words]) => [
    key,
    // Its objects have no prototype, and would not be sent.
    typeof words === 'string' ? structuredClone(compile(words)) : compileAll(words),
  ])
  return Object.fromEntries(entries)
}
