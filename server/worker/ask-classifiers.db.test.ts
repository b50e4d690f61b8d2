import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#server/core/ctx.ts'
import { inTransaction } from '#server/core/db.ts'
import { addClassifier, replaceSecret } from '#server/modules/integrations/classifiers/change-classifiers.ts'
import type { FiguresById } from '#server/modules/integrations/classifiers/figures.ts'
import { listClassifiers } from '#server/modules/integrations/classifiers/list-classifiers.ts'
import { ClassifierFields, DEADLINE_MS, FAILURES_TO_OPEN } from '#server/modules/integrations/classifiers/schema.ts'
import { testClassifier } from '#server/modules/integrations/classifiers/test-classifier.ts'
import { sequenceEvents } from '#server/modules/ledger/events/release-events.ts'
import { openClassifierStub } from '#server/testing/classifier-stub.ts'
import { asAdmin, clockAt, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { freePort } from '#server/testing/free-port.ts'
import { rulesOn } from '#server/testing/rules-on.ts'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startAskingClassifiers } from '#server/worker/ask-classifiers.ts'
import { repeat } from '#server/worker/repeat.ts'
import { JUDGE_SIGNALS } from '#server/worker/tasks.ts'
import { createAskedClassifier } from '../../docs/examples/asked-classifier.ts'
import { shoutingIn } from '../../docs/examples/classifier.ts'

const { database, prisma } = await testDatabase()
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
  repeat(system, JUDGE_SIGNALS),
]
afterAll(() => Promise.all(tasks.map((task) => task.stop())))
beforeEach(async () => {
  await prisma.classifierItem.deleteMany()
  await prisma.classifier.deleteMany()
})

async function classifierAt(url: string, over: object = {}) {
  const fields = ClassifierFields.parse({ name: 'A', url, kinds: ['comment'], deadlineMs: DEADLINE_MS.max, ...over })
  return addClassifier(admin, fields, testWebhooks)
}

/** A process that asks until the end of the test, or until it is stopped. */
function startAsking({ ctx = system, figures = new Map() }: { ctx?: Ctx; figures?: FiguresById } = {}) {
  const task = startAskingClassifiers(ctx, { ...options, figures })
  onTestFinished(task.stop)
  return task
}

async function openStub() {
  const stub = await openClassifierStub()
  onTestFinished(async () => void (await stub.close()))
  return stub
}

const state = async () => (await listClassifiers(admin))[0]
const scoresOf = (subjectId: string) => prisma.signal.count({ where: { subjectId } })

test.runIf(IS_STRESS)(
  'the example classifier is asked about what is written, held and edited, and a rule on its score holds it',
  async () => {
    startAsking()
    startAsking()
    const port = await freePort()
    const { secret } = await classifierAt(`http://127.0.0.1:${port}/`)
    const classifier = createAskedClassifier(secret).listen(port, '127.0.0.1')
    onTestFinished(() => void classifier.close())
    const { comment, running } = await scene()
    await running({ kind: 'signal', name: 'shouting', atLeast: 0.7 })

    const [loud, calm] = [await comment('GET OFF MY BOAT'), await comment('The Ferry runs on Mondays')]
    const scoreOf = async (subjectId: string) => (await prisma.signal.findFirst({ where: { subjectId } }))?.score
    await eventually('the calm comment has a score', () => scoreOf(calm.commentId)).toBe(
      shoutingIn('The Ferry runs on Mondays'),
    )
    const stateOf = async ({ commentId }: typeof loud) =>
      (await prisma.comment.findUniqueOrThrow({ where: { commentId } })).approvalStatus
    await eventually('the loud comment is held', () => stateOf(loud)).toBe('pending')
    expect(await stateOf(calm)).toBeNull()
    await eventually('nothing waits', async () => (await state())?.waiting).toBe(0)
  },
)

