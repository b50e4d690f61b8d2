import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Below the range that systems use for outgoing connections, so none is taken by chance while the server is down. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_767
const CHANCES = 100

/** The port of the last start, where running processes look for the server; another one if it is taken. */
export async function choosePort(dataFolder: string): Promise<number> {
  const last = await lastPort(dataFolder)
  if (last !== undefined && (await isFree(last))) return last
  for (let chance = 0; chance < CHANCES; chance += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No port between ${FIRST_PORT} and ${LAST_PORT} is free on 127.0.0.1.`)
}

/** PostgreSQL stores its start options and leaves the file behind. */
async function lastPort(dataFolder: string): Promise<number | undefined> {
  const commandLine = await readFile(join(dataFolder, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"port=(\d+)"/.exec(commandLine)?.[1])
  return port >= FIRST_PORT && port <= LAST_PORT ? port : undefined
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    const listening = once(probe, 'listening')
    probe.listen(port, '127.0.0.1')
    await listening
    const closed = once(probe, 'close')
    probe.close()
    await closed
    return true
  } catch {
    return false
  }
}
