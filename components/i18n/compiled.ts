import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import type { Language } from './locale.ts'
import { ar } from './messages/ar.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'

export interface CompiledCatalogue {
  [key: string]: CompiledMessage | CompiledCatalogue
}

interface Words {
  [key: string]: string | Words
}

/** The catalogues as pages take them: read by the server, so that no browser loads what reads them, or another's words. */
export const COMPILED: Record<Language, CompiledCatalogue> = {
  en: compileAll(en),
  de: compileAll(de),
  ar: compileAll(ar),
}

function compileAll(catalogue: Words): CompiledCatalogue {
  const entries = Object.entries(catalogue).map(([key, words]) => [
    key,
    // Its objects have no prototype, and would not be sent.
    typeof words === 'string' ? structuredClone(compile(words)) : compileAll(words),
  ])
  return Object.fromEntries(entries)
}
