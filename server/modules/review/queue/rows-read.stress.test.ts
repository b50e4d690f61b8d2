import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction, query, queryOne, type Sql, sql } from '#server/core/db.ts'
import { putItems } from '#server/modules/content/items/put-items.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { listReviewQueue } from '#server/modules/review/queue/list-review-queue.ts'
import { DeskQueueInput, ReviewQueueQuery } from '#server/modules/review/queue/schema.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const admin = ctxOf(database, asAdmin())

const HELD = 20_000
const BATCH = 2_000
const CHANGES_OF_EACH = 5
const SPACES = 20
const PAGE = 50
/** The rows of a page, one more in each community and type, and what finding these takes. */
const READ_AT_MOST = 2 * PAGE + 4 * SPACES

let moderator: Ctx
let communityId = ''
let userId = ''
let postId = ''

/** Items that were decided and reversed again and again, and most of them decided for good: the statistics know of none of it. */
beforeAll(async () => {
  const spaces = await Promise.all(Array.from({ length: SPACES }, () => make.community()))
  const ids = spaces.map((space) => space.communityId)
  communityId = ids[0] ?? ''
  postId = (await make.post({ communityId })).postId
  userId = (await make.user()).userId
  const moderatorId = (await make.user()).userId
  for (const id of ids) await make.member({ communityId: id, userId: moderatorId, roles: ['community-moderator'] })
  moderator = ctxOf(database, asUser(moderatorId))
  await prisma.$executeRaw`alter table review_item set (autovacuum_enabled = off)`
  for (let from = 1; from <= HELD; from += BATCH) {
    await write(sql`
      insert into comment (comment_id, community_id, target_type, reference_type, reference_id, user_id, approval_status, data, created_at,
        queued_at)
      select 'comment-' || n, (${ids}::text[])[1 + n % case when n % 10 = 0 then ${SPACES}::int else 1 end], 'community', 'post', ${postId},
        ${userId}, 'pending', jsonb_build_object('text', 'Words of ' || translate(md5(n::text), '0123456789', 'ghijklmnop')), timestamptz '2026-01-01' + n * interval '1 minute',
        timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(${from}::int, ${from + BATCH - 1}::int) n returning comment_id`)
    if (from === 1) await prisma.$executeRaw`analyze review_item`
  }
  for (let change = 1; change <= CHANGES_OF_EACH; change += 1) {
    const status = change % 2 === 0 ? sql`'pending'` : sql`'approved'`
    const which = change === CHANGES_OF_EACH ? sql`hashtext(comment_id) % 4 <> 0` : sql`true`
    for (let part = 0; part < HELD / BATCH; part += 1)
      await write(sql`
        update comment set approval_status = ${status}::approval_status, version = version + 1
        where ${which} and split_part(comment_id, '-', 2)::int % ${HELD / BATCH}::int = ${part}::int returning comment_id`)
  }
})

/** Writes comments and their items, as the program does. */
function write(statement: Sql): Promise<void> {
  return inTransaction(systemCtx(database), async (ctx) => {
    const written = await query<{ commentId: string }>(ctx, statement)
    await putItems(
      ctx,
      'comment',
      written.map(({ commentId }) => commentId),
    )
  })
}

/** How many rows of items a read takes, from tables and by indexes, once its statements have the plans that they keep. */
async function rowsRead(read: (ctx: Ctx) => Promise<unknown>, ctx: Ctx): Promise<number> {
  for (let time = 0; time < 6; time += 1) await read(ctx)
  return inTransaction(ctx, async (ctx) => {
    const before = await countRead(ctx)
    await read(ctx)
    return (await countRead(ctx)) - before
  })
}

/** Since the session last told the server, which it doesn't do within a transaction. */
async function countRead(ctx: Ctx): Promise<number> {
  const counted = await queryOne<{ rows: number }>(
    ctx,
    sql`select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'review_item'`,
  )
  return counted?.rows ?? 0
}

const desk = (asked: object) => (ctx: Ctx) => listDeskQueue(ctx, DeskQueueInput.parse({ limit: PAGE, ...asked }))

test.each([
  ['all communities, newest first', () => desk({})],
  ['all communities, oldest first', () => desk({ order: 'oldest' })],
  ['all communities, most urgent first', () => desk({ order: 'urgent' })],
  ['one community', () => desk({ communityId })],
  ['one community, most urgent first', () => desk({ communityId, order: 'urgent' })],
  ['one author', () => desk({ communityId, authorId: userId })],
  ['one day', () => desk({ communityId, startDate: '2026-01-05', endDate: '2026-01-05' })],
  ['one post', () => desk({ communityId, postId })],
  ['what people flagged', () => desk({ communityId, isFlagged: true })],
  ['a word', () => desk({ communityId, text: 'words' })],
  ['their claims', () => desk({ view: 'mine' })],
  ['what is escalated', () => desk({ view: 'escalated' })],
  ['reports', () => (ctx: Ctx) => listDeskQueue(ctx, DeskQueueInput.parse({ view: 'reported', limit: PAGE }))],
  [
    'the review queue of the interface',
    () => (ctx: Ctx) => listReviewQueue(ctx, { ...ReviewQueueQuery.parse({ options: { limit: PAGE } }), communityId }),
  ],
] as const)('after 100,000 changes of items, a page of %s reads hardly more of them than it shows', async (_, readOf) => {
  for (const ctx of [admin, moderator]) expect(await rowsRead(readOf(), ctx)).toBeLessThan(READ_AT_MOST)
})
