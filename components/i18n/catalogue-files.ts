import { createHash } from 'node:crypto'
import { COMPILED, type CompiledCatalogue } from './compiled.ts'
import { LANGUAGES, type Language } from './locale.ts'
import { MESSAGES_ON_SERVER } from './messages-of.ts'

interface CatalogueFile {
  /** Contains a digest of the text, so that a browser keeps it until it changes. */
  path: string
  text: string
}

export const CATALOGUE_FILES = Object.fromEntries(
  Object.keys(LANGUAGES).map((language) => [language, fileOf(language as Language)]),
) as Record<Language, CatalogueFile>

// Pages render in this process, where nothing needs to be loaded.
const global = globalThis as { [MESSAGES_ON_SERVER]?: (path: string) => CompiledCatalogue | undefined }
global[MESSAGES_ON_SERVER] = (path) => {
  const found = Object.entries(CATALOGUE_FILES).find(([, file]) => file.path === path)
  return found && COMPILED[found[0] as Language]
}

function fileOf(language: Language): CatalogueFile {
  const text = JSON.stringify(COMPILED[language])
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path: `/catalogue/${language}.${digest}`, text }
}
