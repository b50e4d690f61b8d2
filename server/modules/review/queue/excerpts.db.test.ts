import { expect, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { claim } from '#server/modules/review/claims/claim.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { openQueueExport, readQueueExport } from '#server/modules/review/export/export-queue.ts'
import { QueueExportInput } from '#server/modules/review/export/schema.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskQueueInput, type QueueView } from '#server/modules/review/queue/schema.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

const LONG = `${'The ferry runs again. '.repeat(900)}Buy pills.`

/** A comment with a long text, held or published, and its reviewer. */
async function longComment({ isHeld = true } = {}) {
  const { communityId } = await make.community()
  const { commentId: subjectId } = await make.heldComment({
    communityId,
    data: { text: LONG },
    ...(!isHeld && { approvalStatus: null }),
  })
  const ctx = as(await make.reviewerOf(communityId))
  return { ctx, communityId, subject: { subjectType: 'comment' as const, subjectId } }
}

const listed = async (ctx: Ctx, filter: object) => (await listDeskQueue(ctx, DeskQueueInput.parse(filter))).items

test.for<QueueView>([
  'waiting',
  'mine',
  'escalated',
  'reported',
])('a row of %s items has the beginning of a long text, and the item all of it', async (view) => {
  const { ctx, communityId, subject } = await longComment({ isHeld: view !== 'reported' })
  if (view === 'mine') await claim(ctx, subject)
  if (view === 'escalated') await escalate(ctx, { ...subject, note: 'Look at this' })
  if (view === 'reported')
    await flag(as(asUser((await make.user()).userId)), flaggableComment, {
      id: subject.subjectId,
      flag: { reason: 'Spam' },
    })

  const [row] = await listed(ctx, { communityId, view })
  expect(row).toMatchObject({ ...subject, isCut: true, text: expect.stringMatching(/^The ferry .{200,280}…$/) })
  expect(JSON.stringify(row).length).toBeLessThan(1_500)
  const read = await readItem(ctx, { ...subject, isReported: view === 'reported' })
  expect(read.text).toBe(LONG)
  expect(read.item.text).toBe(row?.text)
})

test('a row has a short text as it is', async () => {
  const { communityId } = await make.community()
  await make.heldComment({ communityId, data: { text: 'The ferry runs again.' } })
  const [row] = await listed(as(await make.reviewerOf(communityId)), { communityId })
  expect(row).toMatchObject({ text: 'The ferry runs again.' })
  expect([row?.isCut, row?.match]).toEqual([undefined, undefined])
})

test('a row of a list that is filtered by a text has the part around it', async () => {
  const { ctx, communityId } = await longComment()
  const [found] = await listed(ctx, { communityId, text: 'buy PILLS' })
  expect(found?.match).toMatch(/^… .{0,40}Buy pills\.$/)
  const [near] = await listed(ctx, { communityId, text: 'the ferry' })
  expect(near?.match).toBeUndefined()
})

test('the exported queue has whole texts', async () => {
  const { ctx, communityId } = await longComment()
  const key = Buffer.alloc(32)
  const link = await openQueueExport(ctx, key, QueueExportInput.parse({ communityId }))
  const file = await Array.fromAsync(await readQueueExport(async () => ctx, key, link))
  expect(file.join('')).toContain(LONG)
})
