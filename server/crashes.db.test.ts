import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createToken } from '#server/modules/accounts/access/create-credentials.ts'
import { addEndpoint } from '#server/modules/integrations/webhooks/change-endpoints.ts'
import { asAdmin, ctxOf, systemCtx, TEST_SECRET } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { eventually } from '#server/testing/eventually.ts'
import { createHeldComments, deliveredComment } from '#server/testing/held-comments.ts'
import { type Program, runProgram, untilReady } from '#server/testing/program.ts'
import { openReceiver } from '#server/testing/receiver.ts'
import { scaled } from '#server/testing/scaled.ts'
import { testWebhooks } from '#server/testing/webhooks.ts'
import { whenOver } from '#server/testing/when-over.ts'
import { expectWhole } from '#server/testing/whole-log.ts'

const { database, url: DATABASE_URL, prisma } = await testDatabase()
const { accessToken } = await createToken(systemCtx(database), { lifetimeMs: 3_600_000 })
const home = await mkdtemp(join(tmpdir(), 'docket-crashes-'))
afterAll(() => rm(home, { recursive: true }))
const environment = {
  DATABASE_URL,
  DOCKET_HOME: home,
  DOCKET_SECRET: TEST_SECRET,
  WEBHOOK_ALLOW_LOOPBACK: '1',
  LOG_LEVEL: 'silent',
}

const CRASHES = scaled(1)
const DECISIONS_A_CRASH = 80
const CLIENTS = 8

test(`a process killed with -9, ${CRASHES} times, during decisions and deliveries: none is lost, and each event is published once`, async () => {
  const processes = [await start(), await start()]
  const receiver = await openReceiver()
  whenOver(receiver.close)
  const admin = ctxOf(database, asAdmin(['MANAGE_CREDENTIALS']))
  receiver.trust((await addEndpoint(admin, { url: receiver.url, events: [] }, testWebhooks)).secret)

  const { commentIds } = await createHeldComments(database, (CRASHES + 1) * DECISIONS_A_CRASH)
  const acknowledged = new Map<string, Outcome>()
  const deciding = decideAll(commentIds, processes, acknowledged)
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    await eventually('enough decisions are made', () => acknowledged.size).toBeGreaterThanOrEqual(
      crash * DECISIONS_A_CRASH,
    )
    const [killed] = processes.splice(crash % 2, 1)
    killed?.process.kill('SIGKILL')
    processes.push(await start())
  }
  await deciding

  const stored = await prisma.comment.findMany({ select: { commentId: true, approvalStatus: true } })
  expect(stored.filter(({ approvalStatus }) => approvalStatus === 'pending')).toEqual([])
  const lost = stored.filter(
    ({ commentId, approvalStatus }) =>
      acknowledged.has(commentId) && STATES[acknowledged.get(commentId) ?? 'approve'] !== approvalStatus,
  )
  expect(lost).toEqual([])

  await expectWhole(database, environment)
  const receivedCount = () => new Set(receiver.accepted.map(({ id }) => id)).size
  await eventually('all events are delivered', receivedCount).toBe(commentIds.length)
  expect(new Set(receiver.accepted.map(deliveredComment))).toEqual(new Set(commentIds))
  expect(receiver.refused).toEqual([])
})

type Outcome = keyof typeof STATES
const STATES = { approve: 'approved', decline: 'rejected' } as const

async function start(): Promise<Program> {
  const program = await runProgram(environment)
  await untilReady(program)
  return program
}

async function decideAll(
  commentIds: string[],
  processes: Program[],
  acknowledged: Map<string, Outcome>,
): Promise<void> {
  const left = commentIds.map((commentId, index) => ({ commentId, index }))
  const client = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const outcome: Outcome = next.index % 2 ? 'approve' : 'decline'
      if ((await decideAnywhere(processes, next, outcome)) === 200) acknowledged.set(next.commentId, outcome)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** As apps do: repeats a request whose answer was lost, at any running process; 409 means it was decided before. */
async function decideAnywhere(
  processes: Program[],
  { commentId, index }: { commentId: string; index: number },
  outcome: Outcome,
): Promise<number> {
  for (let tried = 0; ; tried += 1) {
    const status = await decide(processes[(index + tried) % processes.length], commentId, outcome)
    if (status === 200 || (status === 409 && tried > 0)) return status
    expect([undefined, 503]).toContain(status)
  }
}

async function decide(program: Program | undefined, commentId: string, outcome: Outcome): Promise<number | undefined> {
  const answer = await fetch(`${program?.url}/api/v3/comments/${commentId}/${outcome}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch(() => undefined)
  return answer?.status
}
