import { csvLine } from '#server/core/csv.ts'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { assertSignature, signLink } from '#server/core/signed-link.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { QueueExportInput, type QueueLink } from '#server/modules/review/export/schema.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import type { QueueItem, QueuePage } from '#server/modules/review/queue/schema.ts'

const ROWS_A_BATCH = 250
/** Spreadsheets recognise UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Documented in docs/desk.md#queue-as-csv. */
const COLUMNS: Record<string, (item: QueueItem) => string | number | undefined> = {
  type: ({ subjectType }) => subjectType,
  id: ({ subjectId }) => subjectId,
  community_id: ({ community }) => community?.communityId,
  community_name: ({ community }) => community?.displayName,
  channel_id: ({ channel }) => channel?.channelId,
  channel_name: ({ channel }) => channel?.displayName,
  post_id: ({ postId }) => postId,
  author_id: ({ author }) => author.userId,
  author_name: ({ author }) => author.displayName,
  written_at: ({ writtenAt }) => writtenAt,
  held_at: ({ heldAt }) => heldAt,
  title: ({ title }) => title,
  text: ({ text }) => text,
  data_types: ({ dataTypes }) => dataTypes.join(' '),
  flag_count: ({ flagCount }) => flagCount,
  flag_reasons: ({ reasons }) => reasons?.join('; '),
  escalated_at: ({ escalation }) => escalation?.at,
  escalated_by: ({ escalation }) => escalation?.by.displayName,
  escalation_note: ({ escalation }) => escalation?.note,
  assigned_to: ({ escalation }) => escalation?.handedTo?.displayName,
  claimed_by: ({ claim }) => claim?.by.displayName,
  claimed_until: ({ claim }) => claim?.until,
  score: ({ score }) => score,
}

/** What its link is signed for. */
const toFile = (filter: string) => ['queue', filter]

/**
 * A link to the filtered queue as CSV, valid for one minute and for the caller only. Logs the export and its filter; a searched text is kept
 * where it can be erased. Fails as `listDeskQueue` does.
 */
export function openQueueExport(ctx: Ctx, key: Buffer, input: QueueExportInput): Promise<QueueLink> {
  const filter = JSON.stringify(input)
  const { communityId, view, text, ...narrowed } = input
  return inTransaction(ctx, async (ctx) => {
    await listDeskQueue(ctx, { ...input, limit: 1 })
    await recordAudit(ctx, {
      action: 'queue.exported',
      subjectType: 'queue',
      subjectId: view,
      ...(communityId !== undefined && { communityId }),
      after: narrowed,
      text,
    })
    return { filter, ...signLink(ctx, key, toFile(filter)) }
  })
}

/**
 * The file, in the order of the list. `renew` gives the caller's context again for each batch of rows, so that the file ends with an error
 * when their session or their right to it ends. Decided items are left out as soon as they are decided. Fails with NOT_FOUND for an expired
 * or invalid link, and for someone else's.
 */
export async function readQueueExport(
  renew: () => Promise<Ctx>,
  key: Buffer,
  link: QueueLink,
): Promise<AsyncIterable<string>> {
  const ctx = await renew()
  assertSignature(ctx, key, toFile(link.filter), link)
  const input = QueueExportInput.parse(JSON.parse(link.filter))
  const startedAt = ctx.now()

  async function readBatch(cursor: string | undefined): Promise<QueuePage> {
    const latest = await renew()
    if (actingUserId(latest) !== actingUserId(ctx)) throw new DomainError('UNAUTHORIZED')
    // Filters by age mean the same moment in the whole file.
    const page = { ...input, limit: ROWS_A_BATCH, cursor }
    return listDeskQueue({ ...latest, now: () => startedAt }, page, { isExport: true })
  }
  return linesOf(readBatch)
}

async function* linesOf(readBatch: (cursor: string | undefined) => Promise<QueuePage>): AsyncIterable<string> {
  yield BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS))
  const cells = Object.values(COLUMNS)
  let cursor: string | undefined
  do {
    const { items, next } = await readBatch(cursor)
    yield items.map((item) => csvLine(cells.map((cell) => cell(item)))).join('')
    cursor = next
  } while (cursor !== undefined)
}
