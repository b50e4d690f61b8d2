import { afterAll, expect, test } from 'vitest'
import { keyFor } from '#server/core/secret.ts'
import { createKey } from '#server/modules/accounts/access/create-credentials.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { openDeliveryQueue } from '#server/modules/integrations/webhooks/delivery-queue.ts'
import { testApi } from '#server/testing/api.ts'
import { asAdmin, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { freePort } from '#server/testing/free-port.ts'
import { rulesOn } from '#server/testing/rules-on.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { startDelivering } from '#server/worker/deliveries.ts'
import { repeat } from '#server/worker/repeat.ts'
import { startSequencer } from '#server/worker/sequencer.ts'
import { JUDGE_SIGNALS } from '#server/worker/tasks.ts'
import { createClassifier, shoutingIn } from '../../docs/examples/classifier.ts'

const { database, prisma } = await testDatabase()
const system = systemCtx(database)
const { scene } = rulesOn(database)
const { url } = await testApi(database, { RATE_LIMITS: 'off' })
const queue = await openDeliveryQueue(system)
const tasks = [
  startSequencer(system, keyFor('a secret for tests, long enough to be one', 'audit'), { queue }),
  startDelivering(system, { queue, key: testWebhooks.key, outside: testWebhooks }),
  repeat(system, JUDGE_SIGNALS),
]
afterAll(async () => {
  await Promise.all(tasks.map((task) => task.stop()))
  await queue.close()
})

test('the example classifier scores what is published, and a rule on its score holds it', async () => {
  const { apiKey } = await createKey(system, { name: 'Example classifier', allows: ['signals'] })
  const port = await freePort()
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  const { secret } = await addEndpoint(admin, { url: `http://127.0.0.1:${port}/`, events: [] }, testWebhooks)
  const classifier = createClassifier(secret, { url, apiKey }).listen(port, '127.0.0.1')
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
  expect(await prisma.signal.findFirst({ where: { subjectId: loud.commentId } })).toMatchObject({
    name: 'shouting',
    score: 1,
    modelVersion: 'example-1',
    measuredAt: loud.updatedAt,
  })
  classifier.close()
})
