import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { execute, inTransaction, sql } from '#server/core/db.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { type AskOutcome, askClassifier } from '#server/modules/integrations/classifiers/ask-classifier.ts'
import { breakerAfter, claimProbes } from '#server/modules/integrations/classifiers/breaker.ts'
import {
  addClassifier,
  changeClassifier,
  removeClassifier,
  replaceSecret,
  switchClassifier,
} from '#server/modules/integrations/classifiers/change-classifiers.ts'
import { dropItems } from '#server/modules/integrations/classifiers/drop-items.ts'
import { fillQueues } from '#server/modules/integrations/classifiers/fill-queues.ts'
import { listClassifiers } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import { readRunning } from '#server/modules/integrations/classifiers/read-running.ts'
import { recordAnswers } from '#server/modules/integrations/classifiers/record-answers.ts'
import {
  ATTEMPTS,
  ClassifierFields,
  DEADLINE_MS,
  FAILURES_TO_OPEN,
} from '#server/modules/integrations/classifiers/schema.ts'
import { releaseItems, type TakenItem, takeItems } from '#server/modules/integrations/classifiers/take-items.ts'
import { testClassifier } from '#server/modules/integrations/classifiers/test-classifier.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { openClassifierStub, type StubItem } from '#server/testing/classifier-stub.ts'
import { asAdmin, asUser, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { rulesOn, writtenPost } from '#server/testing/rules-on.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'

const { database, prisma, make } = await testDatabase()
const { scene } = rulesOn(database)
const clock = clockAt(new Date().toISOString())
const system = { ...systemCtx(database), now: clock.now }
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']), { now: clock.now })
const connections = openOutsideConnections()
const stub = await openClassifierStub()
afterAll(async () => {
  connections.close()
  await stub.close()
})
beforeEach(async () => {
  // What other tests wrote is not new to the classifiers of this one.
  while ((await inTransaction(system, sequenceEvents)).length > 0);
  await prisma.classifierItem.deleteMany()
  await prisma.classifier.deleteMany()
  stub.answerWith(stub.scored)
  stub.asked.splice(0)
})

async function classifier(over: object = {}) {
  const usual = { name: 'A', url: stub.url, kinds: ['comment', 'post', 'message'], deadlineMs: DEADLINE_MS.max }
  const fields = ClassifierFields.parse({ ...usual, ...over })
  const added = await addClassifier(admin, fields, testWebhooks)
  stub.trust(added.secret)
  return added.classifier
}

/** Numbers the events of what was written, and fills the queues from them. */
async function fill() {
  await inTransaction(system, sequenceEvents)
  while (await fillQueues(system));
}

const take = (classifierId: string, limit = 100) => takeItems(system, [{ classifierId, limit }])
const stored = (classifierId: string) => prisma.classifier.findUniqueOrThrow({ where: { classifierId } })
const waiting = (classifierId: string) => prisma.classifierItem.findMany({ where: { classifierId } })
const signalsOf = (subjectId: string) => prisma.signal.findMany({ where: { subjectId } })
const state = async () => (await listClassifiers(admin))[0]

async function ask(items: TakenItem[], outside = { allowsLoopback: true }): Promise<AskOutcome> {
  const [asked] = await readRunning(system)
  if (asked === undefined) throw new Error('no classifier is on')
  const asking = {
    key: testWebhooks.key,
    outside,
    connections,
    now: () => new Date(),
    stopping: new AbortController().signal,
  }
  return askClassifier(asked, items, asking)
}

const FAILED: AskOutcome = { durationMs: 5, problem: 'timeout', signals: [] }
const scoredWith = (items: TakenItem[], score = 0.5): AskOutcome => ({
  durationMs: 5,
  status: 200,
  signals: items.map(() => [{ name: 'stub', score }]),
})

async function commentIn() {
  const here = await scene()
  const { commentId } = await here.comment('The Ferry runs on Mondays')
  return { ...here, commentId, edit: (text: string) => edit(here.author.userId, commentId, text) }
}

function edit(userId: string, commentId: string, text: string) {
  return editComment(ctxOf(database, asUser(userId), { source: 'rest' }), { commentId, data: { text } })
}

/** One comment that is being asked about. */
async function asking(over: object = {}) {
  const { classifierId } = await classifier(over)
  const written = await commentIn()
  await fill()
  const items = await take(classifierId)
  expect(items.map(({ subjectId }) => subjectId)).toContain(written.commentId)
  return { classifierId, ...written, items: items.filter(({ subjectId }) => subjectId === written.commentId) }
}

describe('the queue of a classifier', () => {
  test('holds what is written, held and edited from then on, once for each item, in the scope of the classifier', async () => {
    const before = await commentIn()
    await fill()
    const everything = await classifier()
    const here = await commentIn()
    const ofCommunity = await classifier({ kinds: ['post'], communityId: here.communityId })
    await here.edit('Edited once')
    await here.edit('Edited twice')
    await here.running({ kind: 'words', words: ['ferryman'] })
    const held = await here.comment('Ask the ferryman')
    const input = { targetType: 'community', targetId: here.communityId, dataType: 'text', data: { text: 'A post' } }
    const postId = await writtenPost(ctxOf(database, asUser(here.author.userId), { source: 'rest' }), input)
    const elsewhere = await commentIn()
    await before.edit('Edited after it was registered')
    await fill()

    const idsOf = async (classifierId: string) => (await waiting(classifierId)).map(({ subjectId }) => subjectId).sort()
    const comments = [here.commentId, held.commentId, elsewhere.commentId, before.commentId]
    expect(held.approvalStatus).toBe('pending')
    expect(await idsOf(everything.classifierId)).toEqual([...comments, postId].sort())
    expect(await idsOf(ofCommunity.classifierId)).toEqual([postId])
  })

  test('gives each item to one of two processes, and again after one of them died', async () => {
    const { classifierId } = await classifier()
    const { comment } = await scene()
    for (let n = 0; n < 20; n += 1) await comment(`Comment ${n}`)
    await fill()
    const [one, other] = await Promise.all([take(classifierId, 12), take(classifierId, 12)])
    const ids = [...one, ...other].map(({ subjectId }) => subjectId)
    expect([ids.length, new Set(ids).size]).toEqual([20, 20])

    expect(await take(classifierId)).toEqual([])
    clock.advance(60_000)
    expect((await take(classifierId)).length).toBe(20)
  })

  test('makes items due again that weren’t asked about, and waits for none that is being changed', async () => {
    const { classifierId } = await classifier()
    const { comment } = await scene()
    const [changing] = [await comment('One'), await comment('Two')]
    await fill()
    const items = await take(classifierId)
    await inTransaction(system, async (ctx) => {
      await execute(ctx, sql`update classifier_item set attempts = 1 where subject_id = ${changing.commentId}`)
      await releaseItems(system, items)
    })
    const again = (await take(classifierId)).map(({ subjectId }) => subjectId)
    expect(again).toEqual(items.map(({ subjectId }) => subjectId).filter((id) => id !== changing.commentId))
  })

  test('asks about the text as it is, with the same ids for the same text', async () => {
    const { items, classifierId, commentId, edit } = await asking()
    await ask(items)
    await ask(items)
    await edit('Another text')
    await fill()
    await ask(await take(classifierId))
    const [first, repeated, later] = stub.asked
    expect(repeated).toEqual(first)
    expect(first?.items[0]).toMatchObject({
      type: 'comment',
      id: commentId,
      data: { text: 'The Ferry runs on Mondays' },
    })
    expect(later?.items[0]).toMatchObject({ id: commentId, data: { text: 'Another text' } })
    expect(later?.items[0]?.itemId).not.toBe(first?.items[0]?.itemId)
  })

  test('leaves out what is deleted, out of scope or scored by then', async () => {
    const { classifierId, version } = await classifier()
    const { communityId, author } = await scene()
    const here = await commentIn()
    const gone = await commentIn()
    await deleteComment(ctxOf(database, asUser(gone.author.userId)), { commentId: gone.commentId, permanent: true })
    const input = { targetType: 'community', targetId: communityId, dataType: 'text', data: { text: 'A post' } }
    await writtenPost(ctxOf(database, asUser(author.userId), { source: 'rest' }), input)
    await fill()
    const change = {
      ...ClassifierFields.parse({ name: 'A', url: stub.url, kinds: ['comment'] }),
      classifierId,
      version,
    }
    await changeClassifier(admin, change, testWebhooks)
    const items = await take(classifierId)
    expect(items.map(({ subjectId }) => subjectId)).toEqual([here.commentId])
    expect(await waiting(classifierId)).toHaveLength(1)

    await recordAnswers(system, classifierId, [{ items, outcome: scoredWith(items) }])
    await prisma.classifier.update({ where: { classifierId }, data: { readTo: 0 } })
    await fill()
    expect((await waiting(classifierId)).map(({ subjectId }) => subjectId)).toContain(here.commentId)
    expect((await take(classifierId, 10_000)).map(({ subjectId }) => subjectId)).not.toContain(here.commentId)
    expect((await waiting(classifierId)).map(({ subjectId }) => subjectId)).not.toContain(here.commentId)
  })

  test('drops what waited for hours, and the oldest beyond its limit, and counts it', async () => {
    const { classifierId } = await classifier()
    await commentIn()
    await fill()
    clock.advance(6 * 3_600_000 + 1)
    await execute(
      system,
      sql`
      insert into classifier_item (classifier_id, subject_type, subject_id, event_seq, requested_at, due_at)
      select ${classifierId}, 'comment', 'c' || n, n, ${clock.now()}::timestamptz + n * interval '1 ms', ${clock.now()}
      from generate_series(1, 100010) n`,
    )
    while (await dropItems(system));
    expect((await stored(classifierId)).dropped).toBe(11n)
    const first = await prisma.classifierItem.findFirst({ where: { classifierId }, orderBy: { requestedAt: 'asc' } })
    expect(first?.subjectId).toBe('c11')
  })

  test('has messages of the whole network', async () => {
    const { classifierId } = await classifier()
    const { channelId } = await make.channel()
    const { messageId } = await make.message({ channelId })
    await prisma.event.create({
      data: {
        name: 'v5.message.didCreate',
        subjectType: 'message',
        subjectId: messageId,
        payload: {},
        state: 'released',
        createdAt: clock.now(),
        releasesAt: clock.now(),
      },
    })
    await fill()
    const items = await take(classifierId)
    expect(items.map(({ subjectId }) => subjectId)).toEqual([messageId])
    await recordAnswers(system, classifierId, [{ items, outcome: await ask(items) }])
    expect(await signalsOf(messageId)).toMatchObject([{ name: 'stub', score: 0.5, sentBy: classifierId }])
  })
})

describe('an answer', () => {
  test('becomes signals, measured when the text was written, and counts once however often it arrives', async () => {
    const { classifierId, items, commentId } = await asking()
    const outcome = { ...(await ask(items)), durationMs: 5 }
    await Promise.all([
      recordAnswers(system, classifierId, [
        { items, outcome },
        { items, outcome },
      ]),
      recordAnswers(system, classifierId, [{ items, outcome: scoredWith(items, 0.9) }]),
    ])
    const { createdAt } = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
    const signals = await signalsOf(commentId)
    expect(signals).toMatchObject([{ name: 'stub', measuredAt: createdAt, sentBy: classifierId }])
    expect([0.5, 0.9]).toContain(signals[0]?.score)
    expect(await state()).toMatchObject({ state: 'working', waiting: 0, answered: 1, failed: 0, medianMs: 5 })
  })

  test('about an older text ends nothing and never counts for rules', async () => {
    const { classifierId, items, commentId, edit } = await asking()
    await edit('Another text')
    // The edit is committed, but its event isn't seen yet.
    await recordAnswers(system, classifierId, [{ items, outcome: scoredWith(items, 0.9) }])
    const { editedAt } = await prisma.comment.findUniqueOrThrow({ where: { commentId } })
    expect((await signalsOf(commentId))[0]?.measuredAt.getTime()).toBeLessThan(editedAt?.getTime() ?? 0)

    await fill()
    const again = await take(classifierId)
    await edit('A third text')
    await fill()
    await recordAnswers(system, classifierId, [{ items: again, outcome: scoredWith(again, 0.8) }])
    expect((await signalsOf(commentId))[0]?.score).toBe(0.9)
    const last = await take(classifierId)
    await recordAnswers(system, classifierId, [{ items: last, outcome: scoredWith(last, 0.1) }])
    expect((await signalsOf(commentId))[0]?.score).toBe(0.1)
    expect(await state()).toMatchObject({ waiting: 0, answered: 2 })
  })

  test('about what is deleted during that stores nothing', async () => {
    const { classifierId, items, commentId, author } = await asking()
    await deleteComment(ctxOf(database, asUser(author.userId)), { commentId, permanent: true })
    await recordAnswers(system, classifierId, [{ items, outcome: await ask(items) }])
    expect(await signalsOf(commentId)).toEqual([])
    expect(await waiting(classifierId)).toEqual([])
  })

  test('of a classifier that is switched off or removed during that stores nothing, and what was written then isn’t asked later', async () => {
    const { classifierId, items, commentId, comment } = await asking()
    const outcome = await ask(items)
    const off = await switchClassifier(admin, { classifierId, version: 1, isOn: false })
    await recordAnswers(system, classifierId, [{ items, outcome }])
    expect(await signalsOf(commentId)).toEqual([])
    expect([off.state, off.waiting, await take(classifierId)]).toEqual(['off', 0, []])

    await comment('While it is off')
    await fill()
    await switchClassifier(admin, { classifierId, version: 2, isOn: true })
    const after = await comment('Once it is on')
    await fill()
    const taken = await take(classifierId)
    expect(taken.map(({ subjectId }) => subjectId)).toEqual([after.commentId])
    await removeClassifier(admin, { classifierId, version: 3 })
    await recordAnswers(system, classifierId, [{ items: taken, outcome: scoredWith(taken) }])
    expect(await signalsOf(after.commentId)).toEqual([])
    expect(await listClassifiers(admin)).toEqual([])
  })

  const answerOf = (signals: unknown) => (items: StubItem[]) => ({
    body: JSON.stringify({ results: items.map(({ itemId }) => ({ itemId, signals })) }),
  })
  test.each([
    ['that is no JSON', () => ({ body: '{"results": [' }), 'answer'],
    ['without results', () => ({ body: '{}' }), 'answer'],
    ['about another item', () => ({ body: '{"results":[{"itemId":"comment_other_1","signals":[]}]}' }), 'answer'],
    ['with a name that no signal can have', answerOf([{ name: 'Toxicity!', score: 0.5 }]), 'answer'],
    ['with a score above 1', answerOf([{ name: 'stub', score: 1.01 }]), 'answer'],
    ['with a score that is no number', answerOf([{ name: 'stub', score: '0.5' }]), 'answer'],
    [
      'with more signals than allowed',
      answerOf(Array.from({ length: 21 }, (_, n) => ({ name: `s${n}`, score: 0 }))),
      'answer',
    ],
    ['that is too large', () => ({ body: `{"pad":"${'x'.repeat(300_000)}","results":[]}` }), 'answer'],
    ['with another status', () => ({ status: 503, body: '' }), 'status'],
    ['with a redirect', () => ({ status: 302, body: '' }), 'redirect'],
    ['that comes after the deadline', () => 'hangs' as const, 'timeout'],
  ])('%s is a failure: nothing is stored, and the item waits for its next attempt', async (_, answer, problem) => {
    const { classifierId, items, commentId } = await asking(problem === 'timeout' ? { deadlineMs: 200 } : {})
    stub.answerWith(answer)
    const outcome = await ask(items)
    expect(outcome.problem).toBe(problem)
    await recordAnswers(system, classifierId, [{ items, outcome }])
    expect(await signalsOf(commentId)).toEqual([])
    expect(await state()).toMatchObject({ state: 'failing', waiting: 1, answered: 0, lastFailure: { problem } })
    expect(await take(classifierId)).toEqual([])
    clock.advance(2_000)
    expect(await take(classifierId)).toHaveLength(1)
  })

  test('with one wrong result among others fails only for that item', async () => {
    const { classifierId } = await classifier()
    const { comment } = await scene()
    const [wrong, right] = [await comment('One'), await comment('Two')]
    await fill()
    stub.answerWith((items) => ({
      body: JSON.stringify({
        results: items.map(({ itemId, id }) => ({
          itemId,
          signals: [{ name: 'stub', score: id === wrong.commentId ? 2 : 1 }],
        })),
      }),
    }))
    const items = await take(classifierId)
    await recordAnswers(system, classifierId, [{ items, outcome: await ask(items) }])
    expect([await signalsOf(wrong.commentId), await signalsOf(right.commentId)]).toMatchObject([[], [{ score: 1 }]])
    expect((await waiting(classifierId)).map(({ subjectId }) => subjectId)).toEqual([wrong.commentId])
  })

  test('is never asked from a private address', async () => {
    const { items } = await asking()
    expect(await ask(items, { allowsLoopback: false })).toMatchObject({ problem: 'address' })
    expect(stub.asked).toEqual([])
  })

  test('that fails again and again is given up and counted', async () => {
    const { classifierId, items } = await asking()
    let taken = items
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      expect(taken).toHaveLength(1)
      await recordAnswers(system, classifierId, [{ items: taken, outcome: FAILED }])
      clock.advance(300_000)
      taken = await take(classifierId)
    }
    expect(taken).toEqual([])
    expect(await state()).toMatchObject({ waiting: 0, failed: 1 })
  })
})

