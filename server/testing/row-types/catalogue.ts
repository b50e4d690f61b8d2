import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type pg from 'pg'
import { ANSWERS } from '../row-types/answers.ts'

/** What the descriptions of answers refer to. Databases that are cloned from the same template have the same numbers. */
export interface Catalogue {
  /** Columns that may be null, by table and place: `16400.2` is `comment.parent_id`. */
  nullable: Record<string, string>
  /** All types, by number. */
  types: Record<string, { category: string; name: string; element: number; labels: string[] }>
}

export const CATALOGUE = `${ANSWERS}/catalogue.json`

/** Writes it for the answers of this run, and removes those of the run before. */
export async function writeCatalogue(pool: pg.Pool): Promise<void> {
  rmSync(ANSWERS, { recursive: true, force: true })
  mkdirSync(ANSWERS, { recursive: true })
  const { rows } = await pool.query<{ catalogue: Catalogue }>(`
    select json_build_object(
      'nullable', (
        select json_object_agg(attrelid || '.' || attnum, relname || '.' || attname)
        from pg_attribute join pg_class on pg_class.oid = attrelid
        where not attnotnull and attnum > 0 and not attisdropped and relkind in ('r', 'p')),
      'types', (
        select json_object_agg(t.oid, json_build_object('category', typcategory, 'name', typname, 'element', typelem, 'labels',
          (select coalesce(json_agg(enumlabel), '[]') from pg_enum where enumtypid = t.oid)))
        from pg_type t)
      ) as catalogue`)
  writeFileSync(CATALOGUE, JSON.stringify(rows[0]?.catalogue))
}
