import { beforeAll, expect, test } from 'vitest'
import type { QueueItem, QueueOrder } from '#server/modules/review/queue/schema.ts'
import { urgentAt } from '#server/modules/review/urgency/schema.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { everyPage } from '#server/testing/every-page.ts'

const { database, pool, make } = await testDatabase()
const admin = ctxOf(database, asAdmin())
/** Of which every third holds nothing. */
const SPACES = 45
const HELD_BY_EACH = 40
let spaces: string[] = []

beforeAll(async () => {
  spaces = (await Promise.all(Array.from({ length: SPACES }, () => make.community()))).map((one) => one.communityId)
  const { userId } = await make.user()
  await pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, created_at, queued_at)
     select 'item-' || n * 31 % 97 || '-' || n || '-' || space, community_id, 'community', $2, 'pending',
       jsonb_build_object('text', case when n % 2 = 0 and space = 1 then 'some words' else 'words ' || n || ' of ' || space end), now(),
       timestamptz '2026-01-01' + (n * 7 % 40 + space) / 3 * interval '1 minute'
     from unnest($1::text[]) with ordinality as held(community_id, space), generate_series(1, $3) n
     where space % 3 > 0`,
    [spaces, userId, HELD_BY_EACH],
  )
  await pool.query(
    `insert into post (post_id, target_type, community_id, posted_user_id, feed_type, data_type, data, created_at, queued_at)
     select 'item-' || n * 31 % 97 || '-' || n || '-' || space, 'community', community_id, $2, 'reviewing', 'text',
       jsonb_build_object('text', 'words ' || n || ' of ' || space), now(), timestamptz '2026-01-01' + (n + space) / 3 * interval '1 minute'
     from unnest($1::text[]) with ordinality as held(community_id, space), generate_series(1, 2) n
     where space % 3 > 0 and space % 5 = 0`,
    [spaces, userId],
  )
})

const ORDERS = {
  newest: (item: QueueItem) => -Date.parse(item.heldAt),
  oldest: (item: QueueItem) => Date.parse(item.heldAt),
  urgent: urgentAt,
} satisfies Partial<Record<QueueOrder, (item: QueueItem) => number>>

function sorted(order: keyof typeof ORDERS, items: QueueItem[]): QueueItem[] {
  const backwards = order === 'oldest' ? -1 : 1
  const compareIds = (one: QueueItem, other: QueueItem) => {
    if (one.subjectId !== other.subjectId) return one.subjectId < other.subjectId ? -1 : 1
    return one.subjectType < other.subjectType ? -1 : 1
  }
  return items.toSorted((one, other) => ORDERS[order](one) - ORDERS[order](other) || backwards * compareIds(one, other))
}

const nameOf = ({ subjectType, subjectId }: QueueItem) => `${subjectType} ${subjectId}`
const ofEachSpace = (asked: object) =>
  Promise.all(spaces.map((communityId) => everyPage(admin, { ...asked, communityId, limit: 100 }))).then((found) =>
    found.flat(),
  )

test.each([
  { order: 'newest' },
  { order: 'newest', kind: 'comment' },
  { order: 'newest', kind: 'post' },
  { order: 'oldest' },
  { order: 'urgent' },
] as const)('pages of all communities list what those of each one list, save the rest of a large group: %o', async (asked) => {
  const expected = sorted(asked.order, await ofEachSpace(asked))
  expect(expected.length).toBeGreaterThan('kind' in asked && asked.kind === 'post' ? 10 : 1_000)
  const firstOfGroup = expected.findIndex(({ alike }) => alike !== undefined)
  for (const limit of [11, 50]) {
    const pages = Math.floor(firstOfGroup / limit) + 1
    const isListed = (item: QueueItem, place: number) => item.alike === undefined || place < pages * limit
    const listed = await everyPage(admin, { ...asked, limit })
    expect(listed.map(nameOf)).toEqual(expected.filter(isListed).map(nameOf))
  }
})
