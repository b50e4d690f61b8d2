import { expect, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { lookAt } from '#server/modules/review/look/look-at.ts'
import { LookInput } from '#server/modules/review/look/schema.ts'
import { ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const comment = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })
const leased = async (subjectId: string) => (await database.prisma.lease.count({ where: { subjectId } })) === 1

test('moves the lease to the opened item, reads the next items ahead, and counts on request', async () => {
  const first = await make.heldComment({})
  const communityId = first.communityId ?? ''
  const [second, third, foreign] = [
    await make.heldComment({ communityId }),
    await make.heldComment({ communityId }),
    await make.heldComment({}),
  ]
  const ctx = ctxOf(database, await make.reviewerOf(communityId))

  const { lease, counts } = await lookAt(ctx, LookInput.parse({ subject: comment(first.commentId) }))
  expect([lease, counts]).toMatchObject([{ isMine: true }, undefined])
  const token = lease.isMine ? lease.token : ''

  const look = await lookAt(
    ctx,
    LookInput.parse({
      subject: comment(second.commentId),
      instead: { ...comment(first.commentId), token },
      ahead: [comment(third.commentId), comment(foreign.commentId)],
      counts: { since: new Date().toISOString(), filter: { communityId, text: 'Some' } },
    }),
  )
  expect(look.lease).toMatchObject({ isMine: true })
  expect([await leased(first.commentId), await leased(second.commentId)]).toEqual([false, true])
  expect(look.ahead).toMatchObject([{ item: { subjectId: third.commentId } }, null])
  expect(look.counts).toMatchObject({ all: { total: 3 }, ownDay: { decided: 0 }, matching: { count: 3 } })

  const rejected = lookAt(ctx, LookInput.parse({ subject: comment(foreign.commentId) }))
  expect(await rejected.catch((error) => error instanceof DomainError && error.code)).toBe('NOT_FOUND')
})
