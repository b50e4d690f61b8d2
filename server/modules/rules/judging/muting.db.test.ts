import { expect, test } from 'vitest'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { judgeSignals } from '#server/modules/content/signals/judge-signals.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { readPerson } from '#server/modules/people/read-person.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import { readRuleRecord } from '#server/modules/review/rule-records/read-record.ts'
import { RuleRecordInput } from '#server/modules/review/rule-records/schema.ts'
import { communitySpace } from '#server/modules/spaces/communities/community-space.ts'
import { muteUsers } from '#server/modules/spaces/sanctions/mute-users.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'

const { database, prisma, make } = await testDatabase()
const { scene: sceneOfRules } = rulesOn(database)

const MINUTE_MS = 60_000
const FERRY = { kind: 'words', words: ['ferry'] }
const TOXIC = { kind: 'signal', name: 'toxicity', atLeast: 0.8 }
const muting = (muteMinutes: number, type = 'hold') => ({ name: 'Ferries', action: { type, muteMinutes } })

async function scene() {
  const made = await sceneOfRules()
  const { communityId, author } = made
  const member = () => prisma.communityUser.findFirstOrThrow({ where: { communityId, userId: author.userId } })
  const mutes = () => prisma.mute.findMany({ where: { communityId }, orderBy: { muteId: 'asc' } })
  const muteBy = (ctx: typeof made.moderator, mutePeriod: number) =>
    muteUsers(ctx, communitySpace, { spaceId: communityId, userIds: [author.userId], mutePeriod })
  return { ...made, member, mutes, muteBy }
}

const onPost = (postId: string, text: string) => ({ referenceType: 'post', referenceId: postId, data: { text } })
const itemOf = (subjectId: string) => ({ subjectType: 'comment' as const, subjectId })

test('a live rule holds a comment and mutes its author for its time, as log, event and item say', async () => {
  const { communityId, postId, author, moderator, comment, running, member, mutes } = await scene()
  const { ruleId } = await running(FERRY, 'live', muting(60))
  const writtenAt = new Date()
  const asAuthor = ctxOf(database, asUser(author.userId), { now: () => writtenAt })
  const commentId = await writtenComment(asAuthor, onPost(postId, 'The ferry runs'))
  expect(await prisma.comment.findUnique({ where: { commentId } })).toMatchObject({ approvalStatus: 'pending' })

  const { muteTimeout } = await member()
  expect(muteTimeout).toEqual(new Date(writtenAt.getTime() + 60 * MINUTE_MS))
  expect(await mutes()).toMatchObject([
    {
      userId: author.userId,
      mutedBy: ruleId,
      ruleVersion: 1,
      subjectType: 'comment',
      subjectId: commentId,
      endsAt: muteTimeout,
    },
  ])
  await expect(comment('The boat runs')).rejects.toMatchObject({ code: 'MUTED' })

  const log = await prisma.audit.findMany({ where: { communityId, action: 'community.userMuted' } })
  expect(log).toMatchObject([
    { subjectId: author.userId, actorId: 'rules', after: { commentId, rules: [{ ruleId, version: 1 }] } },
  ])
  const events = await prisma.event.findMany({ where: { subjectId: communityId, name: 'desk.community.didMuteUsers' } })
  expect(events).toMatchObject([{ isDeskOnly: true }])
  expect(await readItem(moderator, itemOf(commentId))).toMatchObject({
    mute: { endsAt: muteTimeout?.toISOString(), rule: 'Ferries', mayEnd: true },
  })
  const { mutes: shown } = await readPerson(moderator, { userId: author.userId })
  expect(shown.items).toMatchObject([{ by: { displayName: 'Ferries' }, mayLift: true }])
  await prisma.communityUser.updateMany({ where: { userId: author.userId }, data: { membership: 'none' } })
  expect(await readItem(moderator, itemOf(commentId))).toMatchObject({ mute: { mayEnd: false } })
})

test('ending it by hand names rule and version in the log, and counts as overturned in the record until that is undone', async () => {
  const { communityId, moderator, comment, running, muteBy, member } = await scene()
  const { ruleId } = await running(FERRY, 'live', muting(60))
  const { commentId } = await comment('The ferry runs')
  await muteBy(moderator, 0)
  expect((await member()).muteTimeout).toBeNull()
  const log = await prisma.audit.findMany({ where: { communityId, action: 'community.userUnmuted' } })
  expect(log).toMatchObject([{ actorKind: 'user', before: { rules: [{ ruleId, version: 1 }] } }])
  expect(await readItem(moderator, itemOf(commentId))).not.toHaveProperty('mute')

  const record = async () => (await readRuleRecord(moderator, RuleRecordInput.parse({ ruleId }))).counts?.live
  expect(await record()).toMatchObject({ approved: 1, rejected: 0 })
  await muteBy(moderator, 60 * MINUTE_MS)
  expect(await record()).toMatchObject({ approved: 0, rejected: 0 })
  await decide(moderator, { ...itemOf(commentId), outcome: 'rejected' })
  expect(await record()).toMatchObject({ approved: 0, rejected: 1 })
})

