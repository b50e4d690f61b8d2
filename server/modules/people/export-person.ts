import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, Prisma, queryOne, type Sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { recordAudit } from '#server/modules/audit/record-audit.ts'
import { HOLDINGS, type Holding, isOf } from '#server/modules/people/held-rows.ts'
import type { ExportInput, ExportLink } from '#server/modules/people/schema.ts'
import { mayExport } from '#server/modules/people/scope.ts'

/** Long enough to follow a link. */
const LINK_LIFETIME_MS = 60_000
const ROWS_A_PIECE = 500
/** Whoever stops reading for so long is gone: a connection waits for them. */
const READS_WITHIN = '60s'

/**
 * A link to everything that is held about a person, which needs no other credentials and is good for a minute. Who asked for it
 * and why is logged: it has what they said in conversations too. Fails with FORBIDDEN for who may not see every user and all that
 * happened, NOT_FOUND for nobody.
 */
export async function openExport(ctx: Ctx, key: Buffer, { userId, reason }: ExportInput): Promise<ExportLink> {
  if (!mayExport(ctx)) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const person = await queryOne(
      ctx,
      Prisma.sql`select u.user_id as "userId" from network_user u where u.user_id = ${userId}`,
    )
    if (person === undefined) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, { action: 'user.exported', subjectType: 'user', subjectId: userId, text: reason })
    const expires = String(ctx.now().getTime() + LINK_LIFETIME_MS)
    return { userId, expires, signature: signatureOf(key, { userId, expires }).toString('base64url') }
  })
}

function signatureOf(key: Buffer, { userId, expires }: Pick<ExportLink, 'userId' | 'expires'>): Buffer {
  return createHmac('sha256', key).update(`export\n${userId}\n${expires}`).digest()
}

/**
 * Everything about them as one JSON object of tables, columns that name them, and rows; as of one moment, and in pieces: however
 * much it is, little of it is in memory. NOT_FOUND for a link that is no good any more.
 */
export function readExport(ctx: Ctx, key: Buffer, link: ExportLink): AsyncIterable<string> {
  const right = signatureOf(key, link)
  const given = Buffer.from(link.signature, 'base64url')
  const isRight = given.length === right.length && timingSafeEqual(given, right)
  if (!isRight || Number(link.expires) <= ctx.now().getTime()) throw new DomainError('NOT_FOUND')
  return piecesOf(ctx, link.userId)
}

async function* piecesOf(ctx: Ctx, userId: string): AsyncIterable<string> {
  const client = await ctx.pool.connect()
  // One that breaks while nobody asks it anything says so here; the next question fails.
  const ignore = () => {}
  client.on('error', ignore)
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local idle_in_transaction_session_timeout = '${READS_WITHIN}'`)
    yield `{"userId":${JSON.stringify(userId)},"madeAt":${JSON.stringify(ctx.now().toISOString())},"tables":{`
    yield* tablesOf(client, userId)
    yield '}}\n'
  } finally {
    const isWhole = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.off('error', ignore)
    client.release(!isWhole)
  }
}

async function* tablesOf(client: PoolClient, userId: string): AsyncIterable<string> {
  const shown = Object.entries(
    Object.groupBy(
      HOLDINGS.filter(({ shows }) => shows !== 'nothing'),
      ({ table }) => table,
    ),
  )
  for (const [place, [table, holdings = []]] of shown.entries()) {
    yield `${place === 0 ? '' : ','}${JSON.stringify(table)}:{`
    for (const [index, holding] of holdings.entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(holding.column)}:[`
      yield* rowsOf(client, holding, userId)
      yield ']'
    }
    yield '}'
  }
}

async function* rowsOf(client: PoolClient, holding: Holding, userId: string): AsyncIterable<string> {
  const { text, values } = Prisma.sql`
    declare held no scroll cursor for
    select ${shownOf(holding)}::text as row from ${Prisma.raw(holding.table)} t where ${isOf(holding, userId)}`
  await client.query({ text, values })
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_A_PIECE} from held`)
    if (rows.length > 0) yield `${isFirst ? '' : ','}${rows.map(({ row }) => row).join(',\n')}`
    if (rows.length < ROWS_A_PIECE) break
  }
  await client.query('close held')
}

function shownOf({ shows }: Holding): Sql {
  if (shows === 'all' || shows === 'nothing') return Prisma.sql`to_jsonb(t)`
  if ('but' in shows) return Prisma.sql`(to_jsonb(t) - ${shows.but}::text[])`
  const fields = shows.only.map((column) => Prisma.raw(`'${column}', t.${column}`))
  return Prisma.sql`jsonb_build_object(${Prisma.join(fields)})`
}
