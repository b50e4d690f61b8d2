import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#server/core/ctx.ts'
import type { Pool } from '#server/core/database/db-types.ts'
import { forwardWrites } from '#server/core/database/forward-writes.ts'
import { awaitOwnNotification } from '#server/core/database/pooler.ts'
import type { Settings } from '#server/core/env.ts'
import { type Home, openHome, POOL_SIZE, patiently } from '#server/core/home.ts'
import { createLogger, type Logger } from '#server/core/log.ts'
import { type OpenReplicas, openReplicas } from '#server/core/replicas/open-replicas.ts'
import { runSteps } from '#server/core/run-steps.ts'
import { keyFor } from '#server/core/secret.ts'
import { systemContext } from '#server/core/system-context.ts'
import { recordSpansWith } from '#server/core/tracing.ts'
import { createServer } from '#server/http/create-server.ts'
import { showClassifiers, showConnections, showReplicas, showSealing } from '#server/http/metrics.ts'
import { assertNewRoleFits, openIdOf } from '#server/modules/accounts/access/open-id-connect.ts'
import { createSetupLink } from '#server/modules/accounts/access/set-up.ts'
import { createSignInTries } from '#server/modules/accounts/access/sign-in-tries.ts'
import { createStaffAuth } from '#server/modules/accounts/access/staff-auth.ts'
import { loadSample, type SampleAccount } from '#server/modules/integrations/imports/load-sample.ts'
import type { NotificationParts } from '#server/modules/integrations/notifications/notification-parts.ts'
import { createTranslationMemory } from '#server/modules/integrations/translations/translation-memory.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { openHeadStore } from '#server/modules/ledger/audit/head-store.ts'
import { startWorker } from '#server/worker/worker.ts'
import { migrate, pendingMigrations } from '../prisma/migrate.ts'
import { makeSample } from '../prisma/sample/sample.ts'

/** A database that is ready answers this fast. */
const DATABASE_ANSWERS_WITHIN_MS = 1_500

export interface Docket {
  address: string
  /** Reports not ready, waits for DRAIN_SECONDS, stops accepting, finishes running requests, and releases the database. */
  stop(): Promise<void>
}

