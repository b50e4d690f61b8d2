import { createHash } from 'node:crypto'
import { COMPILED, type CompiledCatalogue } from './compiled.ts'
import { LANGUAGES, type Language } from './locale.ts'
import { MESSAGES_ON_SERVER } from './messages-of.ts'

interface CatalogueFile {
  /** Named by content, so that a browser keeps the file until it changes. In development there is none: see `app/catalogue`. */
  path: string
  text: string
}

/** The folder under `.next/static` that the build writes the files to. */
export const CATALOGUE_FOLDER = 'catalogue'

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
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return { path: `/_next/static/${CATALOGUE_FOLDER}/${language}.${digest}.json`, text }
}
