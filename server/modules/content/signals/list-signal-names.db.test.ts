import { expect, test } from 'vitest'
import { listSignalNames } from '#server/modules/content/signals/list-signal-names.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn } from '#server/testing/rules-on.ts'

const { database, make } = await testDatabase()
const { scene } = rulesOn(database)
const admin = ctxOf(database, asAdmin(['MANAGE_RULES', 'MANAGE_POST_AND_COMMENT']))

const scored = (type: 'comment' | 'post', id: string, ...names: string[]) =>
  recordSignals(admin, NewSignals.parse({ signals: names.map((name) => ({ type, id, name, score: 0.5 })) }))

test('lists the signals of public, held and decided content of the community, the most frequent first', async () => {
  const { communityId, moderator, postId, comment } = await scene()
  expect(await listSignalNames(moderator, { communityId })).toEqual([])
  await scored('post', postId, 'of.post')
  await scored('comment', (await comment('Text')).commentId, 'toxicity', 'of.public')
  const held = await make.heldComment({ communityId })
  await scored('comment', held.commentId, 'toxicity', 'of.held')
  const decided = await make.heldComment({ communityId })
  await scored('comment', decided.commentId, 'of.decided')
  await decide(moderator, { subjectType: 'comment', subjectId: decided.commentId, outcome: 'rejected' })
  const elsewhere = await scene()
  await scored('comment', (await elsewhere.comment('Text')).commentId, 'of.elsewhere')

  const ours = ['toxicity', 'of.decided', 'of.held', 'of.post', 'of.public']
  expect(await listSignalNames(moderator, { communityId })).toEqual(ours)
  expect(await listSignalNames(elsewhere.moderator, elsewhere)).toEqual(['of.elsewhere'])
  expect(await listSignalNames(admin, { communityId: null })).toEqual(
    expect.arrayContaining(['of.elsewhere', 'of.public', 'of.decided']),
  )
})

test('lists at most 50 names', async () => {
  const { communityId, moderator, postId } = await scene()
  await scored('post', postId, ...Array.from({ length: 60 }, (_, index) => `signal.${index}`))
  expect(await listSignalNames(moderator, { communityId })).toHaveLength(50)
})
