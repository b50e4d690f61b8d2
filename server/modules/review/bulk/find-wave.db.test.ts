import { expect, test } from 'vitest'
import { textBandsOf } from '#server/modules/content/reviewable/text-bands.ts'
import { findWave } from '#server/modules/review/bulk/find-wave.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { recordStatements } from '#server/testing/recorded-statements.ts'
import { scaled } from '#server/testing/scaled.ts'
import { writtenTexts } from '#server/testing/waves.ts'

const { database } = await testDatabase()
const make = factoriesOf(database)
const admin = ctxOf(database, asAdmin())

const WAVES = Math.min(scaled(20), 200)
const OTHERS = Math.min(scaled(5_000), 1_000_000)
const SIZES = [8, 15, 40, 120]
const BATCH = 5_000
/** A million take as long to write. */
const LIMIT_MS = Math.max(900_000, 3 * OTHERS)

test(`finds ${WAVES} waves among ${OTHERS} other comments: at least 95 % of their members, and at most 1 % that are not theirs`, {
  timeout: LIMIT_MS,
}, async () => {
  const { random, text, wave } = writtenTexts()
  const communities = [await make.community(), await make.community()]
  const { userId } = await make.user()
  const now = Date.now()
  const hold = async (items: { id: string; text: string }[]) => {
    const times = items.map(() => new Date(now - Math.floor(random() * 3_600_000)))
    const rows = items.map(({ id, text }, index) => {
      const written = { subjectType: 'comment', communityId: 'any', data: { text }, hasFiles: false } as const
      const bands = textBandsOf(written, times[index] ?? new Date(now))
      return { id, text, at: times[index], bands, community: communities[index % 2]?.communityId }
    })
    await database.pool.query(
      `insert into comment (comment_id, community_id, target_type, user_id, approval_status, data, data_types, queued_at, created_at, updated_at,
         text_key, text_bands)
       select id, community, 'community', $1, 'pending', jsonb_build_object('text', text), '{text}', at, at, at,
         '00000000-0000-0000-0000-000000000000', bands
       from jsonb_to_recordset($2::jsonb) as made(id text, text text, at timestamptz, bands int[], community text)`,
      [userId, JSON.stringify(rows)],
    )
  }
  // The index of so many is built faster than it grows.
  const { rows: indexes } = await database.pool.query<{ made: string }>(
    `select pg_get_indexdef('comment_bands'::regclass) as made`,
  )
  await database.pool.query('drop index comment_bands')
  for (let start = 0; start < OTHERS; start += BATCH) {
    const size = Math.min(BATCH, OTHERS - start)
    await hold(Array.from({ length: size }, (_, index) => ({ id: `other-${start + index}`, text: text() })))
  }
  for (const { made } of indexes) await database.pool.query(made)
  const waves = Array.from({ length: WAVES }, (_, number) =>
    wave(SIZES[number % SIZES.length] ?? 8).map((text, index) => ({ id: `wave-${number}-${index}`, text })),
  )
  for (const members of waves) await hold(members)
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
  console.log(`recall ${(right / all).toFixed(4)}, precision ${(right / found).toFixed(4)}`)
  expect(right / all).toBeGreaterThanOrEqual(0.95)
  expect(right / found).toBeGreaterThanOrEqual(0.99)
})

test('what belongs to no wave costs two statements', async () => {
  const { commentId } = await make.heldComment({
    data: { text: 'Nobody else says that the lower road is closed' },
  })
  const statements = recordStatements(database.pool)
  expect(await findWave(admin, { subjectType: 'comment', subjectId: commentId })).toBeUndefined()
  expect(statements.all).toHaveLength(2)
})
