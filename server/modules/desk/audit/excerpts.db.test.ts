import { expect, test } from 'vitest'
import { listAuditWithExcerpts, readEntryWithExcerpt } from '#server/modules/desk/audit/list-with-excerpts.ts'
import { AuditInput } from '#server/modules/ledger/audit/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()

test('the log names a comment by its author and the beginning of its text, as long as it exists', async () => {
  const { communityId } = await make.community()
  const author = await make.user({ displayName: 'Pat Poe' })
  const held = await make.heldComment({ communityId, userId: author.userId, data: { text: 'word '.repeat(50) } })
  const decision = { subjectType: 'comment' as const, subjectId: held.commentId, version: held.version }
  await decide(ctxOf(database, await make.reviewerOf(communityId)), { ...decision, outcome: 'approved' })

  const historian = ctxOf(database, asAdmin(['VIEW_HISTORY']))
  const input = AuditInput.parse({ subjectId: held.commentId })
  const [entry] = (await listAuditWithExcerpts(historian, input)).items
  expect(entry?.subject).toMatchObject({
    id: held.commentId,
    author: 'Pat Poe',
    excerpt: expect.stringMatching(/^word .*…$/),
  })
  const details = await readEntryWithExcerpt(historian, { auditId: entry?.auditId ?? '' })
  expect(details.subject).toEqual(entry?.subject)

  await database.prisma.comment.delete({ where: { commentId: held.commentId } })
  const [erased] = (await listAuditWithExcerpts(historian, input)).items
  expect(erased?.subject).toEqual({ type: 'comment', id: held.commentId })
  expect(await listAuditWithExcerpts(ctxOf(database, asAdmin(['VIEW_USERS'])), input).catch(({ code }) => code)).toBe(
    'FORBIDDEN',
  )
})
