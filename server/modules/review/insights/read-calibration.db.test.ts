import { expect, test } from 'vitest'
import { decide, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { intervalOf, readCalibration } from '#server/modules/review/insights/read-calibration.ts'
import { CalibrationInput } from '#server/modules/review/insights/schema.ts'
import { asAdmin, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, prisma, make } = await testDatabase()
const DAY = '2026-11-20'
const now = () => new Date(`${DAY}T12:00:00Z`)
const inputOf = (communityId: string) => CalibrationInput.parse({ communityId, startDate: DAY, endDate: DAY })

async function scene() {
  const { communityId } = await make.community()
  const moderator = ctxOf(database, await make.reviewerOf(communityId), { now })
  const decided = async (
    score: number,
    outcome: 'approved' | 'rejected',
    { name = 'toxicity', measuredAt = now(), undoWindowMs = 10_000 } = {},
  ) => {
    const { commentId: subjectId } = await make.heldComment({ communityId, createdAt: now() })
    const subject = { subjectType: 'comment' as const, subjectId }
    await prisma.signal.create({ data: { ...subject, name, score, measuredAt, receivedAt: now() } })
    return { subject, ...(await decide({ ...moderator, undoWindowMs }, { ...subject, outcome })) }
  }
  return { communityId, moderator, decided }
}

test('says of each tenth of a signal what people decided, with what may be chance', async () => {
  const { communityId, moderator, decided } = await scene()
  for (const score of [0.9, 0.95, 1]) await decided(score, 'rejected')
  await decided(0.93, 'approved')
  for (const score of [0, 0.05]) await decided(score, 'approved')
  await decided(0.4, 'rejected', { name: 'spam' })

  expect(await readCalibration(moderator, inputOf(communityId))).toEqual({
    decisions: 7,
    isPartial: false,
    signals: [
      {
        name: 'toxicity',
        items: 6,
        bands: [
          { from: 0, approved: 2, rejected: 0, rejectedBetween: intervalOf(0, 2) },
          { from: 0.9, approved: 1, rejected: 3, rejectedBetween: intervalOf(3, 4) },
        ],
      },
      { name: 'spam', items: 1, bands: [{ from: 0.4, approved: 0, rejected: 1, rejectedBetween: intervalOf(1, 1) }] },
    ],
  })
})

test('leaves out undone decisions and scores of an earlier text, and counts a reversed approval as a rejection', async () => {
  const { communityId, moderator, decided } = await scene()
  await undoDecision(moderator, await decided(0.9, 'rejected'))
  const edited = await decided(0.9, 'rejected', { measuredAt: new Date(now().getTime() - 60_000) })
  await prisma.comment.update({ where: { commentId: edited.subject.subjectId }, data: { editedAt: now() } })
  const { subject, version } = await decided(0.85, 'approved', { undoWindowMs: 0 })
  await reverseDecision(moderator, { ...subject, version })
  const { signals } = await readCalibration(moderator, inputOf(communityId))
  expect(signals).toMatchObject([{ name: 'toxicity', items: 1, bands: [{ from: 0.8, approved: 0, rejected: 1 }] }])
})

test('is for those who see the figures of the community', async () => {
  const [own, other] = [await scene(), await scene()]
  await own.decided(0.9, 'rejected')
  expect(await readCalibration(other.moderator, inputOf(own.communityId)).catch(failureOf)).toBe('FORBIDDEN')
  const historian = ctxOf(database, asAdmin(['VIEW_HISTORY']))
  expect(await readCalibration(historian, inputOf(own.communityId))).toMatchObject({ signals: [{ items: 1 }] })
  expect(await readCalibration(historian, inputOf(other.communityId))).toMatchObject({ decisions: 0, signals: [] })
  expect(await readCalibration(historian, inputOf('nowhere')).catch(failureOf)).toBe('NOT_FOUND')
})

test('the interval is Wilson’s, also where all or none were rejected', () => {
  const rounded = (met: number, count: number) =>
    intervalOf(met, count).map((bound) => Math.round(bound * 1_000) / 1_000)
  expect(rounded(8, 10)).toEqual([0.49, 0.943])
  expect(rounded(0, 10)).toEqual([0, 0.278])
  expect(rounded(10, 10)).toEqual([0.722, 1])
})
