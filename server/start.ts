import { randomUUID } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import type { Settings } from '#server/core/env.ts'
import { type Home, openHome } from '#server/core/home.ts'
import { createLogger, type Logger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { createServer } from '#server/http/create-server.ts'
import { assertNewRoleFits, openIdOf } from '#server/modules/access/open-id-connect.ts'
import { createSetupLink } from '#server/modules/access/set-up.ts'
import { createSignInTries } from '#server/modules/access/sign-in-tries.ts'
import { createStaffAuth } from '#server/modules/access/staff-auth.ts'
import { loadSample, type SampleAccount } from '#server/modules/imports/load-sample.ts'
import { startWorker } from '#server/worker/worker.ts'
import { migrate, pendingMigrations } from '../prisma/migrate.ts'
import { makeSample } from '../prisma/sample/sample.ts'

export interface Docket {
  address: string
  /** Stops accepting, lets what runs finish, releases the database. */
  stop(): Promise<void>
}

/** Settings → database → HTTP → worker; a stop goes the other way. */
export async function startDocket(settings: Settings, { isProduction }: { isProduction: boolean }): Promise<Docket> {
  const log = createLogger(settings.LOG_LEVEL)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const home = await openHome(settings, log, say)
  try {
    await migrate(home.database.pool, say)
    const ctx = systemContext(home, log, settings)
    if (home.isEmbedded) showAccounts(await loadSample(ctx, makeSample), say)

    const openId = openIdOf(settings)
    await assertNewRoleFits(ctx, openId)

    const origins = originsOf(settings)
    const staffAuth = createStaffAuth({
      key: keyFor(home.secret, 'sessions'),
      origins,
      openId,
      ctx,
    })
    const webhooks = { key: keyFor(home.secret, 'webhooks'), allowsLoopback: settings.WEBHOOK_ALLOW_LOOPBACK }
    let isStopping = false
    const app = await createServer({
      settings,
      isProduction,
      reportKey: keyFor(home.secret, 'reports'),
      answerKey: keyFor(home.secret, 'answers'),
      parts: { database: home.database, networkId: settings.NETWORK_ID, log, staffAuth, webhooks, now: ctx.now },
      signIn: {
        tries: createSignInTries(home.database.pool, settings.RATE_LIMITS.signin),
        publicUrl: settings.PUBLIC_URL,
      },
      readiness: async () => !isStopping && (await pendingMigrations(home.database.pool)).length === 0,
    })
    await listen(app, settings)
    const worker = settings.DOCKET_ROLES.includes('worker')
      ? await startWorker(ctx, { auditKey: keyFor(home.secret, 'audit'), webhooks })
      : undefined

    const address = origins[0] ?? ''
    say(`Docket is ready on ${address}`)
    await showSetupLink(ctx, address, say)
    return {
      address,
      stop: async () => {
        isStopping = true
        await app.close()
        await worker?.stop()
        await home.close()
      },
    }
  } catch (error) {
    await home.close()
    throw error
  }
}

function systemContext({ database }: Home, log: Logger, { NETWORK_ID: networkId }: Settings): Ctx {
  return {
    actor: { kind: 'system', name: 'docket' },
    db: database.prisma,
    pool: database.pool,
    door: 'cli',
    requestId: randomUUID(),
    networkId,
    log,
    now: () => new Date(),
    undoWindowMs: 0,
  }
}

/** Where browsers reach the desk. `localhost` comes before the address: passkeys refuse addresses. */
function originsOf({ PUBLIC_URL, PORT }: Settings): string[] {
  return [...(PUBLIC_URL === undefined ? [] : [PUBLIC_URL]), `http://localhost:${PORT}`, `http://127.0.0.1:${PORT}`]
}

async function listen(app: Awaited<ReturnType<typeof createServer>>, { HOST, PORT }: Settings): Promise<void> {
  try {
    await app.listen({ host: HOST, port: PORT })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`Port ${PORT} on ${HOST} is taken: stop what uses it, or set PORT to another`, { cause: error })
    }
    throw error
  }
}

/** Before anything else can go wrong: they are shown once, and kept nowhere. */
function showAccounts(accounts: SampleAccount[], say: (line: string) => void): void {
  if (accounts.length === 0) return
  say('\nA small sample is loaded. Sign in with one of these accounts; the passwords are shown this once:')
  for (const { title, email, password } of accounts) say(`  ${title.padEnd(20)} ${email.padEnd(26)} ${password}`)
  say('')
}

async function showSetupLink(ctx: Ctx, address: string, say: (line: string) => void): Promise<void> {
  const token = await createSetupLink(ctx)
  if (token !== undefined)
    say(`\nNobody can sign in yet. Make the first admin here, once:\n  ${address}/setup?token=${token}\n`)
}
