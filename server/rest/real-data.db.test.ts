import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadFiles } from '#server/modules/imports/load-files.ts'
import { testApi } from '#server/testing/api.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const folder = process.env.DOCKET_DATA
const file = path.join(folder ?? '', 'wikitalk.ndjson.gz')

interface Held {
  commentId: string
  queuedAt: string
}

/** What the file itself says waits in a community, newest held first, ties by id. */
async function heldInFile(communityId: string): Promise<string[]> {
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
  return held
    .sort(
      (one, other) =>
        Date.parse(other.queuedAt) - Date.parse(one.queuedAt) || (one.commentId < other.commentId ? -1 : 1),
    )
    .map((comment) => comment.commentId)
}

test.skipIf(folder === undefined)(
  'the imported talk pages: a second import adds nothing, and the queue is exactly the file’s held comments, page by page (needs DOCKET_DATA)',
  async () => {
    const { database } = await testDatabase()
    const api = await testApi(database)
    const load = () => loadFiles(systemCtx(database), { files: [file], strict: false })

    const first = await load()
    expect(first).toMatchObject({ added: { comment: 20_000, community: 5, post: 300, user: 1_200 }, refused: 0 })
    const second = await load()
    expect([second.added, second.unchanged]).toEqual([{}, first.added])

    const token = await api.tokenOf()
    const pageOf = async (skip: number): Promise<string[]> => {
      const { body } = await api.call(
        'GET',
        `/api/v3/communities/talk-history/comments/review-queue?options[limit]=100&options[skip]=${skip}`,
        { token },
      )
      return body.comments.map((comment: Held) => comment.commentId)
    }
    const paged: string[] = []
    for (let page = await pageOf(0); page.length > 0; page = await pageOf(paged.length)) paged.push(...page)

    const expected = await heldInFile('talk-history')
    expect(expected.length).toBeGreaterThan(1_000)
    expect(paged).toEqual(expected)
  },
  60_000,
)
