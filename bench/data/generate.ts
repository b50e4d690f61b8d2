import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { networkOf, type Row } from './network.ts'
import { withoutIndexes } from './without-indexes.ts'

/** The rows of one table. */
export interface TableRows {
  table: string
  columns: string
  rows: Iterable<Row>
}

type Say = (line: string) => void

const CHUNK_CHARACTERS = 200_000
/** Tables with millions of rows. */
const LARGE = ['comment', 'message']

/** Fills a migrated, empty database with `held` pending comments, and everything they refer to. */
export async function generate(pool: pg.Pool, held: number, say: Say): Promise<void> {
  await pool.query('alter table comment disable trigger user')
  await fillTables(pool, networkOf(held), say)
  await pool.query('alter table comment enable trigger user')
  await withoutIndexes(pool, 'review_item', async () => void (await pool.query(HELD_ITEMS)))
  await pool.query(`
    insert into tally (kind, subject_id, total)
    select 'held_comments'::tally_kind, community_id, count(*) from comment where approval_status = 'pending' group by community_id
    union all
    select 'comment_children', parent_id, count(*) from comment where parent_id is not null group by parent_id
    union all
    select 'post_comments', reference_id, count(*) from comment where approval_status is null group by reference_id`)
}

/**
 * The items of the held comments. A third is held by rules, a fifth has a high score. Their keys are those of equal texts, though not the program's.
 */
const HELD_ITEMS = `
  insert into review_item (kind, subject_type, subject_id, community_id, post_id, author_id, state, version, text, data_types, written_at, opened_at,
    placed_at, rule_minutes, signal_minutes, reach_minutes, text_key)
  select 'held', 'comment', comment_id, community_id, case reference_type when 'post' then reference_id end, user_id, 'waiting', version,
    data ->> 'text', data_types, created_at, queued_at, queued_at,
    case when seed % 3 = 0 then 120 * power(2, seed % 7 % 3) end, case when seed % 5 = 0 then 1 + seed % 480 end, 0,
    md5(community_id || (data ->> 'text'))::uuid
  from (select *, abs(hashtext(comment_id)) as seed from comment where approval_status = 'pending') held`

export async function fillTables(pool: pg.Pool, tables: TableRows[], say: Say): Promise<void> {
  for (const { table, columns, rows } of tables) {
    const startedAt = performance.now()
    const fill = () => copy(pool, `copy ${table} (${columns}) from stdin`, rows)
    await (LARGE.includes(table) ? withoutIndexes(pool, table, fill) : fill())
    say(`  ${table}: ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
}

async function copy(pool: pg.Pool, statement: string, rows: Iterable<Row>): Promise<void> {
  const client = await pool.connect()
  try {
    await pipeline(Readable.from(chunksOf(rows)), client.query(copyFrom(statement)))
  } finally {
    client.release()
  }
}

/** COPY's text format. No value generated here contains a tab, a line break or a backslash. */
function* chunksOf(rows: Iterable<Row>): Iterable<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map((value) => value ?? '\\N').join('\t')}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
