import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { TEST_SECRET } from '#server/testing/ctx.ts'
import { END_WITH_PARENT } from '#server/testing/end-with-parent.ts'
import { freePort } from '#server/testing/free-port.ts'
import { waitUntil } from '#server/testing/wait-until.ts'
import { startTestServer } from '../prisma/scratch-database.ts'

/** Starts the whole program in production mode on a new database, and removes both after the last test. */
export default async function startDesk(): Promise<() => Promise<void>> {
  const server = await startTestServer((line) => console.log(line))
  const name = `docket_e2e_${randomBytes(4).toString('hex')}`
  await asAdmin(server.url, `create database ${name} template template0`)
  const databaseUrl = new URL(server.url)
  databaseUrl.pathname = `/${name}`

  const url = `http://localhost:${await freePort()}`
  const desk = spawn(process.execPath, [...END_WITH_PARENT, 'server/main.ts'], {
    // Its log has errors only, and a failing test may be due to one.
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl.href,
      // Tests also add to its audit log.
      DOCKET_SECRET: TEST_SECRET,
      DOCKET_HOME: '.docket/test/home',
      PORT: new URL(url).port,
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'signin=1000/m',
      // The tests' receivers listen on this machine.
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    },
  })
  const ended = new Promise<number | null>((resolve) => desk.once('exit', resolve))
  await Promise.race([
    waitUntil('the desk is ready', () => isReady(`${url}/readyz`)),
    ended.then((code) => Promise.reject(new Error(`The desk ended with ${code} before it was ready`))),
  ])
  process.env.DESK_URL = url
  process.env.DESK_DATABASE_URL = databaseUrl.href

  return async () => {
    desk.kill('SIGTERM')
    const code = await ended
    await asAdmin(server.url, `drop database ${name} with (force)`)
    await server.stop()
    if (code !== 0) throw new Error(`The desk ended with ${code}`)
  }
}

async function isReady(address: string): Promise<boolean> {
  const answer = await fetch(address).catch(() => undefined)
  return answer?.ok ?? false
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