describe('the circuit breaker', () => {
  const closed = { failures: 0, openedAt: null, probeAt: null, probes: 0 }
  const now = clock.now()

  test('opens when the last of the allowed failures in a row arrives, and closes with any answer', () => {
    const almost = breakerAfter(closed, { answered: 0, failed: FAILURES_TO_OPEN - 1, now })
    expect(almost).toMatchObject({ failures: FAILURES_TO_OPEN - 1, openedAt: null })
    const open = breakerAfter(almost, { answered: 0, failed: 1, now })
    expect(open).toMatchObject({ openedAt: now, probes: 0 })
    expect(breakerAfter(open, { answered: 1, failed: 3, now })).toEqual(closed)
    expect(breakerAfter(almost, { answered: 1, failed: 1, now })).toEqual(closed)
  })

  test('lets one of two processes send a probe, later each time, and keeps the queue', async () => {
    const { classifierId, items } = await asking()
    const requests = Array.from({ length: FAILURES_TO_OPEN }, () => ({ items, outcome: FAILED }))
    await Promise.all([
      recordAnswers(system, classifierId, requests.slice(0, 5)),
      recordAnswers(system, classifierId, requests.slice(5)),
    ])
    expect(await state()).toMatchObject({ state: 'open', waiting: 1 })
    expect(await claimProbes(system)).toEqual([])

    for (const wait of [15_000, 30_000, 60_000]) {
      clock.advance(wait - 1)
      expect(await claimProbes(system)).toEqual([])
      clock.advance(1)
      const claimed = await Promise.all([claimProbes(system), claimProbes(system)])
      expect(claimed.flat()).toEqual([classifierId])
      const taken = await take(classifierId)
      await recordAnswers(system, classifierId, [{ items: taken, outcome: FAILED }])
    }
    const [item] = await waiting(classifierId)
    expect(item?.attempts).toBeLessThan(ATTEMPTS)

    clock.advance(120_000)
    const [probe] = [await claimProbes(system)]
    expect(probe).toEqual([classifierId])
    const taken = await take(classifierId)
    await recordAnswers(system, classifierId, [{ items: taken, outcome: scoredWith(taken) }])
    expect(await state()).toMatchObject({ state: 'working', waiting: 0, answered: 1, failed: 0 })
  })
})

