import { describe, expect, test } from 'vitest'
import { createMessage } from '#server/modules/content/messages/create-message.ts'
import { numberMessages, numberPending } from '#server/modules/content/messages/number-messages.ts'
import { type ImportRecord, importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, pool, make } = await testDatabase()
const ctx = systemCtx(database)

const clock = clockAt('2026-01-01T00:00:00Z')
/** Lists have messages of one time in the order of their ids: what people write here has a time of its own. */
function now(): Date {
  clock.advance(1)
  return clock.now()
}

async function channel() {
  const { channelId, internalId } = await make.channel()
  const { userId } = await make.channelUser({ channelId })
  const record = (minute: number, over: { channelSegment?: number; id?: string } = {}): ImportRecord => ({
    type: 'message',
    messageId: over.id ?? `${channelId}-${String(minute).padStart(5, '0')}`,
    channelId,
    userId,
    data: { text: 'Some words' },
    createdAt: new Date(Date.UTC(2020, 0, 1) + minute * 60_000).toISOString(),
    ...(over.channelSegment !== undefined && { channelSegment: over.channelSegment }),
  })
  const load = (...minutes: number[]) =>
    importRecords(
      ctx,
      minutes.map((minute) => record(minute)),
    )
  const say = () =>
    createMessage(ctxOf(database, asUser(userId), { now }), {
      messageFeedId: internalId,
      dataType: 'text',
      data: { text: 'Live' },
      tags: [],
    })
  return { channelId, userId, record, load, say }
}

/** The segments of a channel in the order in which lists have its messages. */
async function segmentsOf(channelId: string): Promise<(number | null)[]> {
  const rows = await prisma.message.findMany({
    where: { channelId },
    orderBy: [{ createdAt: 'asc' }, { messageId: 'desc' }],
    select: { channelSegment: true },
  })
  return rows.map(({ channelSegment }) => channelSegment)
}

const isAscending = (segments: (number | null)[]) =>
  segments.every((segment, index) => segment !== null && segment > (segments[index - 1] ?? 0))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const pendingOf = (channelId: string) => prisma.messageNumbering.count({ where: { channelId } })

describe('imported messages get segments in the order of time', () => {
  test('in any order of their lines, and nothing is left to do', async () => {
    const { channelId, load } = await channel()
    await load(5, 1, 4, 2, 3)
    expect(await segmentsOf(channelId)).toEqual(upTo(5))
    expect(await pendingOf(channelId)).toBe(0)
  })

  test('over several batches, in files that overlap in time and arrive in the wrong order', async () => {
    const { channelId, load } = await channel()
    const minutes = (start: number) => Array.from({ length: 2_300 }, (_, index) => start + 2 * index).reverse()
    await load(...minutes(1_001))
    expect(await segmentsOf(channelId)).toEqual(upTo(2_300))
    await load(...minutes(0))
    expect(await segmentsOf(channelId)).toEqual(upTo(4_600))
  })

  test('are written once where their positions in time are known before they are imported', async () => {
    const { channelId, load } = await channel()
    await load(1, 2)
    await pool.query(`
      create function refuse_update() returns trigger language plpgsql as 'begin raise exception ''written twice''; end';
      create trigger refuse_update before update of channel_segment on message for each row execute function refuse_update()`)
    try {
      await load(...Array.from({ length: 2_300 }, (_, index) => 5_000 - index))
    } finally {
      await pool.query('drop function refuse_update cascade')
    }
    expect(await segmentsOf(channelId)).toEqual(upTo(2_302))
  })

  test('keep them when imported again', async () => {
    const { channelId, load } = await channel()
    await load(3, 1, 2)
    const before = await prisma.message.findMany({ where: { channelId } })
    expect(await load(3, 1, 2)).toMatchObject({ added: {}, unchanged: { message: 3 } })
    expect(await prisma.message.findMany({ where: { channelId } })).toEqual(before)
  })

  test('messages of one time are numbered in list order', async () => {
    const { channelId, record } = await channel()
    await importRecords(ctx, [
      record(1, { id: `a-${channelId}` }),
      record(1, { id: `c-${channelId}` }),
      record(1, { id: `b-${channelId}` }),
    ])
    expect(await segmentsOf(channelId)).toEqual([1, 2, 3])
  })

  test('messages of one time get the numbers between those before and after them', async () => {
    const { channelId, record } = await channel()
    const ties = Array.from({ length: 1_200 }, (_, index) => record(2, { id: `${index}-${channelId}` }))
    await importRecords(ctx, [record(3), ...ties, record(1)])
    expect(await segmentsOf(channelId)).toEqual(upTo(1_202))
  })

  test('a given segment is kept as long as there is room before it, and others are numbered around it', async () => {
    const { channelId, record } = await channel()
    await importRecords(ctx, [record(1), record(2, { channelSegment: 10 }), record(3), record(4)])
    expect(await segmentsOf(channelId)).toEqual([1, 10, 11, 12])
  })

  test('the greatest possible segment breaks neither an import nor what is written after it', async () => {
    const { channelId, record, say } = await channel()
    await importRecords(ctx, [record(1, { channelSegment: 2_147_483_647 }), record(2)])
    expect(await segmentsOf(channelId)).toEqual([2_147_483_647, 2_147_483_647])
    await expect(say()).resolves.toMatchObject({ messages: [{ segment: 2_147_483_647 }] })
  })
})