test('mutes for what it rejects, for posts and for edits, by the longest of several terms', async () => {
  const rejecting = await scene()
  await rejecting.running(FERRY, 'live', muting(60, 'reject'))
  expect((await rejecting.comment('The ferry runs')).approvalStatus).toBe('rejected')
  expect(await rejecting.mutes()).toHaveLength(1)

  const { communityId, author, comment, running, mutes } = await scene()
  const { commentId } = await comment('The boat runs')
  await running(FERRY, 'live', muting(5))
  const longest = await running(FERRY, 'live', muting(30 * 24 * 60))
  await running(FERRY, 'shadow', muting(24 * 60))
  await running(FERRY, 'live', muting(24 * 60, 'highlight'))
  const asAuthor = ctxOf(database, asUser(author.userId), { source: 'rest' })
  await editComment(asAuthor, { commentId, data: { text: 'The ferry runs' } })
  expect(await mutes()).toMatchObject([{ mutedBy: longest.ruleId, subjectId: commentId }])

  const posts = await scene()
  await posts.running(FERRY, 'live', muting(5))
  const postId = await writtenPost(ctxOf(database, asUser(posts.author.userId)), {
    targetType: 'community',
    targetId: posts.communityId,
    data: { text: 'The ferry runs' },
  })
  expect(await posts.mutes()).toMatchObject([{ subjectType: 'post', subjectId: postId }])
  expect(communityId).not.toBe(posts.communityId)
})

test('a late score mutes once, and not again after somebody ended the mute', async () => {
  const { moderator, comment, running, mutes, muteBy } = await scene()
  await running(TOXIC, 'live', muting(60))
  const { commentId } = await comment('The ferry runs')
  for (const seconds of [1, 2]) {
    const measuredAt = new Date(Date.now() + seconds * 1_000).toISOString()
    const signals = [{ type: 'comment', id: commentId, name: 'toxicity', score: 1, measuredAt }]
    await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
    while (await judgeSignals(systemCtx(database)));
    expect(await mutes()).toHaveLength(1)
    await muteBy(moderator, 0)
  }
})

test('a mute that ends later stays as it is, and a shorter one is replaced', async () => {
  const longer = await scene()
  await longer.comment('The boat runs')
  const { commentId } = await longer.comment('The boat runs')
  await longer.running(TOXIC, 'live', muting(60))
  await longer.muteBy(longer.moderator, 120 * MINUTE_MS)
  const before = await longer.member()
  const signals = [{ type: 'comment', id: commentId, name: 'toxicity', score: 1 }]
  await recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
  while (await judgeSignals(systemCtx(database)));
  expect(await longer.member()).toEqual(before)
  expect(await longer.mutes()).toMatchObject([{ ruleVersion: null, liftedAt: null }])

  const shorter = await scene()
  const written = await shorter.comment('The boat runs')
  const { ruleId } = await shorter.running(TOXIC, 'live', muting(60))
  await shorter.muteBy(shorter.moderator, 5 * MINUTE_MS)
  await recordSignals(
    ctxOf(database, asAdmin()),
    NewSignals.parse({ signals: [{ type: 'comment', id: written.commentId, name: 'toxicity', score: 1 }] }),
  )
  while (await judgeSignals(systemCtx(database)));
  expect(await shorter.mutes()).toMatchObject([
    { ruleVersion: null, liftedBy: ruleId },
    { mutedBy: ruleId, liftedAt: null },
  ])
  const { mutes: shown } = await readPerson(shorter.moderator, { userId: shorter.author.userId })
  expect(shown.items).toMatchObject([{ by: { displayName: 'Ferries' } }, { liftedBy: { displayName: 'Ferries' } }])
})

test('spares people who review anywhere, and those who rank as moderators there do', async () => {
  const { communityId, postId, running, mutes } = await scene()
  await running(FERRY, 'live', muting(60))
  const elsewhere = await make.community()
  const reviewer = await make.user()
  await make.member({ communityId, userId: reviewer.userId })
  await make.member({ communityId: elsewhere.communityId, userId: reviewer.userId, roles: ['community-moderator'] })
  const commentId = await writtenComment(ctxOf(database, asUser(reviewer.userId)), onPost(postId, 'The ferry runs'))
  expect(await prisma.comment.findUnique({ where: { commentId } })).toMatchObject({ approvalStatus: 'pending' })
  expect(await mutes()).toEqual([])
})

test('of comments that mute their author at the same time each is written, and one mute is in force', async () => {
  const { communityId, postId, author, running, member, mutes } = await scene()
  await running(FERRY, 'live', muting(60))
  const start = Date.now()
  const write = (index: number) => {
    const now = () => new Date(start + index * 1_000)
    return writtenComment(ctxOf(database, asUser(author.userId), { now }), onPost(postId, `The ferry runs ${index}`))
  }
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query('select from community_user where community_id = $1 and user_id = $2 for update', [
    communityId,
    author.userId,
  ])
  const writing = Promise.all([1, 2, 3].map(write))
  await eventually('three comments wait for the member’s row', lockWaiters).toBe(3)
  await other.query('rollback')
  other.release()

  expect(await writing).toHaveLength(3)
  const inForce = (await mutes()).filter(({ liftedAt }) => liftedAt === null)
  expect(inForce).toMatchObject([{ endsAt: (await member()).muteTimeout }])
})

/** How many statements wait for a lock. */
async function lockWaiters(): Promise<number> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await database.pool.query(waiting)).rowCount ?? 0
}