describe('managing classifiers', () => {
  test('shows the secret once, and logs every act without it', async () => {
    const usual = { name: 'A', url: stub.url, kinds: ['comment'], deadlineMs: DEADLINE_MS.max }
    const fields = ClassifierFields.parse(usual)
    const { classifier: added, secret } = await addClassifier(admin, fields, testWebhooks)
    const { classifierId } = added
    const { secret: next } = await replaceSecret(admin, { classifierId, version: 1 }, testWebhooks)
    stub.trust(next)
    expect(await testClassifier({ ...admin, now: () => new Date() }, { classifierId }, testWebhooks)).toMatchObject({
      status: 200,
      signals: [{ name: 'stub', score: 0.5 }],
    })
    await switchClassifier(admin, { classifierId, version: 2, isOn: false })
    await changeClassifier(admin, { ...fields, name: 'B', classifierId, version: 3 }, testWebhooks)
    expect(JSON.stringify(await listClassifiers(admin))).not.toContain('whsec')
    await removeClassifier(admin, { classifierId, version: 4 })

    const log = await prisma.audit.findMany({ where: { subjectId: classifierId }, orderBy: { auditId: 'asc' } })
    expect(log.map(({ action }) => action.slice('classifier.'.length))).toEqual([
      'added',
      'secretRotated',
      'tested',
      'switchedOff',
      'changed',
      'removed',
    ])
    expect(JSON.stringify(log.map(({ after }) => after))).not.toContain(secret)
    expect(secret).not.toBe(next)
    expect(await prisma.classifier.count({ where: { classifierId, secret: Buffer.from('') } })).toBe(1)
  })

  test('rejects private addresses, unknown communities, an eleventh classifier and a change of something that has changed', async () => {
    const fields = ClassifierFields.parse({ name: 'A', url: 'https://classifier.example/', kinds: ['comment'] })
    const add = (over: object = {}) =>
      addClassifier(admin, { ...fields, ...over }, { ...testWebhooks, allowsLoopback: false })
    await expect(add({ url: 'https://10.0.0.1/' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
    await expect(add({ url: 'http://classifier.example/' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
    await expect(add({ communityId: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const added = await Promise.allSettled(Array.from({ length: 11 }, () => add()))
    expect(added.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const [first] = await listClassifiers(admin)
    const classifierId = first?.classifierId ?? ''
    const turns = [true, false].map((isOn) => switchClassifier(admin, { classifierId, version: 1, isOn }))
    const turned = await Promise.allSettled(turns)
    expect(turned.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(removeClassifier(admin, { classifierId: 'unknown', version: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('a classifier of a community can’t be asked about messages', () => {
    const fields = { name: 'A', url: 'https://classifier.example/', communityId: 'c', kinds: ['message'] }
    expect(ClassifierFields.safeParse(fields).success).toBe(false)
  })
})
