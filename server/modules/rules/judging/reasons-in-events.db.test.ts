import { expect, test } from 'vitest'
import { createDeliveries } from '#server/modules/integrations/webhooks/enqueue-deliveries.ts'
import { decide, restoreRejected } from '#server/modules/review/decisions/decide.ts'
import { asAdmin, asUser, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'

const { database, prisma } = await testDatabase()
const { scene } = rulesOn(database)

const FERRY = { kind: 'words', words: ['ferry'] }
const FOUND = [{ field: 'text', from: 4, to: 9 }]

const eventOf = (subjectId: string, name: string) => prisma.event.findFirst({ where: { subjectId, name } })

/** An endpoint that gets these events; none means all. */
async function endpoint(events: string[]): Promise<string> {
  const data = { url: 'https://example.com', events, secret: new Uint8Array() }
  return (await prisma.webhookEndpoint.create({ data })).endpointId
}

test.each([
  'approved',
  'rejected',
] as const)('the event of a comment and a post that are %s names the rules that held them', async (outcome) => {
  const { communityId, moderator, author, comment, running } = await scene()
  const { ruleId } = await running(FERRY, 'live', { name: 'Ferries', action: { type: 'hold', label: 'Boats' } })
  const { commentId } = await comment('The ferry runs')
  const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
  const input = { targetType: 'community', targetId: communityId, data: { text: 'The ferry runs' } }
  const postId = await writtenPost(asAuthor, input)
  await decide(moderator, { subjectType: 'comment', subjectId: commentId, outcome })
  await decide(moderator, { subjectType: 'post', subjectId: postId, outcome })
  const reviewReasons = [{ ruleId, version: 1, name: 'Ferries', label: 'Boats', found: FOUND }]
  const ofComment = { approved: 'v3.comment.didApprove', rejected: 'v3.comment.didDelete' }[outcome]
  const ofPost = { approved: 'v3.post.didApprove', rejected: 'v3.post.didDecline' }[outcome]
  expect(await eventOf(commentId, ofComment)).toMatchObject({ payload: { comments: [{ commentId, reviewReasons }] } })
  expect(await eventOf(postId, ofPost)).toMatchObject({ payload: { posts: [{ postId, reviewReasons }] } })
})

test('the events of a restored comment and of a reported one that is deleted name the rules, and others none', async () => {
  const { moderator, comment, running } = await scene()
  const { ruleId: rejecting } = await running(FERRY, 'live', { name: 'Ferries', action: { type: 'reject' } })
  const { ruleId: flagging } = await running({ kind: 'words', words: ['tram'] }, 'live', {
    name: 'Trams',
    action: { type: 'flag' },
  })
  const [rejected, flagged] = [await comment('The ferry runs'), await comment('The tram runs')]
  const subject = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })
  await restoreRejected(moderator, { ...subject(rejected.commentId), version: 1 })
  await decide(moderator, { ...subject(flagged.commentId), outcome: 'deleted' })
  const reasons = (ruleId: string) => ({
    payload: { comments: [{ reviewReasons: [{ ruleId, found: FOUND.map(() => expect.anything()) }] }] },
  })
  expect(await eventOf(rejected.commentId, 'v3.comment.didApprove')).toMatchObject(reasons(rejecting))
  expect(await eventOf(flagged.commentId, 'v3.comment.didDelete')).toMatchObject(reasons(flagging))

  const { commentId } = await prisma.comment.update({
    where: { commentId: (await comment('Nothing')).commentId },
    data: { approvalStatus: 'pending', queuedAt: new Date() },
  })
  await decide(moderator, { ...subject(commentId), outcome: 'approved' })
  const plain = await eventOf(commentId, 'v3.comment.didApprove')
  expect(JSON.stringify(plain?.payload)).not.toContain('reviewReasons')
})

test('what is held is published by its id and its rules to endpoints that name the event, and stored for nobody else', async () => {
  const { communityId, author, comment, running } = await scene()
  const { ruleId } = await running(FERRY, 'live', { name: 'Boats', action: { type: 'hold', label: 'Label' } })
  const before = await comment('The ferry runs')
  expect(await eventOf(before.commentId, 'v3.comment.didHold')).toBeNull()

  const everything = await endpoint([])
  const naming = await endpoint(['v3.comment.didHold', 'v3.post.didHold'])
  const { commentId } = await comment('The ferry runs')
  const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
  const postId = await writtenPost(asAuthor, {
    targetType: 'community',
    targetId: communityId,
    data: { text: 'The ferry' },
  })
  const rules = [{ ruleId, version: 1, name: 'Boats', label: 'Label' }]
  const held = await eventOf(commentId, 'v3.comment.didHold')
  expect(held).toMatchObject({ isDeskOnly: false, state: 'released' })
  expect(held?.payload).toEqual({ commentId, communityId, rules })
  expect((await eventOf(postId, 'v3.post.didHold'))?.payload).toEqual({ postId, communityId, rules })

  const { seq } = await prisma.event.update({ where: { eventId: held?.eventId ?? 0n }, data: { seq: 1_000_000n } })
  await createDeliveries(ctxOf(database, asAdmin()), [String(seq)])
  const deliveries = await prisma.delivery.findMany({ where: { subjectId: commentId } })
  expect(deliveries).toMatchObject([{ endpointId: naming, eventName: 'v3.comment.didHold' }])
  expect(deliveries.map(({ endpointId }) => endpointId)).not.toContain(everything)
})