describe('history that is imported into a channel in use', () => {
  test('comes before what was written live; the members’ read positions move with it', async () => {
    const { channelId, userId, load, say } = await channel()
    const reader = await make.channelUser({ channelId })
    await say()
    const second = await say()
    await say()
    const messageId = second.messages[0]?.messageId ?? ''
    await prisma.channelUser.update({
      where: { channelId_userId: { channelId, userId: reader.userId } },
      data: { readToSegment: 2, lastMentionedSegment: 1 },
    })
    await load(2, 1, 3)

    const segments = await segmentsOf(channelId)
    expect(isAscending(segments)).toBe(true)
    const { channelSegment } = await prisma.message.findUniqueOrThrow({ where: { messageId } })
    const marksOf = (who: string) =>
      prisma.channelUser.findUniqueOrThrow({ where: { channelId_userId: { channelId, userId: who } } })
    expect(await marksOf(reader.userId)).toMatchObject({
      readToSegment: channelSegment,
      lastMentionedSegment: segments.at(-3),
    })
    expect(await marksOf(userId)).toMatchObject({ readToSegment: segments.at(-1) })
  })

  test('is in order too where people write during the import', async () => {
    const { channelId, load, say } = await channel()
    const minutes = Array.from({ length: 6_000 }, (_, index) => index)
    let isRunning = true
    const live = (async () => {
      while (isRunning) await say()
    })()
    try {
      await load(...minutes.filter((minute) => minute % 2 === 1))
      await load(...minutes.filter((minute) => minute % 2 === 0))
    } finally {
      isRunning = false
      await live
    }
    expect(isAscending(await segmentsOf(channelId))).toBe(true)
  })
})

describe('messages that were left without a segment', () => {
  /** As left by an import that is cut off after its last batch, or by a former version. */
  async function leftBehind(count: number) {
    const at = await channel()
    await pool.query(
      `insert into message (message_id, channel_id, user_id, created_at)
       select $1 || n, $1, $2, '2020-01-01'::timestamptz + n * interval '1 minute' from generate_series(1, ${count}) n`,
      [at.channelId, at.userId],
    )
    const begin = new Date('2020-01-01T00:00:00Z')
    await prisma.messageNumbering.create({
      data: { channelId: at.channelId, fromAt: begin, uptoAt: new Date('2021-01-01'), addedAt: begin },
    })
    return at
  }

  test('are numbered by the worker, one batch at a time, also where people write between', async () => {
    const { channelId, say } = await leftBehind(4_500)
    const batches: boolean[] = []
    while (await pendingOf(channelId)) {
      batches.push(await numberPending(ctx))
      await say()
    }
    expect(batches).toEqual([true, true, true])
    const segments = await segmentsOf(channelId)
    expect(segments).toHaveLength(4_503)
    expect(isAscending(segments)).toBe(true)
    expect(await numberPending(ctx)).toBe(false)
  })

  test('are skipped by the worker while an import adds to them, and numbered by the next import', async () => {
    const { channelId, load } = await leftBehind(3)
    await prisma.messageNumbering.update({ where: { channelId }, data: { addedAt: new Date() } })
    expect(await numberPending(ctx)).toBe(false)
    await load(0)
    expect(await segmentsOf(channelId)).toEqual(upTo(4))
  })

  test('are numbered once where several processes do it', async () => {
    const { channelId } = await leftBehind(4_500)
    await Promise.all([numberMessages(ctx, channelId), numberMessages(ctx, channelId), numberPending(ctx)])
    expect(await segmentsOf(channelId)).toEqual(upTo(4_500))
  })
})
