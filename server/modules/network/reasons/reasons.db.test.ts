import { expect, test } from 'vitest'
import { addReason, archiveReason, changeReason, orderReasons } from '#server/modules/network/reasons/change-reasons.ts'
import { listReasons } from '#server/modules/network/reasons/list-reasons.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const admin = ctxOf(database, asAdmin(['MANAGE_NETWORK_SETTINGS']))
const labels = async () => (await listReasons(admin)).map(({ label }) => label)

test('a new network has nine reasons, one for each digit', async () => {
  expect(await listReasons(admin)).toHaveLength(9)
})

test('adds, rewords, orders and removes reasons, each with its entry in the log', async () => {
  const added = await addReason(admin, { label: 'Off topic', textToAuthor: 'Please stay with the subject.' })
  const own = added.at(-1)
  expect(own).toMatchObject({ label: 'Off topic', textToAuthor: 'Please stay with the subject.' })
  const reasonId = own?.reasonId ?? ''

  await changeReason(admin, { reasonId, label: 'Elsewhere' })
  expect((await listReasons(admin)).at(-1)).toEqual({ reasonId, label: 'Elsewhere' })

  const reversed = (await listReasons(admin)).map((reason) => reason.reasonId).reverse()
  await orderReasons(admin, { reasonIds: reversed })
  expect((await labels())[0]).toBe('Elsewhere')
  expect(await orderReasons(admin, { reasonIds: reversed.slice(1) }).catch(failureOf)).toBe('CHANGED')

  await archiveReason(admin, { reasonId })
  expect(await labels()).not.toContain('Elsewhere')
  expect(await archiveReason(admin, { reasonId }).catch(failureOf)).toBe('NOT_FOUND')
  const log = await database.prisma.audit.findMany({ where: { subjectType: 'reason' }, orderBy: { auditId: 'asc' } })
  expect(log.map(({ action }) => action)).toEqual([
    'reason.added',
    'reason.changed',
    'reason.ordered',
    'reason.archived',
  ])
})

test('rejects changes by people who may not manage settings', async () => {
  const moderator = ctxOf(database, asAdmin())
  expect(await addReason(moderator, { label: 'x' }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await listReasons(moderator)).not.toEqual([])
})

test('a decision without its own words takes those of the managed reason, and rejects an unknown reason', async () => {
  const { commentId, communityId } = await make.heldComment()
  const ctx = ctxOf(database, await make.reviewerOf(communityId))
  const subject = { subjectType: 'comment', subjectId: commentId } as const
  expect(await decide(ctx, { ...subject, outcome: 'rejected', reasonId: 'none' }).catch(failureOf)).toBe(
    'INVALID_PARAMETERS',
  )
  await decide(ctx, { ...subject, outcome: 'rejected', reasonId: 'spam' })
  expect(await database.prisma.decision.findFirst({ where: { subjectId: commentId } })).toMatchObject({
    reasonId: 'spam',
    reason: 'Spam or scams',
  })
})
