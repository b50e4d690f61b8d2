import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import type { Settings } from '#server/core/env.ts'
import type { Home } from '#server/core/home.ts'
import { keyFor } from '#server/core/secret.ts'

interface SystemHome extends Pick<Home, 'database' | 'secret'> {
  clock: Pick<Ctx, 'now'>
}

interface SystemOptions {
  name: string
  log: Ctx['log']
  settings: Pick<Settings, 'NETWORK_ID'>
}

/** The context of what Docket does by itself or from the command line; `name` is the actor in the log. Publishes at once. */
export function systemContext({ database, clock, secret }: SystemHome, { name, log, settings }: SystemOptions): Ctx {
  return {
    actor: { kind: 'system', name },
    db: database.pool,
    pool: database.pool,
    source: 'cli',
    requestId: randomUUID(),
    networkId: settings.NETWORK_ID,
    log,
    auditKey: keyFor(secret, 'audit'),
    now: clock.now,
    undoWindowMs: 0,
  }
}
