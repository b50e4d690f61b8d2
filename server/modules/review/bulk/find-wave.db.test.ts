import { expect, test } from 'vitest'
import { textBandsOf } from '#server/modules/content/items/text-bands.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import { previewMembers } from '#server/modules/review/bulk/preview-members.ts'
import { BULK_LIMIT } from '#server/modules/review/bulk/schema.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { IS_STRESS, scaled } from '#server/testing/scaled.ts'
import { writtenTexts } from '#server/testing/waves.ts'

const { database, make } = await testDatabase()
const admin = ctxOf(database, asAdmin())

const WAVES = Math.min(scaled(20), 200)
const OTHERS = Math.min(scaled(1_500), 1_000_000)
const SIZES = [8, 15, 40, 120]
const BATCH = 5_000
const NOW = new Date('2026-11-20T12:00:00Z')

test(`finds ${WAVES} waves among ${OTHERS} other comments: at least 95 % of their members, and at most 1 % that are not theirs`, async () => {
  const { random, text, wave } = writtenTexts()
  const communities = [await make.community(), await make.community()]
  const { userId } = await make.user()
  const hold = async (items: { id: string; text: string }[]) => {
    const times = items.map(() => new Date(NOW.getTime() - Math.floor(random() * 3_600_000)))
    const rows = items.map(({ id, text }, index) => {
      return { id, text, at: times[index], community: communities[index % 2]?.communityId }
    })
    await database.pool.query(
      `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, data_types, queued_at, created_at, updated_at)
       select id, community, 'community', $1, 'pending', jsonb_build_object('text', text), '{text}', at, at, at
       from jsonb_to_recordset($2::jsonb) as made(id text, text text, at timestamptz, community text)`,
      [userId, JSON.stringify(rows)],
    )
  }
  await withoutIndexes(async () => {
    for (let start = 0; start < OTHERS; start += BATCH) {
      const size = Math.min(BATCH, OTHERS - start)
      await hold(Array.from({ length: size }, (_, index) => ({ id: `other-${start + index}`, text: text() })))
    }
  })
  const waves = Array.from({ length: WAVES }, (_, number) =>
    wave(SIZES[number % SIZES.length] ?? 8).map((text, index) => ({ id: `wave-${number}-${index}`, text })),
  )
  await hold(waves.flat())
  await database.pool.query('analyze comment')

  let [found, right, all] = [0, 0, 0]
  for (const [number, members] of waves.entries()) {
    const opened = members[Math.floor(random() * members.length)]?.id ?? ''
    const wave = await findWave(admin, { subjectType: 'comment', subjectId: opened })
    const ids = wave?.members.map(({ subjectId }) => subjectId) ?? []
    found += ids.length
    right += ids.filter((id) => id.startsWith(`wave-${number}-`)).length
    all += members.length
  }
  if (IS_STRESS) console.log(`recall ${(right / all).toFixed(4)}, precision ${(right / found).toFixed(4)}`)
  expect(right / all).toBeGreaterThanOrEqual(0.95)
  expect(right / found).toBeGreaterThanOrEqual(0.99)
})

/** Indexes of so many comments are built faster than they grow, which may still take longer than a statement of the program may. */
async function withoutIndexes(fill: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect()
  await client.query('set statement_timeout = 0')
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
     from pg_index where indrelid = 'comment'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await fill()
  for (const { made } of indexes) await client.query(made)
  client.release(true)
}

test('of a wave with more members than one bulk action takes, as many are found, and that there are more', async () => {
  const { communityId } = await make.community()
  const { userId } = await make.user()
  const text = 'Cheap watches of every brand, order yours before the stock is gone tonight'
  await database.pool.query(
    `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, data_types, queued_at, created_at, updated_at)
     select 'big-wave-' || n, $1, 'community', $2, 'pending', jsonb_build_object('text', $3::text || repeat('!', n % 7)), '{text}', $4, $4, $4
     from generate_series(1, $5::int) n`,
    [communityId, userId, text, NOW, BULK_LIMIT + 50],
  )

  for (const mostCompared of [BULK_LIMIT + 20, BULK_LIMIT + 100]) {
    const wave = await findWave(admin, { subjectType: 'comment', subjectId: 'big-wave-1' }, { mostCompared })
    expect(wave).toMatchObject({ isCut: true, communityIds: [communityId] })
    expect(wave?.members.every(({ subjectId }) => subjectId.startsWith('big-wave-'))).toBe(true)
    expect(wave?.members).toHaveLength(BULK_LIMIT)
  }
})