/** Settings → database → worker → HTTP; a stop runs in reverse. By the first request, everything is running. */
export async function startDocket(settings: Settings, { isProduction }: { isProduction: boolean }): Promise<Docket> {
  const log = createLogger(settings.LOG_LEVEL)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const stopTelemetry = await startTelemetry(settings, log)
  const home = await openHome(settings, log, say)
  const closings = [stopTelemetry, home.close]
  const stop = async () => {
    await runSteps(closings.splice(0).reverse())
  }
  try {
    showConnections(home.database.pool)
    await patiently(() => home.asOwner((owner) => migrate(owner, say)))
    await patiently(() => awaitOwnNotification(home.database.pool))
    const replicas = openReplicasOf(settings, home, log)
    if (replicas !== undefined) closings.push(replicas.close)
    const ctx: Ctx = { ...systemContext(home, { name: 'docket', log, settings }), replicas }
    if (home.isEmbedded) showAccounts(await loadSample(ctx, makeSample), say)

    const openId = openIdOf(settings)
    await patiently(() => assertNewRoleFits(ctx, openId))

    const origins = originsOf(settings)
    const webhooks = { key: keyFor(home.secret, 'webhooks'), allowsLoopback: settings.WEBHOOK_ALLOW_LOOPBACK }
    const notifications = notificationPartsOf(settings, home.secret, origins)
    const translations = translationPartsOf(settings, home.secret)
    if (settings.DOCKET_ROLES.includes('worker')) {
      const { auditKey } = ctx
      const heads = await openHeadStore({ file: home.auditHeadFile, key: auditKey, log, onChange: showSealing })
      const figures = new Map()
      const periods = { evidenceDays: settings.EVIDENCE_DAYS }
      showClassifiers(figures)
      const worker = await patiently(() =>
        startWorker(ctx, { auditKey, heads, webhooks, figures, periods, notifications }),
      )
      closings.push(worker.stop)
    } else forwardWrites(ctx.pool)
    const setupToken = await patiently(() => createSetupLink(ctx))

    const staffAuth = createStaffAuth({
      key: keyFor(home.secret, 'sessions'),
      origins,
      openId,
      prisma: home.database.prisma,
      ctx,
    })
    const stopping = new AbortController()
    const app = await createServer({
      settings,
      isProduction,
      reportKey: keyFor(home.secret, 'reports'),
      answerKey: keyFor(home.secret, 'answers'),
      parts: { system: ctx, staffAuth, webhooks, notifications, translations },
      signIn: {
        tries: createSignInTries(home.database.pool, settings.RATE_LIMITS.signin),
        publicUrl: settings.PUBLIC_URL,
      },
      readiness: () => isReady(home.database.pool),
      stopping: stopping.signal,
    })
    closings.push(async () => {
      stopping.abort()
      await sleep(settings.DRAIN_SECONDS * 1_000)
      await app.close()
    })
    // The process that shows the sign-in page expects a sign-in; elsewhere the first one waits for the library.
    if (settings.DOCKET_ROLES.includes('pages')) await staffAuth.load()
    await listen(app, settings)

    const address = origins[0] ?? ''
    say(`Docket is ready on ${address}`)
    if (setupToken !== undefined) showSetupLink(`${address}/setup?token=${setupToken}`, say)
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function openReplicasOf(
  { DATABASE_REPLICA_URLS: urls }: Settings,
  { database }: Home,
  log: Logger,
): OpenReplicas | undefined {
  if (urls.length === 0) return undefined
  const replicas = openReplicas({ urls, primary: database.pool, ...POOL_SIZE, log })
  showReplicas(replicas)
  return replicas
}

/** A connection that doesn't answer at once is given up, and so are the idle ones beside it: the next time, a new one is asked. */
async function isReady(pool: Pool): Promise<boolean> {
  const asked = { text: 'select', query_timeout: DATABASE_ANSWERS_WITHIN_MS }
  await pool.query(asked)
  return (await pendingMigrations(pool)).length === 0
}

/** Loads the libraries for traces only where they are sent. */
async function startTelemetry(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Settings,
  log: Logger,
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => {}
  const { openTelemetry } = await import('#server/core/open-telemetry.ts')
  const { recorder, stop } = openTelemetry(endpoint, log)
  recordSpansWith(recorder)
  return stop
}

function notificationPartsOf(settings: Settings, secret: string, [deskUrl = '']: string[]): NotificationParts {
  const { SMTP_URL: url, MAIL_FROM: from, WEBHOOK_ALLOW_LOOPBACK: allowsLoopback } = settings
  return {
    key: keyFor(secret, 'notifications'),
    linkKey: keyFor(secret, 'stop links'),
    allowsLoopback,
    deskUrl,
    smtp: url === undefined || from === undefined ? undefined : { url, from },
  }
}

function translationPartsOf(settings: Settings, secret: string): TranslationParts {
  const { TRANSLATION_URL: url, TRANSLATION_API_KEY: apiKey, WEBHOOK_ALLOW_LOOPBACK: allowsLoopback } = settings
  return {
    key: keyFor(secret, 'translation'),
    allowsLoopback,
    service: url === undefined ? undefined : { url, apiKey },
    memory: createTranslationMemory(),
  }
}

/** The desk's URL for browsers. `localhost` comes before the address, as passkeys do not work with addresses. */
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

/** Printed before anything else can fail: they are shown once, and stored nowhere. */
function showAccounts(accounts: SampleAccount[], say: (line: string) => void): void {
  if (accounts.length === 0) return
  say('\nA small sample is loaded. Sign in with one of these accounts. The passwords are shown only once:')
  for (const { title, email, password } of accounts) say(`  ${title.padEnd(20)} ${email.padEnd(26)} ${password}`)
  say('')
}

function showSetupLink(link: string, say: (line: string) => void): void {
  say(`\nNobody can sign in yet. Create the first admin with this one-time link:\n  ${link}\n`)
}
