import type { Ctx } from '#server/core/ctx.ts'
import { findActor } from '#server/modules/accounts/access/find-actor.ts'
import { CONNECTIONS, ctxOf, withDatabase } from './bench-people.ts'
import { type Compared, compare, measure, type Target } from './load.ts'
import { startBareServer } from './programs.ts'
import { recordStatements } from './record-statements.ts'

/** One request: how it is sent, and what the program does for it. */
export interface Measurable {
  target: Target
  /** The program's work for the request; resolves to the response body. */
  act: (ctx: Ctx) => Promise<object>
  /** The user of the recorded request, if each request is about a different one. */
  aboutUser?: string
  /** Reverts what requests changed. */
  putBack?: () => Promise<void>
}

export interface AgainstBare extends Compared {
  /** The number of SQL statements per request. */
  statements: number
}

/** Measures the program's throughput and that of the bare server with the statements of the same request, alternating. */
export async function compareWithBare(
  databaseUrl: string,
  { target, act, aboutUser, putBack }: Measurable,
  { token, connections, seconds }: { token: string; connections: number; seconds: number },
): Promise<AgainstBare> {
  const { waves, answer } = await record(databaseUrl, token, act)
  await putBack?.()
  const bareServer = await startBareServer({ databaseUrl, connections: CONNECTIONS, waves, answer, aboutUser })
  try {
    const bare = { ...target, origin: bareServer.origin }
    if (aboutUser === undefined) await requireSameAnswer(target, bare)
    // Runs until the code is compiled, and every connection has prepared each statement and chosen its plan.
    for (const warming of [target, bare]) {
      await measure(warming, { connections, seconds: seconds / 3 })
      await putBack?.()
    }
    const compared = await compare(target, bare, { connections, seconds, ...(putBack && { afterTurn: putBack }) })
    return { ...compared, statements: waves.flat().length }
  } finally {
    await bareServer.stop()
  }
}

function record(databaseUrl: string, token: string, act: Measurable['act']) {
  return withDatabase(databaseUrl, async (database) => {
    // The token's last use is written once a minute; done first, so that it isn't recorded.
    await withDatabase(databaseUrl, ({ pool }) => findActor(pool, { kind: 'token', secret: token }))
    const { waves, result } = await recordStatements(database, async () =>
      act(ctxOf(database, (await findActor(database.pool, { kind: 'token', secret: token })).actor)),
    )
    return { waves, answer: result }
  })
}

async function requireSameAnswer(real: Target, bare: Target): Promise<void> {
  const [first, second] = await Promise.all(
    [real, bare].map(async ({ origin, method, headers, nextPath }) =>
      (await fetch(`${origin}${nextPath()}`, { method, headers })).text(),
    ),
  )
  if (first !== second) throw new Error('The bare server does not answer what the program answers')
}