test('of a wave with more members than are compared the rest is counted, up to a bound', async () => {
  const { communityId } = await make.community()
  // On a day of its own: nothing else is read.
  const queuedAt = new Date(NOW.getTime() + 10 * 86_400_000)
  for (let place = 0; place < 40; place += 1) {
    const text = `Fresh figs from our own garden, ask for them at the gate${'!'.repeat(place % 7)}`
    await make.heldComment({ communityId, data: { text }, queuedAt })
  }
  const { subjectId } = await database.prisma.reviewItem.findFirstOrThrow({ where: { communityId } })
  const countOf = async (bounds: { mostCompared: number; mostCounted: number }) => {
    const wave = await findWave(admin, { subjectType: 'comment', subjectId }, bounds)
    return wave && { count: wave.count, isMore: wave.isMore, isCut: wave.isCut }
  }
  expect(await countOf({ mostCompared: 100, mostCounted: 100 })).toEqual({ count: 40, isMore: false, isCut: false })
  expect(await countOf({ mostCompared: 10, mostCounted: 100 })).toEqual({ count: 40, isMore: false, isCut: true })
  expect(await countOf({ mostCompared: 10, mostCounted: 25 })).toEqual({ count: 25, isMore: true, isCut: true })
})

test('what a deleted community holds is in no wave and no group', async () => {
  const [open, deleted] = [await make.community(), await make.community()]
  const held: { subjectType: 'comment'; subjectId: string }[] = []
  for (const { communityId } of [open, open, open, deleted, deleted]) {
    const text = 'Warm chestnuts from the cart beside the old bridge, all of December'
    const { commentId } = await make.heldComment({ communityId, data: { text }, queuedAt: NOW })
    held.push({ subjectType: 'comment', subjectId: commentId })
  }
  const [first, last] = [held.slice(0, 1), held.slice(-1)]
  const sizes = async () => [
    (await findWave(admin, held[0] ?? expect.fail()))?.count,
    (await previewMembers(admin, { alike: first })).items.length,
    (await previewMembers(admin, { alike: last })).items.length,
  ]
  expect(await sizes()).toEqual([5, 3, 2])
  await database.prisma.community.update({ where: { communityId: deleted.communityId }, data: { isDeleted: true } })
  expect(await sizes()).toEqual([3, 3, 0])
  expect(await findWave(admin, last[0] ?? expect.fail())).toBeUndefined()
})

test('of what shares a band, no more is read than is counted', async () => {
  const { communityId } = await make.community()
  // On a day of its own: nothing else is read.
  const queuedAt = new Date(NOW.getTime() + 20 * 86_400_000)
  const hold = (text: string) => make.heldComment({ communityId, data: { text }, queuedAt })
  const members = ['monday', 'tuesday', 'wednesday'].map((day) => `We sharpen your knives on ${day} while you wait`)
  const said = { subjectType: 'comment', communityId, data: { text: members[0] }, hasFiles: false } as const
  const bands = textBandsOf(said, queuedAt) ?? []
  for (let other = 0; other < 30; other += 1) {
    const { commentId: subjectId } = await hold(`Whatever number ${other} has to say about it`)
    await database.prisma.reviewItem.updateMany({ where: { subjectId }, data: { textBands: bands.slice(0, 1) } })
  }
  const ids: string[] = []
  for (const text of members) ids.push((await hold(text)).commentId)
  const find = (mostCounted: number) =>
    findWave(admin, { subjectType: 'comment', subjectId: ids[0] ?? '' }, { mostCounted })

  expect((await find(40))?.members).toHaveLength(3)
  // Of one and the item itself, whichever is read, no wave is made.
  expect(await find(1)).toBeUndefined()
})

test('what shares a band by chance hides no wave, however many of it there are', async () => {
  const { communityId } = await make.community()
  const said = (text: string) => ({ subjectType: 'comment', communityId, data: { text }, hasFiles: false }) as const
  const hold = (text: string) => make.heldComment({ communityId, data: { text }, queuedAt: NOW })
  const members = ['one', 'two', 'three', 'four'].map(
    (place) => `Only ${place} places left in my baking course, join today`,
  )
  const bands = textBandsOf(said(members[0] ?? ''), NOW) ?? []
  for (let other = 0; other < 30; other += 1) {
    const { commentId: subjectId } = await hold(`Nobody says number ${other} but me`)
    await database.prisma.reviewItem.updateMany({ where: { subjectId }, data: { textBands: bands.slice(0, 1) } })
  }
  const ids: string[] = []
  for (const text of members) ids.push((await hold(text)).commentId)

  const wave = await findWave(admin, { subjectType: 'comment', subjectId: ids[0] ?? '' }, { mostCompared: 10 })
  expect(wave?.members.map(({ subjectId }) => subjectId).sort()).toEqual(ids.sort())
})