test('a process that stops in the middle loses nothing: another one asks again, with the same id', async () => {
  const stub = await openStub()
  const { secret } = await classifierAt(stub.url)
  stub.trust(secret)
  stub.answerWith(() => 'hangs')
  const first = startAsking()
  const { comment } = await scene()
  const { commentId } = await comment('The Ferry runs on Mondays')
  const isAbout = ({ items }: (typeof stub.asked)[number]) => items.some(({ id }) => id === commentId)
  await eventually('the classifier is asked', () => stub.asked.some(isAbout)).toBe(true)
  await first.stop()

  stub.answerWith(stub.scored)
  startAsking()
  await eventually('the comment has a score', () => scoresOf(commentId)).toBe(1)
  const items = stub.asked.flatMap(({ items }) => items).filter(({ id }) => id === commentId)
  expect(items).toHaveLength(2)
  expect(items[1]).toEqual(items[0])
  expect(await state()).toMatchObject({ failed: 0 })
})

test.runIf(IS_STRESS)(
  'a classifier whose secret can’t be opened says so, loses nothing, and goes on with a new secret',
  async () => {
    const stub = await openStub()
    const { classifier } = await classifierAt(stub.url)
    await prisma.classifier.update({
      where: { classifierId: classifier.classifierId },
      data: { secret: Buffer.from('sealed with another key') },
    })
    const figures: FiguresById = new Map()
    startAsking({ figures })
    const { comment } = await scene()
    const { commentId } = await comment('The Ferry runs on Mondays')

    const ofIt = () => figures.get(classifier.classifierId)
    await eventually('the breaker is open', state).toMatchObject({ state: 'open', lastFailure: { problem: 'secret' } })
    await eventually('the process knows that it is open', () => ofIt()?.isOpen).toBe(true)
    expect(ofIt()?.items.asked).toBe(ofIt()?.items.failed)
    expect(stub.asked).toEqual([])
    expect(await testClassifier(admin, classifier, testWebhooks)).toMatchObject({ problem: 'secret', signals: [] })
    const { secret } = await replaceSecret(admin, classifier, testWebhooks)
    stub.trust(secret)
    await eventually('the comment has a score', () => scoresOf(commentId)).toBe(1)
    await eventually('all is answered', state).toMatchObject({ state: 'working', waiting: 0, failed: 0 })
    const { asked = 0, answered, failed = 0 } = ofIt()?.items ?? {}
    expect(answered).toBe(asked - failed)
  },
)

test('a classifier that always fails is left alone once its breaker is open, and others go on', async () => {
  const [broken, working] = [await openStub(), await openStub()]
  const { secret, classifier } = await classifierAt(broken.url, { batchSize: 1 })
  broken.trust(secret)
  broken.answerWith(() => ({ status: 500, body: '' }))
  working.trust((await classifierAt(working.url)).secret)
  const figures: FiguresById = new Map()
  // No time passes: neither a probe nor a next attempt becomes due.
  startAsking({ ctx: { ...system, now: clockAt(new Date().toISOString()).now }, figures })
  const { comment } = await scene()
  const ids: string[] = []
  for (let n = 0; n < 2 * FAILURES_TO_OPEN; n += 1) ids.push((await comment(`Comment ${n}`)).commentId)

  const { classifierId } = classifier
  await eventually('the process knows that it is open', () => figures.get(classifierId)?.isOpen).toBe(true)
  const { commentId } = await comment('One more')
  ids.push(commentId)
  for (const subjectId of ids) await eventually('the other one has scored all', () => scoresOf(subjectId)).toBe(1)
  const states = (await listClassifiers(admin)).map((one) => [one.classifierId === classifierId, one.state])
  expect(states.toSorted()).toEqual([
    [false, 'working'],
    [true, 'open'],
  ])
  expect(broken.asked.flatMap(({ items }) => items.map(({ id }) => id))).not.toContain(commentId)
  expect(await prisma.classifierItem.count({ where: { classifierId, subjectId: { in: ids } } })).toBe(ids.length)
})
