import { expect, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import type { Permission } from '#server/core/permission-names.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { listAuditWithExcerpts } from '#server/modules/desk/audit/list-with-excerpts.ts'
import { DeskMessagesInput } from '#server/modules/desk/messages/schema.ts'
import { searchDeskMessages } from '#server/modules/desk/messages/search-messages.ts'
import { findAnything } from '#server/modules/desk/palette/find-anything.ts'
import { AuditInput } from '#server/modules/ledger/audit/schema.ts'
import { listContent } from '#server/modules/people/list-content.ts'
import { listDecisionsAbout } from '#server/modules/people/list-decisions.ts'
import { listFlagsOn } from '#server/modules/people/list-flags.ts'
import { PersonListInput } from '#server/modules/people/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { escalate } from '#server/modules/review/escalations/escalate.ts'
import { openQueueExport, readQueueExport } from '#server/modules/review/export/export-queue.ts'
import { QueueExportInput } from '#server/modules/review/export/schema.ts'
import { readEarlier } from '#server/modules/review/items/read-earlier.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { openConversation } from '#server/modules/review/items/read-report.ts'
import { countMatching } from '#server/modules/review/queue/count-queue.ts'
import { listDeskQueue } from '#server/modules/review/queue/list-queue.ts'
import { DeskFilter, DeskQueueInput } from '#server/modules/review/queue/schema.ts'
import { asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const WORD = 'quillfeather'
const VIEWS = ['waiting', 'reported', 'escalated', 'mine'] as const

async function staff(permissions: Permission[]): Promise<Ctx> {
  const { userId } = await make.user()
  return ctxOf(database, { kind: 'admin', userId, name: 'Moderator', rank: 600, permissions: new Set(permissions) })
}

/** A word that stands only in a private conversation, in what was reported there and dismissed, and in what was reported again. */
async function privateWord() {
  const { channelId } = await make.channel({ type: 'conversation' })
  const [author, reporter] = [await make.channelUser({ channelId }), await make.channelUser({ channelId })]
  const { messageId } = await make.message({ channelId, userId: author.userId, data: { text: `First ${WORD}` } })
  const reader = await staff(['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_CHANNELS', 'READ_CONVERSATIONS'])
  const report = () =>
    flag(ctxOf(database, asUser(reporter.userId)), flaggableMessage, { id: messageId, flag: { reason: 'spam' } })
  const subject = { subjectType: 'message', subjectId: messageId } as const
  await report()
  await openConversation(reader, { messageId, reason: 'Reported as a threat' })
  await decide(reader, { ...subject, outcome: 'dismissed' })
  await prisma.message.update({ where: { messageId }, data: { data: { text: `Then ${WORD}` } } })
  await report()
  await escalate(reader, { ...subject, kind: 'reported', note: 'Look at this' })
  return { subject, reader, authorId: author.userId }
}

/** All that the desk lists, finds, counts, previews and exports; what is refused says nothing. */
async function readAll(ctx: Ctx, { subject, authorId }: Awaited<ReturnType<typeof privateWord>>): Promise<string> {
  const page = PersonListInput.parse({ userId: authorId })
  const exported = async (filter: object) => {
    const key = Buffer.alloc(32)
    const link = await openQueueExport(ctx, key, QueueExportInput.parse(filter))
    return (await Array.fromAsync(await readQueueExport(async () => ctx, key, link))).join('')
  }
  const reads = [
    ...VIEWS.flatMap((view) => [
      () => listDeskQueue(ctx, DeskQueueInput.parse({ view })),
      () => listDeskQueue(ctx, DeskQueueInput.parse({ view, kind: 'message' })),
      () => exported({ view }),
    ]),
    () => listDeskQueue(ctx, DeskQueueInput.parse({ text: WORD })),
    () => exported({ text: WORD }),
    () => readItem(ctx, { ...subject, isReported: true }),
    () => readItem(ctx, { ...subject, isEscalated: true }),
    () => readEarlier(ctx, { ...subject, isReported: true }),
    () => searchDeskMessages(ctx, DeskMessagesInput.parse({ query: WORD })),
    () => findAnything(ctx, { query: WORD }),
    () => listAuditWithExcerpts(ctx, AuditInput.parse({})),
    () => listContent(ctx, page),
    () => listDecisionsAbout(ctx, page),
    () => listFlagsOn(ctx, page),
  ]
  const answers = await Promise.allSettled(reads.map((read) => read()))
  return JSON.stringify(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
}

test('a word that stands only in a private conversation is read by those who have opened it, and by nobody else', async () => {
  const word = await privateWord()
  const { userId: elsewhere } = await make.moderatorOf((await make.channel()).channelId)
  const others = {
    'may open it, and has not': await staff([
      'MANAGE_POST_AND_COMMENT',
      'BAN_USER',
      'VIEW_CHANNELS',
      'READ_CONVERSATIONS',
    ]),
    'may not read conversations': await staff(['MANAGE_POST_AND_COMMENT', 'BAN_USER', 'VIEW_CHANNELS']),
    'moderates another channel': ctxOf(database, asUser(elsewhere)),
    'reviews a community': ctxOf(database, await make.reviewerOf((await make.community()).communityId)),
  }
  for (const [who, ctx] of Object.entries(others)) {
    expect([who, (await readAll(ctx, word)).includes(WORD)]).toEqual([who, false])
    const { count } = await countMatching(ctx, DeskFilter.parse({ text: WORD }))
    expect([who, count]).toEqual([who, 0])
  }
  expect(await readAll(word.reader, word)).toContain(`First ${WORD}`)
})
