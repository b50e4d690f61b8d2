import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the benchmark needs of a checkout of Docket: its own modules, so that each fills and runs its own database. */
export type Checkout = Pick<typeof import('../data/bench-database.ts'), 'startBenchServer' | 'benchDatabase'> &
  Pick<typeof import('../data/bench-people.ts'), 'issueCredentials' | 'issueToken' | 'withDatabase'> &
  Pick<typeof import('./desk-sessions.ts'), 'makeDeskSessions'> &
  Pick<typeof import('./programs.ts'), 'withDocket'>

/** Another checkout, from 8ab253d on, after `npm ci` there. It has its own PostgreSQL, in its .docket/bench. */
export async function otherCheckout(folder: string): Promise<Checkout> {
  if (process.env.DATABASE_URL) throw new Error('--against needs two PostgreSQL servers: unset DATABASE_URL')
  const modules = [
    'data/bench-database.ts',
    'data/bench-people.ts',
    'programs/desk-sessions.ts',
    'programs/programs.ts',
  ]
  const found = await Promise.all(modules.map((path) => importFrom(folder, path)))
  return Object.assign({}, ...found)
}

/** A module of another checkout's bench: older ones have all of them in one folder. */
function importFrom(folder: string, path: string): Promise<object> {
  const file = resolve(folder, 'bench', path)
  const older = resolve(folder, 'bench', basename(path))
  return import(pathToFileURL(existsSync(file) ? file : older).href)
}
