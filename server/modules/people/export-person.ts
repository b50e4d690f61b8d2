import type { PoolClient } from 'pg'
import type { Ctx } from '#server/core/ctx.ts'
import { inSnapshot, linesInPieces } from '#server/core/database/snapshot.ts'
import { inTransaction, queryOne, type Sql, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertSignature, signLink } from '#server/core/signed-link.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { isOf, PERSONAL_DATA, type PersonalDataColumn } from '#server/modules/people/personal-data-map.ts'
import type { ExportInput, ExportLink } from '#server/modules/people/schema.ts'
import { mayExport } from '#server/modules/people/scope.ts'

/** What its link is signed for. */
const toExport = (userId: string) => ['export', userId]

/**
 * Creates a link to an export of all data about a person, which is valid for a minute and for the caller only. The log keeps who
 * asked for it and why: it includes what they said in conversations. Fails with FORBIDDEN for those who may not see every user and the full
 * history, NOT_FOUND for an unknown person.
 */
export async function openExport(ctx: Ctx, key: Buffer, { userId, reason }: ExportInput): Promise<ExportLink> {
  if (!mayExport(ctx)) throw new DomainError('FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const person = await queryOne(ctx, sql`select u.user_id from network_user u where u.user_id = ${userId}`)
    if (person === undefined) throw new DomainError('NOT_FOUND')
    await recordAudit(ctx, { action: 'user.exported', subjectType: 'user', subjectId: userId, text: reason })
    return { userId, ...signLink(ctx, key, toExport(userId)) }
  })
}

/**
 * All data about a person as one JSON object of tables, columns that name them, and rows; as of one moment, and streamed: however much
 * there is, little of it is in memory. NOT_FOUND for a link that is no longer valid or somebody else's, FORBIDDEN for a caller who may no longer see it.
 */
export function readExport(ctx: Ctx, key: Buffer, link: ExportLink): AsyncIterable<string> {
  assertSignature(ctx, key, toExport(link.userId), link)
  if (!mayExport(ctx)) throw new DomainError('FORBIDDEN')
  return inSnapshot(ctx, (client) => piecesOf(ctx, client, link.userId))
}

async function* piecesOf(ctx: Ctx, client: PoolClient, userId: string): AsyncIterable<string> {
  yield `{"userId":${JSON.stringify(userId)},"madeAt":${JSON.stringify(ctx.now().toISOString())},"tables":{`
  yield* tablesOf(client, userId)
  yield '}}\n'
}

async function* tablesOf(client: PoolClient, userId: string): AsyncIterable<string> {
  for (const [position, [table, columns]] of Object.entries(PERSONAL_DATA).entries()) {
    yield `${position === 0 ? '' : ','}${JSON.stringify(table)}:{`
    const shown = Object.entries(columns).filter(([, { shows }]) => shows !== 'nothing')
    for (const [index, [column, entry]] of shown.entries()) {
      yield `${index === 0 ? '' : ','}${JSON.stringify(column)}:[`
      yield* rowsOf(
        client,
        sql`select ${shownOf(entry)}::text as line from ${sql.raw(table)} t where ${isOf(column, entry, userId)}`,
      )
      yield ']'
    }
    yield '}'
  }
}

async function* rowsOf(client: PoolClient, rows: Sql): AsyncIterable<string> {
  let isFirst = true
  for await (const lines of linesInPieces(client, rows)) {
    yield `${isFirst ? '' : ','}${lines.join(',\n')}`
    isFirst = false
  }
}

function shownOf({ shows }: PersonalDataColumn): Sql {
  if (shows === 'all' || shows === 'nothing') return sql`to_jsonb(t)`
  if ('but' in shows) return sql`(to_jsonb(t) - ${shows.but}::text[])`
  const fields = shows.only.map((column) => sql.raw(`'${column}', t.${column}`))
  return sql`jsonb_build_object(${sql.join(fields)})`
}
