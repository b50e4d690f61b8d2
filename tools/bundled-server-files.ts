import { glob, readFile } from 'node:fs/promises'
import { PURE_FILES } from './pure-files.ts'

/**
 * The server/ files in a build of the pages that are not allowed there, found by its source maps. Client components also render on the
 * server, so the source maps of the server bundle include what reached a browser.
 */
export async function bundledServerFiles(folder: string): Promise<string[]> {
  const files = new Set<string>()
  for await (const map of glob(`${folder}/**/*.map`)) {
    for (const [, file] of (await readFile(map, 'utf8')).matchAll(
      /"(?:\.\.\/)+((?:app|components|server)\/[^"]+\.tsx?)"/g,
    )) {
      if (file) files.add(file)
    }
  }
  if (![...files].some((file) => file.startsWith('app/')))
    throw new Error(`No source map under ${folder} names a page, so the bundled files are unknown.`)

  const pure = new RegExp(PURE_FILES)
  return [...files].filter((file) => file.startsWith('server/') && !pure.test(file)).sort()
}
