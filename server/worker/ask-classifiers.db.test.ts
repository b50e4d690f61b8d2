import { afterAll, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/core/db.ts'
import { addClassifier, replaceSecret } from '#server/modules/integrations/classifiers/change-classifiers.ts'
import type { FiguresById } from '#server/modules/integrations/classifiers/figures.ts'
import { listClassifiers } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import { ClassifierFields, FAILURES_TO_OPEN } from '#server/modules/integrations/classifiers/schema.ts'
import { testClassifier } from '#server/modules/integrations/classifiers/test-classifier.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { openClassifierStub } from '#server/testing/classifier-stub.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { freePort } from '#server/testing/free-port.ts'
import { rulesOn } from '#server/testing/rules-on.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startAskingClassifiers } from '#server/worker/ask-classifiers.ts'
import { startJudgingSignals } from '#server/worker/judge-signals.ts'
import { repeat } from '#server/worker/repeat.ts'
import { createAskedClassifier } from '../../docs/examples/asked-classifier.ts'
import { shoutingIn } from '../../docs/examples/classifier.ts'

const { database } = await testDatabase()
const { prisma } = database
const system = systemCtx(database)
const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
const { scene } = rulesOn(database)
const options = { key: testWebhooks.key, outside: { allowsLoopback: true } }
const tasks = [
  repeat(system, {
    name: 'numbers',
    everyMs: 50,
    runBatch: async (ctx) => (await inTransaction(ctx, sequenceEvents)).length > 0,
  }),
  startJudgingSignals(system),
]
afterAll(() => Promise.all(tasks.map((task) => task.stop())))
beforeEach(async () => {
  await prisma.classifierItem.deleteMany()
  await prisma.classifier.deleteMany()
})

const eventually = { timeout: 18_000, interval: 20 }

async function classifierAt(url: string, over: object = {}) {
  const fields = ClassifierFields.parse({ name: 'A', url, kinds: ['comment'], ...over })
  return addClassifier(admin, fields, testWebhooks)
}

const state = async () => (await listClassifiers(admin))[0]

test('the example classifier is asked about what is written, held and edited, and a rule on its score holds it', async () => {
  const asking = [startAskingClassifiers(system, options), startAskingClassifiers(system, options)]
  const port = await freePort()
  const { secret } = await classifierAt(`http://127.0.0.1:${port}/`)
  const classifier = createAskedClassifier(secret).listen(port, '127.0.0.1')
  const { comment, running } = await scene()
  await running({ kind: 'signal', name: 'shouting', atLeast: 0.7 })

  const [loud, calm] = [await comment('GET OFF MY BOAT'), await comment('The Ferry runs on Mondays')]
  const scoreOf = async (subjectId: string) => (await prisma.signal.findFirst({ where: { subjectId } }))?.score
  await expect.poll(() => scoreOf(calm.commentId), eventually).toBe(shoutingIn('The Ferry runs on Mondays'))
  const stateOf = async ({ commentId }: typeof loud) =>
    (await prisma.comment.findUniqueOrThrow({ where: { commentId } })).approvalStatus
  await expect.poll(() => stateOf(loud), eventually).toBe('pending')
  expect(await stateOf(calm)).toBeNull()
  await expect.poll(async () => (await state())?.waiting, eventually).toBe(0)
  classifier.close()
  await Promise.all(asking.map((task) => task.stop()))
})

test('a process that stops in the middle loses nothing: another one asks again, with the same id', async () => {
  const stub = await openClassifierStub()
  const { secret } = await classifierAt(stub.url, { deadlineMs: 10_000 })
  stub.trust(secret)
  stub.answerWith(() => 'hangs')
  const first = startAskingClassifiers(system, options)
  const { comment } = await scene()
  const { commentId } = await comment('The Ferry runs on Mondays')
  const isAbout = ({ items }: (typeof stub.asked)[number]) => items.some(({ id }) => id === commentId)
  await expect.poll(() => stub.asked.some(isAbout), eventually).toBe(true)
  await first.stop()

  stub.answerWith(stub.scored)
  const second = startAskingClassifiers(system, options)
  await expect.poll(() => prisma.signal.count({ where: { subjectId: commentId } }), eventually).toBe(1)
  const items = stub.asked.flatMap(({ items }) => items).filter(({ id }) => id === commentId)
  expect(items).toHaveLength(2)
  expect(items[1]).toEqual(items[0])
  expect(await state()).toMatchObject({ failed: 0 })
  await second.stop()
  await stub.close()
})

test('a classifier whose secret can’t be opened says so, loses nothing, and goes on with a new secret', async () => {
  const stub = await openClassifierStub()
  const { classifier } = await classifierAt(stub.url)
  await prisma.classifier.update({
    where: { classifierId: classifier.classifierId },
    data: { secret: Buffer.from('sealed with another key') },
  })
  const figures: FiguresById = new Map()
  const task = startAskingClassifiers(system, { ...options, figures })
  const { comment } = await scene()
  const { commentId } = await comment('The Ferry runs on Mondays')

  const ofIt = () => figures.get(classifier.classifierId)
  await expect.poll(state, eventually).toMatchObject({ state: 'open', lastFailure: { problem: 'secret' } })
  await expect.poll(() => ofIt()?.isOpen, eventually).toBe(true)
  expect(ofIt()?.items.asked).toBe(ofIt()?.items.failed)
  expect(stub.asked).toEqual([])
  expect(await testClassifier(admin, classifier, testWebhooks)).toMatchObject({ problem: 'secret', signals: [] })
  const { secret } = await replaceSecret(admin, classifier, testWebhooks)
  stub.trust(secret)
  await expect.poll(() => prisma.signal.count({ where: { subjectId: commentId } }), eventually).toBe(1)
  await expect.poll(state, eventually).toMatchObject({ state: 'working', waiting: 0, failed: 0 })
  const { asked = 0, answered, failed = 0 } = ofIt()?.items ?? {}
  expect(answered).toBe(asked - failed)
  await task.stop()
  await stub.close()
})

test('a classifier that always fails is left alone once its breaker is open, and others go on', async () => {
  const [broken, working] = [await openClassifierStub(), await openClassifierStub()]
  const { secret, classifier } = await classifierAt(broken.url, { batchSize: 1 })
  broken.trust(secret)
  broken.answerWith(() => ({ status: 500, body: '' }))
  working.trust((await classifierAt(working.url)).secret)
  const task = startAskingClassifiers(system, options)
  const { comment } = await scene()
  for (let n = 0; n < 2 * FAILURES_TO_OPEN; n += 1) await comment(`Comment ${n}`)

  await expect
    .poll(async () => (await listClassifiers(admin)).map(({ state }) => state), eventually)
    .toEqual(['open', 'working'])
  await expect
    .poll(() => prisma.signal.count({ where: { name: 'stub', sentBy: { not: classifier.classifierId } } }), eventually)
    .toBeGreaterThanOrEqual(20)
  const askedThen = broken.asked.length
  await comment('One more')
  await expect.poll(async () => (await state())?.waiting, eventually).toBeGreaterThan(0)
  expect(broken.asked.length).toBeLessThanOrEqual(askedThen + 8)
  await task.stop()
  await Promise.all([broken.close(), working.close()])
})
