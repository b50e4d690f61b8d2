import { readFile } from 'node:fs/promises'
import type { PoolClient } from 'pg'

/**
 * For a database of Docket 0.1: the SQL that brings it to the baseline migration, in place of the baseline's own SQL, and empties the
 * table of applied migrations. Undefined for every other database. Throws if its migrations are not exactly those of 0.1.
 */
export async function upgradeSql(client: PoolClient): Promise<string | undefined> {
  const expected = new Set(await readLines('migrations.txt'))
  const { rows } = await client.query<{ line: string }>(`
    select checksum || ' ' || migration_name as line from _prisma_migrations
    where finished_at is not null and rolled_back_at is null`)
  const applied = new Set(rows.map(({ line }) => line))
  if (applied.isDisjointFrom(expected)) return undefined

  const [different] = expected.symmetricDifference(applied)
  if (different !== undefined)
    throw new Error(
      `Start Docket 0.1 once first: only a database with exactly its ${expected.size} migrations can be upgraded, and ${different.split(' ')[1]} differs.`,
    )
  const renames = (await readLines('renames.txt')).map((rename) => `alter ${rename};`)
  return ['delete from _prisma_migrations;', ...renames, await readText('changes.sql')].join('\n')
}

async function readLines(file: string): Promise<string[]> {
  return (await readText(file)).split('\n').filter(Boolean)
}

function readText(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8')
}
