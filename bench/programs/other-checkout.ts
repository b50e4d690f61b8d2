import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Pages, pagesOf } from './pages.ts'

interface Options {
  /** A clone of Docket from 8ab253d on, with its own node_modules (`npm ci`). */
  folder: string
  held: number
  say: (line: string) => void
}

/**
 * Runs Docket from another checkout during `work`, by the benchmark's own modules there: with its own PostgreSQL, in its .docket/bench, and
 * its own database of `held` comments, which is filled at the first time.
 */
export async function withOtherCheckout<Result>(
  { folder, held, say }: Options,
  work: (pages: Pages) => Promise<Result>,
): Promise<Result> {
  if (process.env.DATABASE_URL) throw new Error('--against needs two PostgreSQL servers: unset DATABASE_URL')
  const { startBenchServer, benchDatabase }: typeof import('../data/bench-database.ts') = await importFrom(
    folder,
    'data/bench-database.ts',
  )
  const { issueCredentials }: typeof import('../data/bench-people.ts') = await importFrom(
    folder,
    'data/bench-people.ts',
  )
  const { withDocket }: typeof import('./programs.ts') = await importFrom(folder, 'programs/programs.ts')

  const server = await startBenchServer(say)
  try {
    const databaseUrl = await benchDatabase(server.url, held, say)
    const credentials = await issueCredentials(databaseUrl)
    return await withDocket(databaseUrl, async (docket) => work(await pagesOf(docket, credentials)))
  } finally {
    await server.stop()
  }
}

/** A module of another checkout's bench: older ones have all of them in one folder. */
function importFrom<Module>(folder: string, path: string): Promise<Module> {
  const file = resolve(folder, 'bench', path)
  const older = resolve(folder, 'bench', basename(path))
  return import(pathToFileURL(existsSync(file) ? file : older).href)
}
