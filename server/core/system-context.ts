import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import type { Home } from '#server/core/home.ts'
import type { Logger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'

interface SystemParts extends Pick<Home, 'database' | 'secret'> {
  clock: Pick<Ctx, 'now'>
  log: Logger
  /** The setting NETWORK_ID. */
  networkId: string
}

/** The context of the program's own work, which is under this name in the audit log. It can't be undone. */
export function systemContext({ database, secret, clock, log, networkId }: SystemParts, name: string): Ctx {
  return {
    actor: { kind: 'system', name },
    db: database.prisma,
    pool: database.pool,
    source: 'cli',
    requestId: randomUUID(),
    networkId,
    log,
    auditKey: keyFor(secret, 'audit'),
    now: clock.now,
    undoWindowMs: 0,
  }
}
