import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ImportRecord, importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { REAL_FILES, realFile } from '#server/testing/real-file.ts'

/** Three times the comments of the file that have a score. */
const HELD = 30_000
const PAGE = 50
const DAY_MS = 86_400_000
/** The day after the last of the file. */
const LAST_DAY = Date.parse('2026-11-15T00:00:00Z')
/** Worth four hours (docs/desk.md#most-urgent-first). */
const SEVERE_SCORE = 0.75

interface Scored {
  commentId: string
  score: number
  heldAt: number
}

describe.skipIf(REAL_FILES === undefined)(
  `${HELD} held talk comments with the scores that the file has for them, a third of them of the last day (needs DOCKET_DATA)`,
  async () => {
    const { database } = await testDatabase()
    const admin = ctxOf(database, asAdmin())
    let held: Scored[]
    beforeAll(async () => {
      held = await importThreeTimes()
    })

    /** The file's scored comments, all held: twice at the file's own times, and once more all on the last day, at their times of day. */
    async function importThreeTimes(): Promise<Scored[]> {
      const lines = await talkLines()
      const scored = lines.filter(({ metadata }) => metadata?.toxicity !== undefined)
      const spaces = [0, 1, 2].flatMap((copy) => [
        ...lines.filter(({ type }) => type === 'community').map((space) => inCopy(copy, space, 'communityId')),
        ...lines.filter(({ type }) => type === 'post').map((post) => inCopy(copy, post, 'postId', 'targetId')),
      ])
      // Each copy is in communities of its own: items of one community with the same text are one row.
      const comments = [0, 1, 2].flatMap((copy) =>
        scored.map(({ parentId, isDeleted, ...comment }) => {
          const writtenAt = Date.parse(comment.createdAt)
          const heldAt = new Date(copy === 0 ? LAST_DAY + (writtenAt % DAY_MS) : writtenAt).toISOString()
          const held = { ...comment, createdAt: heldAt, queuedAt: heldAt, approvalStatus: 'pending' }
          return inCopy(copy, held, 'commentId', 'referenceId', 'targetId')
        }),
      )
      const people = lines.filter(({ type }) => type === 'user')
      const records = [...people, ...spaces, ...comments] as unknown as ImportRecord[]
      expect(await importRecords(systemCtx(database), records)).toMatchObject({
        added: { comment: HELD },
        refused: 0,
      })
      return comments.map(({ commentId, metadata, createdAt }) => ({
        commentId: String(commentId),
        score: metadata?.toxicity ?? 0,
        heldAt: Date.parse(createdAt),
      }))
    }

    /** The first page of the most urgent, as the desk asks for it at the end of a day, of what was held before then. */
    async function firstPage(endOfDay: number): Promise<string[]> {
      const ctx = { ...admin, now: () => new Date(LAST_DAY + DAY_MS) }
      const heldForMinutes = (LAST_DAY + DAY_MS - endOfDay) / 60_000
      const input = { order: 'urgent', limit: PAGE, ...(heldForMinutes > 0 && { heldForMinutes }) }
      const { items } = await listDeskQueue(ctx, DeskQueueInput.parse(input))
      return items.map(({ subjectId }) => subjectId)
    }

    /** The highest scores of what was held in the day that ends then. */
    function mostSevere(endOfDay: number): Scored[] {
      const ofDay = held.filter(({ heldAt }) => heldAt >= endOfDay - DAY_MS && heldAt < endOfDay)
      return ofDay.sort((one, other) => other.score - one.score).slice(0, PAGE)
    }

    test('of the 50 most severe of the last day, at least 45 are among the first 50 of the most urgent', async () => {
      const endOfDay = LAST_DAY + DAY_MS
      const [first, severe] = [await firstPage(endOfDay), mostSevere(endOfDay)]

      const found = severe.filter(({ commentId }) => first.includes(commentId))
      console.log(`a third of all on the last day: ${found.length} of the ${severe.length} most severe`)
      expect(severe.at(-1)?.score).toBeGreaterThanOrEqual(SEVERE_SCORE)
      expect(found.length).toBeGreaterThanOrEqual(45)
    })

    test('on a day with fewer severe comments, they come first, and those of the days before follow, before what only waits', async () => {
      const [first, likeliest] = [await firstPage(LAST_DAY), mostSevere(LAST_DAY)]
      const severe = likeliest.filter(({ score }) => score >= SEVERE_SCORE)

      const found = likeliest.filter(({ commentId }) => first.includes(commentId))
      console.log(
        `at the pace of the file: ${found.length} of the ${likeliest.length}, ${severe.length} of them severe`,
      )
      expect(severe.length).toBeGreaterThan(0)
      expect(first.slice(0, severe.length).sort()).toEqual(severe.map(({ commentId }) => commentId).sort())
      const scores = new Map(held.map(({ commentId, score }) => [commentId, score]))
      expect(Math.min(...first.map((commentId) => scores.get(commentId) ?? 0))).toBeGreaterThanOrEqual(SEVERE_SCORE)
    })
  },
)

interface TalkLine {
  type: string
  createdAt: string
  metadata?: { toxicity?: number }
  [field: string]: unknown
}

async function talkLines(): Promise<TalkLine[]> {
  const { path } = await realFile('wikitalk.ndjson.gz', 20_000)
  const text = gunzipSync(await readFile(path)).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A copy of the line with ids of its own in these fields. */
function inCopy(copy: number, line: TalkLine, ...fields: string[]): TalkLine {
  return { ...line, ...Object.fromEntries(fields.map((field) => [field, `${line[field]}-${copy}`])) }
}
