import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#server/testing/free-port.ts'
import { NOBODY } from '#server/testing/nobody.ts'
import { waitUntil } from '#server/testing/wait-until.ts'

export interface Pooler {
  /** The address of the same database through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in transaction mode in front of a server, with Debian's program or the one that the variable `PGBOUNCER` names. Undefined
 * where there is none. `settings` are lines of its configuration.
 */
export async function startPooler(serverUrl: string, settings: string[] = []): Promise<Pooler | undefined> {
  const server = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(path.join(tmpdir(), 'docket-pooler-'))
  await chmod(folder, 0o755)
  const file = path.join(folder, 'pgbouncer.ini')
  const password = server.password && `password='${decodeURIComponent(server.password)}'`
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${decodeURIComponent(server.username)} ${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'max_client_conn = 1000',
      ...settings,
    ].join('\n'),
  )
  const child: ChildProcess = spawn(process.env.PGBOUNCER ?? 'pgbouncer', [file], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
    // PgBouncer doesn't run as root.
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
  })
  const isMissing = await once(child, 'spawn').then(
    () => false,
    () => true,
  )
  const stop = async () => {
    if (!isMissing && child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    await rm(folder, { recursive: true })
  }
  if (isMissing) {
    await stop()
    return undefined
  }
  await untilListening(port)
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    stop,
  }
}

async function untilListening(port: number): Promise<void> {
  await waitUntil('the pooler listens', async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  })
}
