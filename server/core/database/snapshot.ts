import type { PoolClient } from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import type { Sql } from '#server/core/db.ts'

const ROWS_A_PIECE = 500
/** A reader that stops for this long is disconnected, as it holds a connection. */
const READS_WITHIN = '60s'

/** Reads as of one moment, on its own connection, for as long as the reader continues. */
export async function* inSnapshot(
  ctx: Ctx,
  read: (client: PoolClient) => AsyncIterable<string>,
): AsyncIterable<string> {
  const client = await ctx.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local idle_in_transaction_session_timeout = '${READS_WITHIN}'`)
    yield* read(client)
  } finally {
    const isWhole = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!isWhole)
  }
}

/** The lines of a statement that selects a `line`, a few hundred at a time, so that only a few are in memory. */
export async function* linesInPieces(client: PoolClient, { text, values }: Sql): AsyncIterable<string[]> {
  await client.query({ text: `declare held no scroll cursor for ${text}`, values })
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_A_PIECE} from held`)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < ROWS_A_PIECE) break
  }
  await client.query('close held')
}
