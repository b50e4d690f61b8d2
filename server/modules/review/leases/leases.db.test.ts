import { expect, onTestFinished, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { listLeases } from '#server/modules/review/leases/list-leases.ts'
import { releaseLease } from '#server/modules/review/leases/release-lease.ts'
import { renewLease, takeLease } from '#server/modules/review/leases/take-lease.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, asUser, clockAt, ctxOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { openStream } from '#server/testing/live-stream.ts'
import { scaled } from '#server/testing/scaled.ts'

const { database, prisma, make } = await testDatabase()
const NOT_FOUND = new DomainError('NOT_FOUND')
const CHANGED = new DomainError('CHANGED')

/** A held comment and two reviewers with the same clock. */
async function twoAtOneItem() {
  const { communityId, commentId } = await make.heldComment()
  const clock = clockAt('2026-11-20T12:00:00Z')
  const person = async () => ctxOf(database, await make.reviewerOf(communityId), { now: clock.now })
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  return { subject, communityId, clock, ana: await person(), ben: await person() }
}

test(`of ${scaled(20)} concurrent claims none has two holders, and the second caller learns who holds it`, async () => {
  const { ana, ben, communityId, clock } = await twoAtOneItem()
  const { userId } = await make.user()
  for (let round = 0; round < scaled(20); round += 1) {
    const { commentId } = await make.heldComment({ communityId, userId })
    const subject = { subjectType: 'comment' as const, subjectId: commentId }
    // Every second item has an expired lease left by a closed browser.
    if (round % 2) await takeLease({ ...ana, now: () => new Date(clock.now().getTime() - 120_000) }, subject)

    const taken = await Promise.all([takeLease(ana, subject), takeLease(ben, subject)])
    expect(taken.map(({ isMine }) => isMine).sort()).toEqual([false, true])
    const [holder, second] = taken[0].isMine ? [ana, taken[1]] : [ben, taken[0]]
    const lease = {
      ...subject,
      communityId,
      forMs: 120_000,
      holder: { userId: holderId(holder), displayName: 'Some one' },
    }
    expect(second).toEqual({ isMine: false, lease })
    expect(await listLeases(ben)).toContainEqual(lease)
  }
})

const holderId = ({ actor }: { actor: object }) => ('userId' in actor ? actor.userId : undefined)

test('an abandoned lease expires after two minutes and not before; a renewed one lasts longer', async () => {
  const { subject, clock, ana, ben } = await twoAtOneItem()
  const taken = await takeLease(ana, subject)
  if (!taken.isMine) throw new Error('the first one takes it')
  clock.advance(90_000)
  await renewLease(ana, { ...subject, token: taken.token })
  clock.advance(119_999)
  expect(await takeLease(ben, subject)).toMatchObject({ isMine: false, lease: { forMs: 1 } })
  clock.advance(1)
  expect(await takeLease(ben, subject)).toMatchObject({ isMine: true })
  await expect(renewLease(ana, { ...subject, token: taken.token })).rejects.toThrow(CHANGED)
})

test('a released lease is free at once; a lease now held by someone else is not released', async () => {
  const { subject, ana, ben } = await twoAtOneItem()
  const first = await takeLease(ana, subject)
  const elsewhere = await takeLease(ana, subject)
  if (!first.isMine || !elsewhere.isMine) throw new Error('it is her own in both windows')

  await releaseLease(ana, { ...subject, token: first.token })
  expect(await takeLease(ben, subject)).toMatchObject({ isMine: false })
  await releaseLease(ana, { ...subject, token: elsewhere.token })
  expect(await takeLease(ben, subject)).toMatchObject({ isMine: true })
})

test('nobody can lease, or list leases of, what they do not review', async () => {
  const { subject, ana } = await twoAtOneItem()
  await takeLease(ana, subject)
  const stranger = ctxOf(database, await make.reviewerOf((await make.community()).communityId))
  await expect(takeLease(stranger, subject)).rejects.toThrow(NOT_FOUND)
  expect(await listLeases({ ...stranger, now: ana.now })).toEqual([])
  await expect(takeLease(ana, { subjectType: 'post', subjectId: 'no such post' })).rejects.toThrow(NOT_FOUND)
  await expect(takeLease(ctxOf(database, asAdmin()), subject)).rejects.toThrow(new DomainError('FORBIDDEN'))
})

test('reported items can be leased by those who may review reports, in any space, and only they are notified', async () => {
  const { channelId } = await make.channel()
  const { messageId } = await make.message({ channelId })
  const subject = { subjectType: 'message' as const, subjectId: messageId }
  const moderator = async (space: string) => ctxOf(database, asUser((await make.moderatorOf(space)).userId))
  const [ana, ben, stranger] = [
    await moderator(channelId),
    await moderator(channelId),
    await moderator((await make.channel()).channelId),
  ]
  await expect(takeLease(ana, subject)).rejects.toThrow(NOT_FOUND)
  const { userId } = await make.channelUser({ channelId })
  await flag(ctxOf(database, asUser(userId)), flaggableMessage, { id: messageId, flag: { reason: 'Others' } })

  const taken = await takeLease(ana, subject)
  expect(taken.isMine).toBe(true)
  expect(await takeLease(ben, subject)).toMatchObject({ isMine: false, lease: { ...subject, channelId } })
  await expect(takeLease(stranger, subject)).rejects.toThrow(NOT_FOUND)
  expect(await listLeases(stranger)).toEqual([])
})

test('expired leases are cleared by later claims', async () => {
  const { communityId } = await make.community()
  // Older than all other leases in this file, because the oldest are cleared first.
  const clock = clockAt('2026-01-01T12:00:00Z')
  const ana = ctxOf(database, await make.reviewerOf(communityId), { now: clock.now })
  for (let count = 0; count < 5; count += 1) {
    const { commentId } = await make.heldComment({ communityId })
    await takeLease(ana, { subjectType: 'comment', subjectId: commentId })
  }
  clock.advance(120_000)
  const { commentId } = await make.heldComment({ communityId })
  await takeLease(ana, { subjectType: 'comment', subjectId: commentId })
  expect(await prisma.lease.count({ where: { holderId: String(holderId(ana)) } })).toBe(1)
})

test('clients that review the community are notified at once when a lease starts and ends', async () => {
  const api = await testApi(database)
  const { communityId, commentId } = await make.heldComment()
  const subject = { subjectType: 'comment' as const, subjectId: commentId }
  const signIn = async (space: string) =>
    api.signIn(await api.staff({ roleId: 'community-moderator', communityId: space }))
  const elsewhere = await make.heldComment()
  const [near, far] = await Promise.all([signIn(communityId), signIn(elsewhere.communityId)])
  const streams = await Promise.all([openStream(api.url, near), openStream(api.url, far)])
  for (const stream of streams) onTestFinished(stream.close)
  const leasesOf = (index: 0 | 1) =>
    streams[index]?.messages.flatMap((message) => (message.kind === 'lease' ? message.lease : []))
  await eventually('both clients are connected', () => streams.map(({ messages }) => messages[0]?.kind)).toEqual([
    'ready',
    'ready',
  ])

  const ana = ctxOf(database, await make.reviewerOf(communityId))
  const taken = await takeLease(ana, subject)
  if (!taken.isMine) throw new Error('nobody else looks at it')
  await renewLease(ana, { ...subject, token: taken.token })
  await eventually('the lease and its renewal arrive', () => leasesOf(0)).toHaveLength(2)
  // A client that connects now receives it too.
  const late = await openStream(api.url, near)
  onTestFinished(late.close)
  await eventually('the late client is connected', () => late.messages[0]).toMatchObject({
    kind: 'ready',
    leases: [{ ...subject, communityId }],
  })
  await releaseLease(ana, { ...subject, token: taken.token })

  const lease = { ...subject, communityId }
  const holder = { userId: holderId(ana), displayName: ana.actor.kind === 'user' && ana.actor.name }
  const held = { ...lease, holder, forMs: 120_000 }
  await eventually('the end of the lease arrives', () => leasesOf(0)).toEqual([held, held, { ...lease, forMs: 0 }])
  const theirs = { subjectType: 'comment' as const, subjectId: elsewhere.commentId }
  await takeLease(ctxOf(database, await make.reviewerOf(elsewhere.communityId)), theirs)
  await eventually('a lease there arrives, and no other', () => leasesOf(1)).toMatchObject([theirs])
})
