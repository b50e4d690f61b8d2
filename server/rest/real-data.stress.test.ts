import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { REAL_FILES, realFile } from '#server/testing/real-file.ts'
import { sampled } from '#server/testing/scaled.ts'

const COMMUNITY = 'talk-history'

interface Held {
  commentId: string
  referenceId: string
  createdAt: string
  queuedAt: string
}

/** The comments the file lists as held in a community, newest held first, ties by id. */
async function heldInFile(file: string, communityId: string): Promise<Held[]> {
  const held: Held[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const record = JSON.parse(line)
    if (
      record.type === 'comment' &&
      record.approvalStatus === 'pending' &&
      !record.isDeleted &&
      record.targetId === communityId
    )
      held.push(record)
  }
  return held.sort(
    (one, other) => Date.parse(other.queuedAt) - Date.parse(one.queuedAt) || (one.commentId < other.commentId ? -1 : 1),
  )
}

describe.skipIf(REAL_FILES === undefined)('the imported talk pages (needs DOCKET_DATA)', async () => {
  const { database } = await testDatabase()
  const { call, tokenOf } = await testApi(database)
  const load = () => loadFiles(systemCtx(database), { files: [file.path], strict: false })
  const idsOf = (held: Held[]) => held.map(({ commentId }) => commentId)

  let file: Awaited<ReturnType<typeof realFile>>
  let first: Awaited<ReturnType<typeof load>>
  let token: string
  let expected: Held[]
  beforeAll(async () => {
    file = await realFile('wikitalk.ndjson.gz', 5_000)
    first = await load()
    token = await tokenOf()
    expected = await heldInFile(file.path, COMMUNITY)
  })

  const queue = async (query: string) =>
    call('GET', `/api/v3/communities/${COMMUNITY}/comments/review-queue?${query}`, { token })
  const answered = async (query: string): Promise<string[]> => {
    const { status, body } = await queue(query)
    expect([status, query]).toEqual([200, query])
    return idsOf(body.comments)
  }

  test('a second import adds nothing, and the queue is exactly the file’s held comments, page by page', async () => {
    expect(first).toMatchObject({ added: file.counts, refused: 0 })
    const second = await load()
    expect([second.added, second.unchanged]).toEqual([{}, first.added])

    const pageOf = (skip: number) => answered(`options[limit]=100&options[skip]=${skip}`)
    const paged: string[] = []
    for (let page = await pageOf(0); page.length > 0; page = await pageOf(paged.length)) paged.push(...page)

    expect(expected.length).toBeGreaterThan(200)
    expect(paged).toEqual(idsOf(expected))
  })

  const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia']
  /** Clocks change on 2026-10-04 in Lord Howe, by half an hour, and on 2026-11-01 in New York. */
  const DATES = [
    {},
    { startDate: '2026-10-04' },
    { endDate: '2026-11-01' },
    { startDate: '2026-10-03', endDate: '2026-11-02' },
    { startDate: '2026-10-04', endDate: '2026-10-04' },
    { startDate: '2026-11-01', endDate: '2026-11-01' },
    { startDate: '2011-12-30', endDate: '2011-12-30' },
  ]
  const POSTS = ['no post', 'the busiest post', 'the quietest post', 'an unknown post'] as const

  /** The day of an instant in a zone, by Intl alone. */
  function dayIn(timeZone: string): (at: string) => string {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return (at) => format.format(Date.parse(at))
  }

  function postIdOf(post: (typeof POSTS)[number]): string | undefined {
    const counts = new Map<string, number>()
    for (const { referenceId } of expected) counts.set(referenceId, (counts.get(referenceId) ?? 0) + 1)
    const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([postId]) => postId)
    return {
      'no post': undefined,
      'the busiest post': byCount[0],
      'the quietest post': byCount.at(-1),
      'an unknown post': 'nowhere',
    }[post]
  }

  interface Asked {
    postId?: string | undefined
    startDate?: string
    endDate?: string
  }

  function bruteForce({ postId, startDate = '0000-01-01', endDate = '9999-12-31' }: Asked, timeZone: string): string[] {
    const dayOf = dayIn(timeZone)
    const isWithin = (day: string) => day >= startDate && day <= endDate
    return idsOf(
      expected.filter(
        ({ referenceId, createdAt }) => (postId === undefined || referenceId === postId) && isWithin(dayOf(createdAt)),
      ),
    )
  }

  const queryOf = (asked: Record<string, string | number | undefined>) =>
    Object.entries(asked)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
      .join('&')

  const zonesAndPosts = ZONES.flatMap((timeZone) => POSTS.map((post) => ({ timeZone, post })))
  test.each(
    sampled(zonesAndPosts, 7),
  )('in $timeZone, on $post: for any dates, limit and skip the queue matches a scan of every comment', async ({
    timeZone,
    post,
  }) => {
    for (const dates of DATES) {
      const asked = { postId: postIdOf(post), ...dates }
      const all = bruteForce(asked, timeZone)
      const skips = [0, 1, Math.floor(all.length / 2), Math.max(all.length - 1, 0), all.length, all.length + 1]
      const pages = [...new Set(skips)].flatMap((skip) => [1, 10, 100].map((limit) => ({ skip, limit })))
      const pagesFound = await Promise.all(
        pages.map(({ skip, limit }) =>
          answered(queryOf({ ...asked, timeZone, 'options[limit]': limit, 'options[skip]': skip })),
        ),
      )
      expect(pagesFound).toEqual(pages.map(({ skip, limit }) => all.slice(skip, skip + limit)))
    }
    const reversed = queryOf({ postId: postIdOf(post), startDate: '2026-11-02', endDate: '2026-11-01', timeZone })
    expect(await queue(reversed)).toMatchObject({ status: 400, body: { code: 400000 } })
  })

  test('each day around the clock changes holds what was written on it there, and no two zones agree', async () => {
    const days = Array.from({ length: 42 }, (_, index) =>
      new Date(Date.UTC(2026, 8, 27 + index)).toISOString().slice(0, 10),
    )
    const found = new Map<string, string[][]>()
    for (const timeZone of ZONES) {
      const ofZone = await Promise.all(
        days.map((day) => answered(queryOf({ startDate: day, endDate: day, timeZone, 'options[limit]': 100 }))),
      )
      expect(ofZone).toEqual(days.map((day) => bruteForce({ startDate: day, endDate: day }, timeZone)))
      found.set(timeZone, ofZone)
    }
    expect(new Set([...found.values()].map((ofZone) => JSON.stringify(ofZone))).size).toBe(ZONES.length)
  })
})
