import { readFile } from 'node:fs/promises'
import type { Drift } from './find-drift.ts'
import { findDrift } from './find-drift.ts'
import { migrate } from './migrate.ts'
import { withScratchDatabase } from './scratch-database.ts'

export const CATALOGUE_FILE = new URL('./catalogue.txt', import.meta.url)
const SCHEMA_FILE = new URL('./schema.prisma', import.meta.url)

/** Applies this checkout's migrations to an empty database and compares the result with its files. */
export async function driftOfThisCheckout(say: (line: string) => void): Promise<Drift> {
  const schema = await readFile(SCHEMA_FILE, 'utf8')
  const catalogue = (await readFile(CATALOGUE_FILE, 'utf8')).split('\n').filter(Boolean)

  return withScratchDatabase(say, async (pool) => {
    await migrate(pool, () => {})
    return findDrift(pool, { schema, catalogue })
  })
}
