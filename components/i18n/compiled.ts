import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import { isolateArguments } from './isolate-arguments.ts'
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

/** The compiled catalogues. Compiled on the server, so that no browser loads the compiler or another language. */
export const COMPILED: Record<Language, CompiledCatalogue> = {
  en: compileAll(en, compile),
  de: compileAll(de, compile),
  ar: compileAll(ar, (words) => isolateArguments(compile(words))),
}

function compileAll(catalogue: Words, compileOne: (words: string) => CompiledMessage): CompiledCatalogue {
  const entries = Object.entries(catalogue).map(([key, words]) => [
    key,
    // The compiler's objects have no prototype, which React can't serialise.
    typeof words === 'string' ? structuredClone(compileOne(words)) : compileAll(words, compileOne),
  ])
  return Object.fromEntries(entries)
}
