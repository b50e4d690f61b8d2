import { expect, test } from 'vitest'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { countMatching } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { REAL_FILES, realFile } from '#server/testing/real-file.ts'
import { sampled } from '#server/testing/scaled.ts'
import { CLOCK_CHANGES, narrowed, readHeldTalk, type TalkFilter } from '#server/testing/talk-pages.ts'

test.skipIf(REAL_FILES === undefined)(
  'the desk lists of the imported talk pages equal a check of each line, in three zones around a clock change (needs DOCKET_DATA)',
  async () => {
    const { database } = await testDatabase()
    const { path } = await realFile('wikitalk.ndjson.gz', 5_000)
    await loadFiles(systemCtx(database), { files: [path], strict: false })
    const held = await readHeldTalk(path)
    const ctx = ctxOf(database, asAdmin())

    const [some] = held
    const narrowings: TalkFilter[] = [
      {},
      { communityId: 'talk-sport' },
      { text: 'article' },
      { text: '100%' },
      { text: "don't", communityId: 'talk-history' },
      { authorId: some?.userId ?? '' },
      { postId: some?.referenceId ?? '' },
    ]
    const spans = CLOCK_CHANGES.flatMap(({ timeZone, before, day, after }) =>
      [
        { startDate: day, endDate: day },
        { startDate: before, endDate: before },
        { startDate: after, endDate: after },
        { startDate: before, endDate: after },
        { startDate: day },
        { endDate: day },
      ].map((span) => ({ ...span, timeZone })),
    )
    const onDays = spans.flatMap((span) => narrowings.map((one) => ({ ...span, ...one })))
    let found = 0
    for (const filter of [...narrowings, ...sampled(onDays, 40)]) {
      const expected = narrowed(held, filter)
      found += expected.length
      const listed: string[] = []
      let cursor: string | undefined
      do {
        const page = await listDeskQueue(
          ctx,
          DeskQueueInput.parse({ ...filter, limit: 100, ...(cursor && { cursor }) }),
        )
        listed.push(...page.items.map(({ subjectId }) => subjectId))
        // The rest of a long list behaves like any other.
        cursor = listed.length < 300 ? page.next : undefined
      } while (cursor !== undefined)
      expect(listed, JSON.stringify(filter)).toEqual(expected.slice(0, Math.max(300, listed.length)))
      const { count } = await countMatching(ctx, DeskFilter.parse(filter))
      expect(count, JSON.stringify(filter)).toBe(expected.length)
    }
    expect(found).toBeGreaterThan(held.length / 10)
  },
)
