import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Actor, Ctx } from '#server/core/ctx.ts'
import { keyFor } from '#server/core/secret.ts'
import { endSessionsOf } from '#server/modules/accounts/access/end-sessions.ts'
import { flag } from '#server/modules/content/flags/flag.ts'
import { flaggableUser } from '#server/modules/content/flags/flaggable-user.ts'
import { deleteMessage } from '#server/modules/content/messages/delete-message.ts'
import { flaggableMessage } from '#server/modules/content/messages/flaggable-message.ts'
import { type NewEvent, recordEvent } from '#server/modules/ledger/events/record-event.ts'
import type { LiveMessage } from '#server/modules/live/schema.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { testApi } from '#server/testing/api.ts'
import { asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { type LiveStream, openStream } from '#server/testing/live-stream.ts'
import { sequenceBatch, startSequencer } from '#server/worker/sequencer.ts'

const { database, prisma, pool, make } = await testDatabase()
// Two processes as far as the database knows: they share nothing but the database.
const [here, there] = [await testApi(database), await testApi(database)]
const system = systemCtx(database)
const key = keyFor('a secret for tests, long enough to be one', 'audit')

async function sealAll(): Promise<void> {
  do await sequenceBatch(system, key)
  while ((await prisma.event.count({ where: { seq: null } })) > 0)
}

/** A client that receives events, once it is subscribed. */
async function deskOf(cookie: string, { since, api = here }: { since?: number; api?: typeof here } = {}) {
  const stream = await openStream(api.url, cookie, since === undefined ? {} : { since })
  onTestFinished(stream.close)
  await eventually('the stream is ready', () => kinds(stream)).toContain('ready')
  return stream
}

async function moderator(communityId?: string) {
  const space = communityId ?? (await make.community()).communityId
  const person = await here.staff({ roleId: 'community-moderator', communityId: space })
  return { ...person, communityId: space, cookie: await here.signIn(person) }
}

const kinds = ({ messages }: LiveStream) => messages.map(({ kind }) => kind)
const eventsOf = ({ messages }: { messages: LiveMessage[] }) => messages.filter((message) => message.kind === 'event')
const subjectsOf = (stream: LiveStream) => eventsOf(stream).map(({ subjectId }) => subjectId)
const decideAs = (actor: Actor, subjectId: string, over: Partial<Ctx> = {}) =>
  decide(ctxOf(database, actor, over), { subjectType: 'comment', subjectId, outcome: 'approved' })
const happen = (communityId: string, subjectId: string, name: NewEvent['name'] = 'desk.comment.didHold') =>
  recordEvent(system, { name, subjectType: 'comment', subjectId, communityId, payload: {}, isDeskOnly: true })

describe('a client receives', () => {
  test('decisions and undos where it reviews, in order, by id and without any text', async () => {
    const { communityId, cookie } = await moderator()
    const { commentId } = await make.heldComment({ communityId, data: { text: 'Words that are nobody’s business' } })
    const colleague = await make.reviewerOf(communityId)
    const stream = await deskOf(cookie)

    const decided = await decideAs(colleague, commentId)
    await undoDecision(ctxOf(database, colleague), decided)
    await sealAll()

    await eventually('both events have arrived', () => eventsOf(stream).length).toBe(2)
    const [approved, undone] = eventsOf(stream)
    expect(approved).toEqual({
      kind: 'event',
      seq: expect.any(Number),
      name: 'v3.comment.didApprove',
      subjectType: 'comment',
      subjectId: commentId,
      communityId,
    })
    expect(undone).toMatchObject({ name: 'desk.comment.didUndo', seq: (approved?.seq ?? 0) + 1 })
  })

  test('nothing from communities it does not review, and events about people only if they are its own user', async () => {
    const { communityId, cookie, userId } = await moderator()
    const elsewhere = (await make.community()).communityId
    const stream = await deskOf(cookie)
    const member = (subjectId: string) =>
      recordEvent(system, { name: 'desk.user.x', subjectType: 'user', subjectId, payload: {}, isDeskOnly: true })

    await happen(elsewhere, 'of another community')
    await happen(communityId, 'a post, in name only', 'v3.comment.didCreate')
    await recordEvent(system, {
      name: 'desk.message.x',
      subjectType: 'message',
      subjectId: 'a message',
      communityId,
      payload: {},
      isDeskOnly: true,
    })
    await member('somebody else')
    await member(userId)
    await happen(communityId, 'mine')
    await sealAll()

    await eventually('the last event has arrived', () => subjectsOf(stream).at(-1)).toBe('mine')
    expect(subjectsOf(stream)).toEqual(['a post, in name only', userId, 'mine'])
  })

  test('reports of messages and people it may review, and of conversations only if it may open them', async () => {
    const { cookie, userId } = await moderator()
    const { channelId } = await make.channel()
    await make.channelUser({ channelId, userId, roles: ['channel-moderator'] })
    const signIn = async (roleId: string) => here.signIn(await here.staff({ roleId }))
    const [local, network, everything, stranger] = await Promise.all([
      deskOf(cookie),
      signIn('moderator').then((session) => deskOf(session)),
      signIn('global-admin').then((session) => deskOf(session)),
      moderator().then((other) => deskOf(other.cookie)),
    ])
    const conversation = await make.channel({ type: 'conversation' })
    const [said, whispered] = await Promise.all([
      make.message({ channelId }),
      make.message({ channelId: conversation.channelId }),
    ])
    const member = async (space: string) =>
      ctxOf(database, asUser((await make.channelUser({ channelId: space })).userId))
    const given = { reason: 'Others' }
    const unflagged = await make.message({ channelId })
    await deleteMessage(ctxOf(database, asUser(unflagged.userId)), { messageId: unflagged.messageId, permanent: false })
    await flag(await member(channelId), flaggableMessage, { id: said.messageId, flag: given })
    await flag(await member(conversation.channelId), flaggableMessage, { id: whispered.messageId, flag: given })
    const reported = await make.user()
    await flag(await member(channelId), flaggableUser, { id: reported.userId, flag: given })
    await sealAll()

    const all = [said.messageId, whispered.messageId, reported.userId]
    await eventually('an admin receives all', () => subjectsOf(everything)).toEqual(all)
    await eventually('a moderator of the network receives theirs', () => subjectsOf(network)).toEqual([
      said.messageId,
      reported.userId,
    ])
    await eventually('a moderator of the channel receives theirs', () => subjectsOf(local)).toEqual([said.messageId])
    expect(eventsOf(local)).toMatchObject([{ name: 'message.didFlag', subjectType: 'message', channelId }])
    expect(subjectsOf(stranger)).toEqual([])
  })

  test('events from every process on the database', async () => {
    const { communityId, cookie } = await moderator()
    const streams = await Promise.all([deskOf(cookie), deskOf(cookie, { api: there })])
    await happen(communityId, 'one')
    await sealAll()
    for (const stream of streams)
      await eventually('each process sends the event', () => subjectsOf(stream)).toEqual(['one'])
  })

  test('a stream that no proxy buffers and nothing compresses', async () => {
    const { cookie } = await moderator()
    const { headers, status } = await deskOf(cookie)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('cache-control')).toContain('no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })
})

describe('a reconnecting client', () => {
  test('receives what it missed, once and in order, while new events keep coming', async () => {
    const { communityId, cookie } = await moderator()
    const streams = [await deskOf(cookie)]
    const sequencer = startSequencer(system, key)
    const written: string[] = []
    let isOver = false
    onTestFinished(async () => {
      isOver = true
      await sequencer.stop()
    })
    const writing = (async () => {
      while (!isOver) {
        await happen(communityId, `event-${written.length}`)
        written.push(`event-${written.length}`)
      }
    })()

    // The connection breaks again and again, and resumes at the other process where it broke.
    for (let turn = 0; turn < 10; turn += 1) {
      const last = streams.at(-1)
      await eventually('the stream is in the middle of events', () => last && subjectsOf(last).length).toBeGreaterThan(
        turn,
      )
      last?.close()
      await last?.ended
      const since = last?.messages.at(-1)?.seq ?? 0
      streams.push(await openStream(turn % 2 ? here.url : there.url, cookie, { since }))
    }
    isOver = true
    await writing
    await sequencer.stop()
    await sealAll()

    const all = () => streams.flatMap(subjectsOf)
    await eventually('the last event has arrived', () => all().at(-1)).toBe(written.at(-1))
    expect(all()).toEqual(written)
    streams.at(-1)?.close()
  })

  test('refetches everything if it missed too much, or if the database was replaced', async () => {
    const { communityId, cookie } = await moderator()
    await sealAll()
    const stream = await deskOf(cookie)
    const since = stream.messages.at(-1)?.seq ?? 0
    stream.close()
    await pool.query(
      `insert into event (name, is_desk_only, subject_type, subject_id, community_id, payload, state, created_at, releases_at)
       select 'desk.comment.didHold', true, 'comment', 'many-' || n, $1, '{}', 'released', now(), now() from generate_series(1, 5001) n`,
      [communityId],
    )
    await sealAll()

    const back = await deskOf(cookie, { since })
    expect(kinds(back)).toEqual(['reset', 'ready'])
    expect(kinds(await deskOf(cookie, { since: 999_999_999 }))).toEqual(['reset', 'ready'])
    expect(kinds(await deskOf(cookie, { since: since + 4_000 }))).toEqual([...Array(1_001).fill('event'), 'ready'])
  })

  test('misses nothing when the server closes the listening connection, which is opened again', async () => {
    const { communityId, cookie } = await moderator()
    const stream = await deskOf(cookie)
    const cut = await pool.query(
      // Its last statement is "listen", or the empty one by which it asks whether the server still answers.
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (query like 'listen %' or query = 'select')`,
    )
    expect(cut.rowCount).toBeGreaterThan(0)
    await happen(communityId, 'while nobody listened')
    await sealAll()
    await eventually('the event has arrived', () => subjectsOf(stream)).toEqual(['while nobody listened'])
    // Leases are sent again, because this connection alone receives their changes.
    await eventually('leases are sent again', () => kinds(stream).filter((kind) => kind === 'ready')).toHaveLength(2)
  })
})

describe('a stream ends', () => {
  const ways: [string, (person: Awaited<ReturnType<typeof moderator>>) => Promise<unknown>][] = [
    [
      'its account is switched off',
      ({ staffId }) => prisma.staffAccount.update({ where: { id: staffId }, data: { isDisabled: true } }),
    ],
    ['its session is ended', ({ staffId }) => prisma.staffSession.deleteMany({ where: { userId: staffId } })],
    [
      'its person is banned from the network',
      ({ userId }) => prisma.user.update({ where: { userId }, data: { isGlobalBan: true } }),
    ],
    [
      'its roles become none',
      ({ userId }) => prisma.communityUser.updateMany({ where: { userId }, data: { roles: [] } }),
    ],
  ]
  test.each(ways)('when %s', async (_, end) => {
    const person = await moderator()
    const [stream, other] = await Promise.all([deskOf(person.cookie), moderator().then(({ cookie }) => deskOf(cookie))])
    await end(person)
    expect(await stream.ended).toBe('returned')
    expect(await Promise.race([other.ended, Promise.resolve('open')])).toBe('open')
  })

  test('when its session ended as it began, before any check', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => moderator()))
    const streams = await Promise.all(people.map(({ cookie }) => deskOf(cookie)))
    await prisma.staffSession.deleteMany({ where: { userId: { in: people.map(({ staffId }) => staffId) } } })
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(Array(10).fill('returned'))
  })

  test('but one whose person now reviews other spaces continues with those, and refetches', async () => {
    const { communityId, cookie, userId } = await moderator()
    const added = (await make.community()).communityId
    const stream = await deskOf(cookie)
    await prisma.$transaction([
      prisma.communityUser.create({
        data: { communityId: added, userId, membership: 'member', roles: ['community-moderator'] },
      }),
      prisma.communityUser.update({ where: { communityId_userId: { communityId, userId } }, data: { roles: [] } }),
    ])
    await eventually('the stream has begun again', () => kinds(stream)).toEqual(['ready', 'reset', 'ready'])
    await happen(communityId, 'of before')
    await happen(added, 'of now')
    await sealAll()
    await eventually('the last event has arrived', () => subjectsOf(stream)).toEqual(['of now'])
  })
})

describe('events after a role was removed', () => {
  test('reach no former holder, not even the very next event', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => moderator()))
    const streams = await Promise.all(people.map(({ cookie }) => deskOf(cookie)))
    const network = await deskOf(await here.signIn(await here.staff({ roleId: 'moderator' })))
    for (const { communityId, userId } of people) {
      await prisma.communityUser.update({
        where: { communityId_userId: { communityId, userId } },
        data: { roles: [] },
      })
      await happen(communityId, `after ${userId}`)
      await sealAll()
    }
    await eventually('somebody else receives all', () => subjectsOf(network)).toEqual(
      people.map(({ userId }) => `after ${userId}`),
    )
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => 'returned'))
    expect(streams.flatMap(subjectsOf)).toEqual([])
  })

  test('are not replayed either to a former holder who reconnects', async () => {
    const { communityId, userId, cookie } = await moderator()
    const other = (await make.community()).communityId
    await make.member({ communityId: other, userId, roles: ['community-moderator'] })
    const stream = await deskOf(cookie)
    const since = stream.messages.at(-1)?.seq ?? 0
    stream.close()
    await prisma.communityUser.update({ where: { communityId_userId: { communityId, userId } }, data: { roles: [] } })
    await happen(communityId, 'not theirs any more')
    await happen(other, 'theirs')
    await sealAll()
    expect(subjectsOf(await deskOf(cookie, { since }))).toEqual(['theirs'])
  })
})

describe('rejects a stream', () => {
  const endOf = async (cookie: string) => (await openStream(here.url, cookie)).ended

  test('without a session, or with one that reviews nothing', async () => {
    const support = await here.staff({ roleId: 'support' })
    expect(await endOf('')).toBe('UNAUTHORIZED')
    expect(await endOf('docket.session_token=made.up')).toBe('UNAUTHORIZED')
    expect(await endOf(await here.signIn(support))).toBe('FORBIDDEN')
  })

  test('as the thirteenth of one session; another session of the same person is accepted', async () => {
    const person = await moderator()
    for (let count = 0; count < 12; count += 1) await deskOf(person.cookie)
    expect(await endOf(person.cookie)).toBe('TOO_MANY_REQUESTS')
    await deskOf(await here.signIn(person))
  })

  test('from an invalid position', async () => {
    const { cookie } = await moderator()
    const answer = await fetch(`${here.url}/api/trpc/live.events`, {
      headers: { cookie, 'last-event-id': randomUUID() },
    })
    expect(await answer.text()).toContain('UNPROCESSABLE_CONTENT')
  })
})

test('reviewers of any community learn of changes to rules, queues and policies of the network and to shared views, others of those of their own', async () => {
  const [reviewer, elsewhere] = [await moderator(), await moderator()]
  const [stream, streamElsewhere] = [await deskOf(reviewer.cookie), await deskOf(elsewhere.cookie)]
  const types = {
    'desk.rule.didChange': 'rule',
    'desk.namedQueue.didChange': 'namedQueue',
    'desk.views.didChange': 'view',
    'desk.policy.didChange': 'policy',
  }
  const changed = (name: keyof typeof types, communityId: string | null) => {
    const subjectType = types[name]
    const subjectId = `${subjectType} of ${communityId ?? 'the network'}`
    return recordEvent(system, { name, subjectType, subjectId, communityId, payload: {}, isDeskOnly: true })
  }
  await changed('desk.rule.didChange', reviewer.communityId)
  await changed('desk.rule.didChange', null)
  await changed('desk.namedQueue.didChange', null)
  await changed('desk.views.didChange', null)
  await changed('desk.policy.didChange', null)
  await sealAll()
  const ofNetwork = ['rule', 'namedQueue', 'view', 'policy'].map((type) => `${type} of the network`)
  await eventually('the reviewer there receives all', () => subjectsOf(stream)).toEqual([
    `rule of ${reviewer.communityId}`,
    ...ofNetwork,
  ])
  await eventually('others receive those of the network', () => subjectsOf(streamElsewhere)).toEqual(ofNetwork)
})

test('a session ended through the domain ends no other person’s stream', async () => {
  const person = await moderator()
  const stream = await deskOf(person.cookie)
  await endSessionsOf(ctxOf(database, { kind: 'user', userId: person.userId, name: 'x' }), { userId: person.userId })
  await happen(person.communityId, 'still told')
  await sealAll()
  await eventually('the event has arrived', () => subjectsOf(stream)).toEqual(['still told'])
})
